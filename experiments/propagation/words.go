package propagation

import (
	"path/filepath"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/networks"
	"antipode/experiments/internal/text"
)

// input describes the input tokens of networks.
type input struct {
	overlap float64 // mean overlap of two tokens, at which the theory starts
	// words are the words of each sequence, from a text. The list of words is nil if the input tokens have
	// the given overlap or are words sampled by Zipf's law.
	words [][]int
}

// words reports whether the simulated networks read words.
func (p *Experiment) words() bool { return p.Simulate != nil && p.Sequences != nil }

// textName returns the name of the file of the text, if a text is given.
func (p *Experiment) textName() (name string, is bool) {
	return filepath.Base(namedfile.Name(p.Text)), p.Text != namedfile.None
}

// input returns the input of networks, and reads the text if a text is given. In wide networks, tokens at two
// positions with the same word have overlap ½.
func (p *Experiment) input() (read input, err error) {
	switch {
	case !p.words():
		return input{overlap: p.Start}, nil
	case p.Text == namedfile.None:
		return input{overlap: text.ZipfRepeats(networks.Vocabulary) / 2}, nil
	}
	read.words, err = text.Excerpts(p.Text, networks.Vocabulary, int(*p.Sequences), int(p.sequence()))
	if err == nil {
		read.overlap = text.Repeats(read.words) / 2
	}
	return read, err
}
