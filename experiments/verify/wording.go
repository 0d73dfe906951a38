package verify

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
)

// figure3Depth: the two readings differ by a factor 500 in the layers of a trajectory. At
// depth 100 the fractions are those of infinite depth within what the figure shows.
func figure3Depth(l *laboratory, r *report) error {
	figure3 := l.figure3()
	r.equal("layers of Fig. 3 as phase --paper has it", 50_000, float64(figure3.Depth)*figure3.Horizon, 0)
	r.refute(50_000 * 500) // at depth 50,000
	const depth, trajectories, decided = 100, 3000, 40
	for _, c := range []sde.Cell{uniformPair(4, 1.5, depth), uniformPair(6, 2.5, depth)} {
		counts, law, err := outcomes(l, c, trajectories, decided)
		if err != nil {
			return err
		}
		r.binomial("antipodal, "+describe(c)+" L=100", law.Antipodal(tolerance).Value, counts[sphere.Antipodal], trajectories, depthShift/depth)
	}
	return nil
}

// conjecture follows clusters from overlap -1, and three tokens from uniform starts.
func conjecture(l *laboratory, r *report) error {
	const depth, trajectories = 100, 1000
	c := clusters(1, 2, 4, 1.5, depth)
	diffusion, err := diffusionOf(c)
	if err != nil {
		return err
	}
	horizons := []float64{5, 15}
	laws, err := fokkerplanck.From(diffusion, -1, horizons, 1e-5)
	if err != nil {
		return err
	}
	seen, err := observe(l, c, trajectories, []int64{5 * depth, 15 * depth}, seePair)
	if err != nil {
		return err
	}
	for k, law := range laws {
		single := count(seen[k], together)
		r.binomial("one cluster at time "+number(law.Time)+", "+describe(c), law.Single(tolerance).Value, single, trajectories, 4*depthShift/depth)
		r.refute(0)
	}
	equal := clusters(2, 2, 4, 1.5, depth)
	equal.Method = sde.Tokens // which have roundings to part them
	pairs, err := atLayer(l, equal, 100, 50*depth, seePair)
	if err != nil {
		return err
	}
	r.never("parted at time 50, "+describe(equal), count(pairs, func(p pair) bool { return outcomeOf(p) != sphere.Antipodal }), len(pairs))

	return threeTokens(l, r)
}

// threeTokens compares the antipodal fraction of three tokens, which are one against two, at
// four times with that of another program and its standard errors.
func threeTokens(l *laboratory, r *report) error {
	const depth, trajectories = 100, 2000
	references := [4]struct {
		time             float64
		fraction, stderr float64
	}{{20, 0.260, 0.005}, {100, 0.129, 0.005}, {200, 0.047, 0.0033}, {400, 0.0070, 0.0013}}
	var times []int64
	for _, x := range references {
		times = append(times, int64(x.time)*depth)
	}
	c := tokens(3, 4, 2.5, depth)
	type row struct {
		antipodal [len(references)]bool
		next      int
	}
	rows, err := follow(l, c, trajectories, times, func(r *row, v *sde.View) {
		r.antipodal[r.next] = classify(v).outcome == sphere.Antipodal
		r.next++
	}, func(v *sde.View) bool { return classify(v).outcome == sphere.Single }) // for ever
	if err != nil {
		return err
	}
	for k, x := range references {
		fraction := float64(count(rows, func(r row) bool { return r.antipodal[k] })) / trajectories
		own := math.Sqrt(x.fraction * (1 - x.fraction) / trajectories)
		r.normal("antipodal at time "+number(x.time)+", "+describe(c), x.fraction, estimate{fraction, math.Hypot(own, x.stderr)}, 0.02, 0)
	}
	return nil
}

// figure8Wording takes β = 0.8 and 1.2; the paper does not print its own. The third
// panel's words, that only d < 6 lie above the threshold at β = 1, are right.
func figure8Wording(l *laboratory, r *report) error {
	const trajectories, depth = 2000, 50
	for _, x := range []struct {
		cell      sde.Cell
		horizon   float64
		allowance float64
		printed   float64 // none, or some share
	}{{uniformPair(4, 0.8, depth), 40, depthShift / depth, 0}, {uniformPair(10, 1.2, depth), 60, 0.001, 0.05}} {
		counts, law, err := outcomes(l, x.cell, trajectories, x.horizon)
		if err != nil {
			return err
		}
		r.binomial("antipodal, "+describe(x.cell), law.Antipodal(tolerance).Value, counts[sphere.Antipodal], trajectories, x.allowance)
		r.refute(x.printed)
	}
	for _, x := range []struct {
		dim      int
		critical float64
	}{{4, math.Acosh(2) / 2}, {10, math.Acosh(8) / 2}} {
		critical, _ := overlap.CriticalBeta(x.dim)
		r.equal("β_c, "+dimension(x.dim), x.critical, critical, 1e-12)
		r.refute(1)
	}
	five, _ := overlap.CriticalBeta(5)
	six, _ := overlap.CriticalBeta(6)
	r.equal("d = 5 above and d = 6 below at β = 1", 1, sign(five < 1 && six > 1), 0)
	return nil
}
