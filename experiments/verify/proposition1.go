package verify

import (
	"math"

	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/elementary"
)

var proposition1 = []Claim{
	{
		"flow-single", Clustering, "Section 5.2",
		"without noise all tokens end in one cluster",
		"a flow whose field has the wrong sign, or tokens that it leaves behind", flowSingle,
	},
	{
		"prop1-single", Clustering, "Proposition 1",
		"the hybrid with unnormalized attention ends in one cluster if ε² < 2e^-β",
		"noise of variance ε for ε², or a threshold elsewhere than ε² = 2e^-β, from below", proposition1Single,
	},
	{
		"prop1-antipodal", Clustering, "Proposition 1",
		"the hybrid with unnormalized attention ends antipodal if ε² > 2e^-β",
		"the same from above", proposition1Antipodal,
	},
	{
		"softmax-window", Clustering, "new",
		"the hybrid with softmax has both outcomes for 1+e^-2β < ε² < 2, and one outside",
		"thresholds of softmax that are those of unnormalized attention, or only one of them", softmaxWindow,
	},
}

func proposition1Single(l *laboratory, r *report) error { return proposition1Side(l, r, 0.85) }

func proposition1Antipodal(l *laboratory, r *report) error { return proposition1Side(l, r, 1.15) }

// proposition1Side takes ε as a multiple of the threshold √(2e^-β). The slopes of ln(1±Z)
// next to the ends say which of them attracts, and pairs that are followed to a band
// around the ends where they go.
func proposition1Side(l *laboratory, r *report, multiple float64) error {
	const depth, trajectories, horizon, band = 100, 300, 200, 1e-4
	for _, beta := range []float64{0.5, 1} {
		epsilon := multiple * math.Sqrt(2*elementary.Exp(-beta))
		c := hybridPair(beta, epsilon, sde.Unnormalized, depth, sde.PairStart{Overlap: 0})
		diffusion, err := overlap.NewHybrid(c.Dim, beta, overlap.Unnormalized, epsilon)
		if err != nil {
			return err
		}
		p, err := diffusion.HitFrom(0, -1+band, 1-band)
		if err != nil {
			return err
		}
		antipodal, single, err := exits(l, c, trajectories, horizon*depth, band)
		if err != nil {
			return err
		}
		r.binomial("antipodal, "+describe(c), p.Value, antipodal, antipodal+single, hybridShift/depth)
		r.refute(0.5)
		r.never("undecided, "+describe(c), trajectories-antipodal-single, trajectories)
		attracting := [2]bool{diffusion.MinusOne() == overlap.Attracting, diffusion.PlusOne() == overlap.Attracting}
		if err := hybridSlopes(l, r, c, attracting); err != nil {
			return err
		}
	}
	return nil
}
