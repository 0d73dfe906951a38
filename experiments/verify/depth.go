package verify

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
)

var depth = []Claim{
	{
		"depth-threshold", Clustering, "new",
		"at finite depth overlap -1 attracts from another β on, where its exponent is 0",
		"the boundary of infinite depth in place of that of the depth", depthThreshold,
	},
	{
		"horizon-law", Clustering, "new",
		"at a finite horizon outcomes have the probabilities of a Fokker-Planck equation",
		"a Fokker-Planck equation with mass lost at its ends, or a wrong clock; the limit in its place", horizonLaw,
	},
	{
		"beta-sign", Clustering, "new",
		"two tokens have the same law with -β as with β; three have not",
		"attention that does not treat both tokens alike; statistics that see no difference for three", betaSign,
	},
}

// depthThreshold measures the slope of ln(1+Z) next to -1 on both sides of the threshold of
// that depth, and takes its zero between them: the exponent is smooth in β.
func depthThreshold(l *laboratory, r *report) error {
	const apart = 0.05
	for _, x := range []struct {
		dim, depth int
		largest    float64
	}{{4, 10, 0.004}, {10, 10, 0.01}, {4, 100, 0.006}} {
		critical, _, err := finitedepth.CriticalBeta(x.dim, overlap.Softmax, 1, x.depth)
		if err != nil {
			return err
		}
		var slopes [2]estimate
		for k, beta := range []float64{critical - apart, critical + apart} {
			c := transformerPair(x.dim, beta, sde.Softmax, x.depth, -1+near)
			if slopes[k], err = slope(l, c, 60_000, above); err != nil {
				return err
			}
		}
		rise := (slopes[1].value - slopes[0].value) / (2 * apart)
		middle := 0.5 * (slopes[0].value + slopes[1].value)
		deviation := 0.5 * math.Hypot(slopes[0].stderr, slopes[1].stderr)
		zero := estimate{critical - middle/rise, deviation / math.Abs(rise)}
		r.normal("zero of the exponent, "+dimension(x.dim)+" L="+number(float64(x.depth)), critical, zero, x.largest, 0.001)
		if limit, _ := overlap.CriticalBeta(x.dim); x.depth == 10 {
			r.refute(limit)
		}
	}
	return nil
}

// horizonLaw compares outcomes at horizons at which they are not all decided, or of which
// the limit is another, and two means over the whole law.
func horizonLaw(l *laboratory, r *report) error {
	const depth, trajectories = 100, 4000
	for _, x := range []struct {
		cell           sde.Cell
		horizon, shift float64
	}{
		{uniformPair(4, 1, depth), 10, 1.5}, // the depth's effect is greatest while many are undecided
		{uniformPair(8, 2, depth), 20, depthShift},
	} {
		counts, law, err := outcomes(l, x.cell, trajectories, x.horizon)
		if err != nil {
			return err
		}
		antipodal, single := law.Antipodal(tolerance).Value, law.Single(tolerance).Value
		of := " at time " + number(x.horizon) + ", " + describe(x.cell)
		r.binomial("antipodal"+of, antipodal, counts[sphere.Antipodal], trajectories, x.shift/depth)
		r.binomial("single"+of, single, counts[sphere.Single], trajectories, x.shift/depth)
	}
	c := transformerPair(4, 1, sde.Softmax, depth, 0)
	limit, err := l.limitOf(c)
	if err != nil {
		return err
	}
	laws, err := fokkerplanck.From(limit, 0, []float64{1, 3}, 1e-6)
	if err != nil {
		return err
	}
	seen, err := observe(l, c, 40_000, []int64{depth, 3 * depth}, seePair)
	if err != nil {
		return err
	}
	for k, law := range laws {
		r.normal("E Z at time "+number(law.Time)+", "+describe(c), law.Expectation(identity), meanOf(seen[k], pair.z), 0.005, depthShift/depth)
		r.normal("E Z² at time "+number(law.Time)+", "+describe(c), law.Expectation(square), meanOf(seen[k], func(p pair) float64 { return square(p.z()) }), 0.005, depthShift/depth)
	}
	return nil
}

// betaSign compares means of the overlap after some layers of depth 1. With -β the weights of
// a token for itself and for the other one are exchanged, and so are the fields; the
// reflection that exchanges the tokens does the same, and Gaussian matrices do not
// see it. -β is β with the interaction -Id.
func betaSign(l *laboratory, r *report) error {
	const dim, layers, trajectories = 4, 4, 30_000
	minusIdentity := make([]float64, dim*dim)
	for k := range dim {
		minusIdentity[k*dim+k] = -1
	}
	for _, tokens := range []int{2, 3} {
		c := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: tokens, Dim: dim, Beta: 3, Depth: 1, Start: sde.UniformStart{}}
		opposite := c
		opposite.Interaction = minusIdentity
		plus, err := atLayer(l, c, trajectories, layers, seePair)
		if err != nil {
			return err
		}
		minus, err := atLayer(l, opposite, trajectories, layers, seePair)
		if err != nil {
			return err
		}
		for power, name := range []string{"E Z", "E Z²", "E Z³", "E Z⁴"} {
			moment := func(p pair) float64 { return math.Pow(p.z(), float64(power+1)) }
			difference := meanOf(minus, moment).minus(meanOf(plus, moment))
			if tokens == 2 {
				r.normal(name+" with -β less that with β, "+describe(c), 0, difference, 0.01, 0)
			}
			if tokens == 3 && power == 1 {
				r.differs(name+" with -β less that with β, "+describe(c), 0, 0.03, difference)
			}
		}
	}
	return nil
}
