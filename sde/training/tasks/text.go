package tasks

import (
	"antipode/sde/internal/kernels"
	"antipode/sde/training"
)

// textSource generates the sequences of MaskedText, which are random pieces of a text.
type textSource struct{ parts [2][]byte } // texts for training and for validation

func newTextSource(text []byte) textSource {
	last := len(text) - len(text)/10
	return textSource{[2][]byte{text[:last], text[last:]}}
}

// shortest returns the least length of a text whose last tenth has the given number of bytes.
func shortest(tokens int) int { return 10 * tokens }

func (textSource) uniforms(int) int { return 1 }

func (s textSource) sequence(split training.Split, uniforms []float64, words []int) {
	part := s.parts[split]
	first := kernels.Integer(uniforms[0], len(part)-len(words)+1)
	for t := range words {
		words[t] = int(part[first+t])
	}
}

// entropy returns the entropy, in nats, of the frequencies of bytes in the validation text.
func (s textSource) entropy() float64 {
	part := s.parts[training.Validation]
	law := make([]float64, 256)
	for _, b := range part {
		law[b] += 1 / float64(len(part))
	}
	h, _ := posterior(law)
	return h
}
