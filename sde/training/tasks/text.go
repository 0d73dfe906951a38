package tasks

import (
	"antipode/sde/training"
)

// textSource has pieces of a text.
type textSource struct{ parts [2][]byte } // of training and of validation

func newTextSource(text []byte) textSource {
	last := len(text) - len(text)/10
	return textSource{[2][]byte{text[:last], text[last:]}}
}

// shortest is the least length of a text whose last tenth has that many bytes.
func shortest(tokens int) int { return 10 * tokens }

func (textSource) uniforms(int) int { return 1 }

func (s textSource) sequence(split training.Split, uniforms []float64, words []int) {
	part := s.parts[split]
	first := below(uniforms[0], len(part)-len(words)+1)
	for t := range words {
		words[t] = int(part[first+t])
	}
}

// entropy is that of a byte of validation.
func (s textSource) entropy() float64 {
	part := s.parts[training.Validation]
	law := make([]float64, 256)
	for _, b := range part {
		law[b] += 1 / float64(len(part))
	}
	h, _ := posterior(law)
	return h
}
