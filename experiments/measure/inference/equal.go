package inference

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Where all tokens of a sequence take the same step F, as of attention that does not look at scores (β = 0),
// the likelihood has no maximum: it grows beyond all bounds as β goes to 0. But in three dimensions and more
// r₁X₁'-X₁ = F = r₂X₂'-X₂ determines F, and with it σ².

// sameStep is the step of a pair as if both tokens took the same one.
type sameStep struct {
	square float64 // |F|², of the lengths r with which the two steps are nearest
	apart  float64 // their squared distance then, which noise gives d-2 dimensions
}

// sameStepOf is that of tokens x and y that become u and v, all of length 1, u and v not parallel.
func sameStepOf(x, y, u, v mat.Vector) sameStep {
	var rest, apart, step mat.VecDense
	both := mat.Dot(u, v)
	rest.AddScaledVec(v, -both, u)
	apart.SubVec(x, y)
	second := mat.Dot(&apart, &rest) / mat.Dot(&rest, &rest)
	first := mat.Dot(&apart, u) - second*both
	apart.AddScaledVec(&apart, -second, v)
	apart.AddScaledVec(&apart, -first, u)
	step.ScaleVec(first, u)
	step.SubVec(&step, x)
	return sameStep{square: mat.Dot(&step, &step), apart: mat.Dot(&apart, &apart)}
}

// leastBeta is the β below which steps are taken for equal. Rounding to single precision makes some 1e-4 of
// 0.
const leastBeta = 0.01

// equalSteps is the fit of β = 0, and c = 0 where there is an MLP, if the steps of tokens differ by no more
// than those of β = leastBeta would; else nil, as in two dimensions, where steps that are equal exist for all
// tokens. The standard errors of β and c are the values that would make all of the difference.
func (d *Data) equalSteps(m model, mlp bool) *Fit {
	if d.Dim < 3 {
		return nil
	}
	apart := 0.
	for _, t := range d.transitions {
		for _, p := range t.pairs {
			apart += p.same.apart / float64(d.Dim-2)
		}
	}
	attended := []float64{1, 0, 0}
	sigma2, stderr := d.stepVariance(func(t *transition) float64 {
		var to [mostPairs]noise
		m(t, attended, to[:])
		return to[0].first
	})
	beta := leastBeta * math.Sqrt(apart/d.difference(m, []float64{sigma2, leastBeta, 0}))
	if !(beta < leastBeta) {
		return nil
	}
	f := &Fit{Values: []float64{sigma2, 0}, Stderrs: []float64{stderr, beta}, noise: m, equal: true}
	if mlp {
		f.Values = append(f.Values, 0)
		f.Stderrs = append(f.Stderrs, apart/d.difference(m, []float64{0, 0, 1}))
	}
	return f
}

// difference is the sum over pairs of the variance, in a coordinate, of the difference of their steps.
func (d *Data) difference(m model, parameters []float64) (total float64) {
	var to [mostPairs]noise
	for k := range d.transitions {
		t := &d.transitions[k]
		m(t, parameters, to[:])
		for _, n := range to[:len(t.pairs)] {
			total += n.first + n.second - 2*n.both
		}
	}
	return total
}

// stepVariance is the mean over transitions of |F|²/d over a scale, with its standard error over groups of
// transitions that depend on each other.
func (d *Data) stepVariance(scale func(t *transition) float64) (mean, stderr float64) {
	all := make([]float64, len(d.transitions))
	for k := range d.transitions {
		t := &d.transitions[k]
		best := t.pairs[0] // whose directions after the layer are the most different
		for _, p := range t.pairs {
			if math.Abs(p.after) < math.Abs(best.after) {
				best = p
			}
		}
		all[k] = best.same.square / float64(d.Dim) / scale(t)
		mean += all[k] / float64(len(all))
	}
	groups := map[int]float64{}
	for k, x := range all {
		groups[d.group(k)] += x - mean
	}
	for _, x := range groups {
		stderr += x * x
	}
	n := float64(len(groups))
	return mean, math.Sqrt(stderr*n/(n-1)) / float64(len(all))
}
