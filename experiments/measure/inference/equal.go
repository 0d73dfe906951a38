package inference

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// If attention ignores the scores (β = 0), all tokens X₁, X₂, … of a sequence take the same step F. The
// likelihood then has no maximum: it grows without bound as β tends to 0. In three or more dimensions,
// however, the equation r₁X₁'-X₁ = F = r₂X₂'-X₂ with tokens X₁', X₂' after the layer determines F and the
// lengths r₁ and r₂, and F determines σ².

// sameStep describes the step of a pair of tokens under the assumption that both tokens take the same step F.
type sameStep struct {
	square float64 // |F|² at the lengths r₁, r₂ of the closest steps
	apart  float64 // squared distance of the closest steps; noise gives it d-2 degrees of freedom
}

// sameStepOf returns the common step of two tokens x and y that become u and v in a layer. All four vectors
// have length 1, and u and v are not parallel.
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

// leastBeta is the value of β below which the steps of all tokens are considered equal. With rounding to
// single precision, β = 0 appears as about 1e-4.
const leastBeta = 0.01

// equalSteps returns the fit with β = 0, and with c = 0 if there is an MLP, for data in which all tokens of a
// sequence take the same step. The result is nil if the steps of tokens differ by more than they would at β =
// leastBeta. The result is also nil in two dimensions, where equal steps exist for all tokens. The standard
// error of β is the value of β that alone would explain the whole difference of the steps, and the standard
// error of c is the value of c that alone would explain this difference.
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

// difference returns the sum over pairs of tokens of the variance, per coordinate, of the difference of the
// two tokens' steps.
func (d *Data) difference(m model, parameters []float64) (total float64) {
	for _, to := range d.noises(m, parameters) {
		for _, n := range to {
			total += n.first + n.second - 2*n.both
		}
	}
	return total
}

// stepVariance returns the mean over transitions of |F|²/d divided by scale, where F is the common step of
// the tokens of dimension d. The standard error of the mean is computed over groups of dependent transitions.
func (d *Data) stepVariance(scale func(t *transition) float64) (mean, stderr float64) {
	all := make([]float64, len(d.transitions))
	for k := range d.transitions {
		t := &d.transitions[k]
		best := t.pairs[0] // the pair whose tokens differ most after the layer
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
