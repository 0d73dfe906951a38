package verify

import (
	"math"

	"antipode/sde"
	"antipode/sphere/elementary"
)

// hybridShift bounds the change of a probability of the hybrid by finite depth, times the
// depth: 2 was seen in the middle of softmax's window, at time 50.
const hybridShift = 3

// hybridSlopes compares the slopes of ln(1+Z) next to -1 and of ln(1-Z) next to +1 with
// those of the recursion. It multiplies |S| by 1+w(p+q) and |D| by 1+w(p-q), w = 1/L ±
// ε/√L, at any overlap. The signs are those by which the theory's ends attract.
func hybridSlopes(l *laboratory, r *report, c sde.Cell, attracting [2]bool) error {
	const trajectories = 16_000
	c.Depth = 50
	for k, end := range []float64{-1, 1} {
		q := elementary.Exp(-float64(c.Beta * (1 - end)))
		p := 1 / (1 + q)
		if c.Attention == sde.Unnormalized {
			p = 0.5 * elementary.Exp(c.Beta)
		}
		q *= p
		predicted := 0.0
		for _, v := range []float64{-1, 1} {
			w := 1/float64(c.Depth) + v*c.Model.(sde.Hybrid).Epsilon/math.Sqrt(float64(c.Depth))
			predicted -= end * float64(c.Depth) * elementary.Log(math.Abs((1+float64(w*(p+q)))/(1+float64(w*(p-q)))))
		}
		c.Start = sde.PairStart{Overlap: end * (1 - near)}
		measured, err := slope(l, c, trajectories, []func(pair) float64{above, below}[k])
		if err != nil {
			return err
		}
		r.normal([]string{"slope of ln(1+Z), ", "slope of ln(1-Z), "}[k]+describe(c), predicted, measured, math.Abs(predicted)/12, 0)
		r.refute(0)
		r.equal("attracting or not, "+describe(c), sign(predicted < 0), sign(attracting[k]), 0)
	}
	return nil
}
