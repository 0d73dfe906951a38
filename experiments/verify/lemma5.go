package verify

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sde"
)

// slope estimates the mean change of ln(1+Z), or of ln(1-Z), in a unit of time.
func slope(l *laboratory, c sde.Cell, trajectories int64, of func(p pair) float64) (estimate, error) {
	type row struct{ first, last float64 }
	rows, err := follow(l, c, trajectories, []int64{0, int64(c.Depth)}, func(r *row, v *sde.View) {
		if r.last = of(seePair(v)); v.Layer == 0 {
			r.first = r.last
		}
	}, nil)
	return meanOf(rows, func(r row) float64 { return r.last - r.first }), err
}

func above(p pair) float64 { return p.above }
func below(p pair) float64 { return p.below }

// near is the distance from ±1 at which the law of a step has its limit up to rounding.
const near = 1e-13

// lemma5Minus starts pairs next to overlap -1 and measures the slope of ln(1+Z): -1
// attracts if it is negative. The prediction is the recursion's own exponent, which has
// the sign of d-2-cosh 2β at this depth in these cells.
func lemma5Minus(l *laboratory, r *report) error {
	const depth = 50
	for _, x := range []struct {
		dim  int
		beta float64
	}{{2, 0.5}, {4, 1.2}, {4, 0.3}, {6, 1.5}, {6, 0.6}, {10, 2}, {10, 1}} {
		c := transformerPair(x.dim, x.beta, sde.Softmax, depth, -1+near)
		layer, err := finitedepth.Antipodal(x.dim, x.beta, overlap.Softmax, 1, depth)
		if err != nil {
			return err
		}
		limit, err := l.limitOf(c)
		if err != nil {
			return err
		}
		measured, err := slope(l, c, 10_000, above)
		if err != nil {
			return err
		}
		predicted := 2 * depth * layer.Lyapunov()
		r.normal("slope of ln(1+Z), "+describe(c), predicted, measured, 0.035, 0)
		r.refute(0)
		attracts := float64(c.Dim-2) < math.Cosh(2*c.Beta)
		r.equal("sign of the slope, "+describe(c), sign(!attracts), math.Copysign(1, predicted), 0)
		r.equal("-1 attracts, "+describe(c), sign(attracts), sign(limit.MinusOne() == overlap.Attracting), 0)
	}
	return nil
}

// sign is 1 for true and -1 for false.
func sign(b bool) float64 {
	if b {
		return 1
	}
	return -1
}

// lemma5Plus does the same at +1, which attracts always: in the limit the slope is -(d-1).
func lemma5Plus(l *laboratory, r *report) error {
	const depth = 50
	for _, x := range []struct {
		dim  int
		beta float64
	}{{2, 1}, {3, 0}, {4, 1}, {10, 2}} {
		c := transformerPair(x.dim, x.beta, sde.Softmax, depth, 1-near)
		layer, err := finitedepth.Single(x.dim, x.beta, overlap.Softmax, 1, depth)
		if err != nil {
			return err
		}
		measured, err := slope(l, c, 10_000, below)
		if err != nil {
			return err
		}
		r.normal("slope of ln(1-Z), "+describe(c), 2*depth*layer.Lyapunov(), measured, 0.035, 0)
		const deep = 1 << 20
		if layer, err = finitedepth.Single(x.dim, x.beta, overlap.Softmax, 1, deep); err != nil {
			return err
		}
		r.equal("its limit, "+describe(c), -float64(x.dim-1), 2*deep*layer.Lyapunov(), 1e-3)
	}
	return nil
}
