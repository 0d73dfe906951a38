package inference

import (
	"maps"
	"math"
	"slices"

	"antipode/experiments/internal/statistics"
	"antipode/internal/lists"
)

// Bin holds estimates of κ₁₁ and κ₁₂, the variance and the covariance of the noise of two tokens in a layer,
// from pairs of tokens of nearly equal overlap. The estimates assume no model of attention.
type Bin struct {
	Overlap                          float64 // mean overlap of the pairs before the layer
	Own, OwnStderr, Both, BothStderr float64
	FittedOwn, FittedBoth            float64 // means of the fitted κ₁₁ and κ₁₂ of the pairs
}

// Bins is the greatest number of bins of the overlap in Curve. Each bin has pairs from at least fewest
// transitions.
const Bins = 10

// Curve estimates the variance κ₁₁ and the covariance κ₁₂ of the noise of two tokens as functions of their
// overlap, in bins with equal numbers of pairs. A value is NaN if the pairs of its bin do not determine it.
func (d *Data) Curve(f *Fit) (bins []Bin) {
	var all []float64
	for _, t := range d.transitions {
		for _, p := range t.pairs {
			all = append(all, p.before)
		}
	}
	slices.Sort(all)
	count := min(Bins, len(all)/(2*fewest))
	for k := range count {
		low, high := all[k*len(all)/count], math.Inf(1)
		if k+1 < count {
			high = all[(k+1)*len(all)/count]
		}
		bins = append(bins, d.within(low, high).bin(f))
	}
	return bins
}

// within returns data with only those pairs of tokens whose overlap before the layer is at least low and
// below high.
func (d *Data) within(low, high float64) *Data {
	part := &Data{Dim: d.Dim, Common: d.Common}
	for _, t := range d.transitions {
		pairs := lists.Filter(t.pairs, func(p pair) bool { return p.before >= low && p.before < high })
		if t.pairs = pairs; len(pairs) > 0 {
			part.transitions = append(part.transitions, t)
		}
	}
	return part
}

// bin estimates κ₁₁ and κ₁₂ as constants for all pairs of tokens in the data.
func (d *Data) bin(f *Fit) Bin {
	b, count := Bin{Own: math.NaN(), OwnStderr: math.NaN(), Both: math.NaN(), BothStderr: math.NaN()}, 0.
	for t, to := range d.noises(f.noise, f.Values) {
		for n, p := range t.pairs {
			b.Overlap += p.before
			b.FittedOwn += (to[n].first + to[n].second) / 2
			b.FittedBoth += to[n].both
			count++
		}
	}
	b.Overlap, b.FittedOwn, b.FittedBoth = b.Overlap/count, b.FittedOwn/count, b.FittedBoth/count
	if f.equal {
		b.Own, b.OwnStderr = d.stepVariance(func(*transition) float64 { return 1 })
		b.Both, b.BothStderr = b.Own, b.OwnStderr
		return b
	}
	// The entries of x are κ₁₁ and κ₁₁-κ₁₂, because the difference may be much smaller than κ₁₁.
	constant := func(t *transition, x []float64, to []noise) {
		for k := range t.pairs {
			to[k] = noise{x[0], x[0] - x[1], x[0], x[1] * (2*x[0] - x[1])}
		}
	}
	fit, err := d.maximise(constant, []float64{b.FittedOwn, b.FittedOwn - b.FittedBoth})
	if err == nil {
		c := fit.covariance
		b.Own, b.Both = fit.Values[0], fit.Values[0]-fit.Values[1]
		b.OwnStderr, b.BothStderr = fit.Stderrs[0], math.Sqrt(c.At(0, 0)+c.At(1, 1)-c.At(0, 1)-c.At(1, 0))
	}
	return b
}

// Step holds the drift and the variance of the overlap of two tokens in a layer, estimated over pairs of
// tokens. A Step also holds the drift and the variance that the fitted κ gives to first order in κ. Standard
// errors are computed over sequences.
type Step struct {
	Layer                                        int
	Drift, DriftStderr, Variance, VarianceStderr float64
	FittedDrift, FittedVariance                  float64
}

// Steps returns the drift and the variance of the overlap in each layer, in the order of layers. The variance
// is that of the increments about the fitted drift.
func (d *Data) Steps(f *Fit) (steps []Step) {
	byLayer := map[int][][2]float64{} // by sequence: mean increment and squared deviation
	fitted := map[int]*[3]float64{}
	for t, to := range d.noises(f.noise, f.Values) {
		if fitted[t.layer] == nil {
			fitted[t.layer] = &[3]float64{}
		}
		var one [2]float64
		for n, p := range t.pairs {
			drift := to[n].drift(d.Dim, p.before)
			one[0] += (p.after - p.before) / float64(len(t.pairs))
			one[1] += (p.after - p.before - drift) * (p.after - p.before - drift) / float64(len(t.pairs))
			fitted[t.layer][0] += drift / float64(len(t.pairs))
			fitted[t.layer][1] += to[n].variance(p.before) / float64(len(t.pairs))
		}
		fitted[t.layer][2]++
		byLayer[t.layer] = append(byLayer[t.layer], one)
	}
	for _, layer := range slices.Sorted(maps.Keys(byLayer)) {
		drift := statistics.EstimateOf(byLayer[layer], func(x [2]float64) float64 { return x[0] })
		variance := statistics.EstimateOf(byLayer[layer], func(x [2]float64) float64 { return x[1] })
		f := fitted[layer]
		steps = append(steps, Step{Layer: layer, Drift: drift.Value, DriftStderr: drift.Stderr,
			Variance: variance.Value, VarianceStderr: variance.Stderr,
			FittedDrift: f[0] / f[2], FittedVariance: f[1] / f[2]})
	}
	return steps
}

// Transitions returns the number of transitions that have been added. A transition is the step of the tokens
// of a sequence through a layer.
func (d *Data) Transitions() int { return len(d.transitions) }
