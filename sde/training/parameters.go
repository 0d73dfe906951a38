package training

import (
	"math"
	"strings"

	"antipode/sde/network"
)

// piece is a part of a learned parameter, which one goroutine updates. The weights of a piece are those
// whose index k among the weights of all parameters satisfies from ≤ k < to.
type piece struct {
	weights  []float64
	from, to int
	decay    float64
}

// pieceLength is the largest number of weights in a piece of a learned parameter.
const pieceLength = 1 << 13

// learned returns the pieces of all parameters that the method learns.
func learned(t *network.Transformer, m Method) (pieces []piece) {
	for _, p := range t.Parameters {
		if !m.Strengths.learns(p.Name) {
			continue
		}
		first, decay := p.Offset(), 0.0
		if p.Decay {
			decay = m.Optimiser.Decay
		}
		for from := 0; from < len(p.Value); from += pieceLength {
			to := min(from+pieceLength, len(p.Value))
			pieces = append(pieces, piece{p.Value[from:to], first + from, first + to, decay})
		}
	}
	return pieces
}

// learns reports whether the parameter with the given name is learned.
func (s Strengths) learns(name string) bool {
	switch {
	case strings.HasSuffix(name, ".skip"):
		return s == SkipStrengths || s == AllStrengths
	case strings.HasSuffix(name, ".strength"):
		return s == BranchStrengths || s == AllStrengths
	}
	return true
}

// squares returns the sum of the squares of numbers, accumulated in four partial sums.
func squares(x []float64) float64 {
	var s [4]float64
	for k, v := range x {
		s[k%4] = math.FMA(v, v, s[k%4])
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}
