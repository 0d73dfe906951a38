package verify

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/firstpassage"
	"antipode/sde"
	"antipode/sphere/elementary"
)

// lemma6Unattained follows pairs on their way to overlap 1: if ln(1-Z) goes on with a constant slope,
// every e-fold takes the same time and the end is not reached. Tokens, of the recursion and of a
// scheme for its limit, are followed while floating-point numbers can tell them apart; the chain,
// which has logarithms, for a hundred units of time.
func lemma6Unattained(l *laboratory, r *report) error {
	if err := tokensApproach(l, r); err != nil {
		return err
	}
	if err := chainApproaches(l, r); err != nil {
		return err
	}
	limit, err := l.diffusion(5, 0.5, overlap.Softmax, 1)
	if err != nil {
		return err
	}
	var times [2]float64
	for k, delta := range []float64{1e-8, 1e-12} {
		passage, err := firstpassage.Between(limit, 0, 1-delta)
		if err != nil {
			return err
		}
		times[k] = passage.Value
	}
	r.equal("mean time from 1-Z = 1e-8 to 1e-12", 4*math.Ln10/(5-1), times[1]-times[0], 1e-3)
	return nil
}

// tokensApproach starts tokens at 1-Z = 1e-3. After two units of time the mean of ln(1-Z) is -15, with
// deviation 2.8; tokens coincide by rounding near -70.
func tokensApproach(l *laboratory, r *report) error {
	const depth, time, trajectories, schemeError = 50, 2, 2000, 0.15
	coincide := elementary.Log(0x1p-100) // what View.Logarithms says of tokens that are one point
	layer, err := finitedepth.Single(5, 0.5, overlap.Softmax, 1, depth)
	if err != nil {
		return err
	}
	recursion := transformerPair(5, 0.5, sde.Softmax, depth, 1-1e-3)
	recursion.Method = sde.Tokens
	geodesic := recursion
	geodesic.Model = sde.TransformerSDE{Sigma: 1, Scheme: sde.Geodesic}
	for _, x := range []struct {
		what             string
		cell             sde.Cell
		slope, allowance float64
	}{
		{"recursion", recursion, 2 * depth * layer.Lyapunov(), 0.01},
		{"geodesic Euler", geodesic, -(5 - 1), schemeError},
	} {
		seen, err := observe(l, x.cell, trajectories, []int64{time * int64(x.cell.Depth)}, seePair)
		if err != nil {
			return err
		}
		rise := meanOf(seen[0], below)
		rise.value -= elementary.Log(1e-3)
		r.normal("slope of ln(1-Z) of tokens, "+x.what, x.slope, rise.scaled(1./time), 0.05, x.allowance)
		r.never("tokens at an end, "+x.what, count(seen[0], func(p pair) bool { return p.below <= coincide }), trajectories)
	}
	return nil
}

func chainApproaches(l *laboratory, r *report) error {
	const depth, trajectories = 20, 2000
	c := transformerPair(5, 0.5, sde.Softmax, depth, 0)
	seen, err := observe(l, c, trajectories, []int64{100 * depth, 200 * depth}, seePair)
	if err != nil {
		return err
	}
	layer, err := finitedepth.Single(c.Dim, c.Beta, overlap.Softmax, 1, depth)
	if err != nil {
		return err
	}
	late := meanOf(seen[1], below).minus(meanOf(seen[0], below)) // not independent: the error is that of the sum
	r.normal("slope of ln(1-Z) from time 100 to 200", 2*depth*layer.Lyapunov(), late.scaled(0.01), 0.02, 0)
	return nil
}
