package verify

import (
	"math"

	"antipode/overlap/propagation"
)

// trainability bisects for α_c with the paper's Algorithm 1 as it is printed, and takes the
// verdicts on either side of both failure lines.
func trainability(_ *laboratory, r *report) error {
	const depth, collapsed, start = 60, 0.95, 0.1
	b := blockOf(propagation.PostNorm, propagation.ReLU)
	low, high := 0.0, 100.0
	for range 60 {
		if middle := 0.5 * (low + high); algorithm1(b, middle, start, depth) > collapsed {
			low = middle
		} else {
			high = middle
		}
	}
	state := propagation.State{Q: 1, P: start}
	alpha, found, err := propagation.CriticalAlpha(b, state, depth, collapsed)
	if err != nil {
		return err
	}
	r.equal("α_c of 60 layers", low, alpha, 1e-6)
	r.equal("α_c exists", 1, sign(found), 0)
	critical := propagation.CriticalBeta(1, start)
	for _, x := range []struct {
		alpha, beta float64
		verdict     propagation.Verdict
	}{
		{1.1 * alpha, 0.5 * critical, propagation.Trainable},
		{0.9 * alpha, 0.5 * critical, propagation.RankCollapse},
		{1.1 * alpha, 1.1 * critical, propagation.EntropyCollapse},
	} {
		b.AlphaSA, b.Beta = x.alpha, x.beta
		m, err := propagation.NewMap(b)
		if err != nil {
			return err
		}
		signal, err := m.Signal(state, depth)
		if err != nil {
			return err
		}
		r.equal(x.verdict.String(), float64(x.verdict), float64(signal.Verdict(x.beta, collapsed)), 0)
	}
	return nil
}

// algorithm1 is the cosine of tokens behind so many post-norm blocks with spread attention and
// relu.
func algorithm1(b propagation.Block, alpha, cosine float64, depth int) float64 {
	for range depth {
		// Attention takes every token to the mean, of norm and overlap p.
		q, p := b.SigmaV2*cosine+alpha*alpha, b.SigmaV2*cosine+alpha*alpha*cosine
		rho := p / q
		hidden, hiddenOverlap := b.SigmaW2+b.SigmaB2, b.SigmaW2*rho+b.SigmaB2
		f := hiddenOverlap / hidden
		kernel := (math.Sqrt(1-f*f) + f*(math.Pi-math.Acos(f))) / math.Pi
		q = b.SigmaW2/2*hidden + b.SigmaB2 + b.AlphaMLP*b.AlphaMLP
		p = b.SigmaW2/2*hidden*kernel + b.SigmaB2 + b.AlphaMLP*b.AlphaMLP*rho
		cosine = p / q
	}
	return cosine
}
