package theory

import (
	"math"
	"testing"

	"antipode/sde"
)

// Laws that cannot be computed, as those with a tolerance that no outcome has, are unknown numbers, at a
// depth and in a figure.
func TestUnknownLaws(t *testing.T) {
	c := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1, Depth: 5,
		Start: sde.UniformStart{}}
	if at := AtDepth(c, 2, -1); !math.IsNaN(at.Antipodal) || !math.IsNaN(at.Single) {
		t.Errorf("at a depth %+v", at)
	}
	if p := horizonProbability(c, 2, 0.4, -1); !math.IsNaN(p) {
		t.Errorf("in a figure %v", p)
	}
}
