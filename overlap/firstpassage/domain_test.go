package firstpassage

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
)

// The domains of all overlaps end where the comments say.
func TestDomains(t *testing.T) {
	above, below, nan := domaintest.Above, domaintest.Below, math.NaN()
	d := diffusion(t, 2, 0)
	outside := []float64{below(-1), above(1), nan}
	domaintest.Check(t, "start", func(x float64) error { _, err := Between(d, x, 0); return err },
		[]float64{-1, 1}, outside)
	domaintest.Check(t, "end", func(x float64) error { _, err := Between(d, 0, x); return err },
		[]float64{-1, 1}, outside)
	reflected := func(wall, from, to float64) error {
		_, err := reflectedPassage(d.Line(), wall, from, to)
		return err
	}
	domaintest.Check(t, "start from a wall", func(x float64) error { return reflected(-0.5, x, 0.5) },
		[]float64{-0.5, 0.5}, []float64{below(-0.5), above(0.5), nan})
	domaintest.Check(t, "start from a wall on the right", func(x float64) error {
		return reflected(0.5, x, -0.5)
	},
		[]float64{-0.5, 0.5}, []float64{below(-0.5), above(0.5), nan})
	domaintest.Check(t, "wall", func(x float64) error { return reflected(x, 0, 0.5) },
		[]float64{above(-1), 0}, []float64{-1, above(0), nan})
	domaintest.Check(t, "end of a passage from a wall", func(x float64) error { return reflected(0, 0, x) },
		[]float64{above(-1), below(1)}, []float64{-1, 1, nan})
	exit := func(z0, a, b float64) error { _, err := Exit(d, z0, a, b); return err }
	domaintest.Check(t, "start of an exit", func(x float64) error { return exit(x, -0.5, 0.5) },
		[]float64{-0.5, 0.5}, []float64{below(-0.5), above(0.5), nan})
	domaintest.Check(t, "left exit", func(x float64) error { return exit(0, x, 0.5) },
		[]float64{above(-1), 0}, []float64{-1, above(0), nan})
	domaintest.Check(t, "right exit", func(x float64) error { return exit(0, -0.5, x) },
		[]float64{0, below(1)}, []float64{below(0), 1, nan})
	if err := exit(0, 0, 0); err == nil {
		t.Error("an exit from a single point is accepted")
	}
}
