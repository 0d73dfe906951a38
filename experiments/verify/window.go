package verify

import (
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// softmaxWindow compares the outcomes inside the window with the Fokker-Planck equation at
// a horizon, as they are slow, and takes the slopes next to the ends below, in and above it.
func softmaxWindow(l *laboratory, r *report) error {
	const beta = 1
	const trajectories, depth, horizon = 400, 150, 50
	c := hybridPair(beta, 1.2, sde.Softmax, depth, sde.UniformStart{})
	diffusion, err := overlap.NewHybrid(c.Dim, beta, overlap.Softmax, 1.2)
	if err != nil {
		return err
	}
	laws, err := fokkerplanck.Uniform(diffusion, []float64{horizon}, 1e-6)
	if err != nil {
		return err
	}
	seen, err := atLayer(l, c, trajectories, horizon*depth, seePair)
	if err != nil {
		return err
	}
	for _, x := range []struct {
		outcome sphere.Outcome
		p       float64
	}{{sphere.Antipodal, laws[0].Antipodal(tolerance).Value}, {sphere.Single, laws[0].Single(tolerance).Value}} {
		n := count(seen, func(p pair) bool { return outcomeOf(p) == x.outcome })
		r.binomial(x.outcome.String()+" at time 50, "+describe(c), x.p, n, trajectories, hybridShift/depth)
	}
	for _, x := range []struct{ epsilon, horizon, end float64 }{{1.2, 0.43648, 0.71702256}, {1.3, 0.78013, 0.88637863}} {
		if diffusion, err = overlap.NewHybrid(c.Dim, beta, overlap.Softmax, x.epsilon); err != nil {
			return err
		}
		if laws, err = fokkerplanck.Uniform(diffusion, []float64{horizon}, 1e-6); err != nil {
			return err
		}
		r.equal("theory at time 50, ε="+number(x.epsilon), x.horizon, laws[0].Antipodal(tolerance).Value, 1e-5)
		r.equal("theory in the end, ε="+number(x.epsilon), x.end, diffusion.AntipodalUniform().Value, 1e-8)
	}
	for _, epsilon := range []float64{0.9, 1.2, 1.6} {
		attracting := [2]bool{square(epsilon) > 1+elementary.Exp(-2*beta), square(epsilon) < 2}
		if err := hybridSlopes(l, r, hybridPair(beta, epsilon, sde.Softmax, depth, nil), attracting); err != nil {
			return err
		}
	}
	return nil
}
