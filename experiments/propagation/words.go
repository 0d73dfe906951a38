package propagation

import (
	"path/filepath"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/networks"
	"antipode/experiments/internal/text"
)

// input describes what networks read.
type input struct {
	overlap float64 // mean overlap of two tokens, where the theory starts
	words   [][]int // for each sequence of a text; nil for tokens of that overlap, or for words by Zipf's law
}

// words reports whether networks read words.
func (p *Experiment) words() bool { return p.Simulate != nil && p.Sequences != nil }

// textName returns the name of the text, if there is one.
func (p *Experiment) textName() (name string, is bool) {
	return filepath.Base(namedfile.Name(p.Text)), p.Text != namedfile.None
}

// input reads the text if there is one. Two positions with the same word have overlap ½ in wide networks.
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
