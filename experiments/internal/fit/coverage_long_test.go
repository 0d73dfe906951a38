//go:build long

package fit

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestIntervalsOfOrdersCover(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 20))
	for _, f := range []orderFits{
		{3, 0, 0.7, 1, 10_000}, {4, 1, 0.7, 1, 5000}, {5, 2, 0.7, 1, 5000}, {5, 1, math.NaN(), 1, 5000},
		{4, 1, 0.7, 3, 5000}, {6, 3, 0.7, 3, 3000}, {5, 1, math.NaN(), 3, 5000},
	} {
		f.check(t, random)
	}
}
