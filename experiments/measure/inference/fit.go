package inference

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A model gives κ of the pairs of a transition for parameters; each pair in order.
type model func(t *transition, parameters []float64, to []noise)

// Fit is an estimate of parameters by the largest likelihood.
type Fit struct {
	Values, Stderrs []float64
	covariance      *mat.Dense // of the values, parameters × parameters
	noise           model
	equal           bool // all tokens of a sequence take the same step
}

// attention is the model of attention and, where φ̂ is given, an MLP; the parameters are σ², β and c.
func attention(correlation func(z float64) float64) model {
	var weights [2][]float64
	return func(t *transition, parameters []float64, to []noise) {
		n := t.gram.SymmetricDim()
		for k := range weights {
			if len(weights[k]) < n {
				weights[k] = make([]float64, n)
			}
		}
		w, v := weights[0][:n], weights[1][:n]
		for k, p := range t.pairs {
			softmax(w, t.gram, p.i, parameters[1])
			softmax(v, t.gram, p.j, parameters[1])
			to[k] = common(t.gram, w, v, parameters[0])
			if correlation != nil {
				to[k] = to[k].add(parameters[2], correlation(p.before))
			}
		}
	}
}

// common is σ²⟨A_i, A_j⟩ of two tokens with these attention weights. Where they are nearly the same, the
// determinant is that of their mean and their difference, which has the weights' difference, of sum 0.
func common(gram *mat.SymDense, w, v []float64, sigma2 float64) noise {
	var own, both, other, mixed, apart float64 // mixed is ⟨A_i+A_j, A_i-A_j⟩, apart |A_i-A_j|²
	for a := range w {
		var toW, toV, toRest float64
		for b := range w {
			g := gram.At(a, b)
			toW += g * w[b]
			toV += g * v[b]
			toRest += (g - 1) * (w[b] - v[b])
		}
		own += w[a] * toW
		both += w[a] * toV
		other += v[a] * toV
		mixed += (w[a] + v[a]) * toRest
		apart += (w[a] - v[a]) * toRest
	}
	whole := own + 2*both + other
	return noise{sigma2 * own, sigma2 * both, sigma2 * other,
		sigma2 * sigma2 * (whole*apart - mixed*mixed) / 4}
}

// softmax is the attention of a token.
func softmax(w []float64, gram *mat.SymDense, i int, beta float64) {
	most, total := math.Inf(-1), 0.
	for j := range w {
		w[j] = beta * gram.At(i, j)
		most = max(most, w[j])
	}
	for j := range w {
		w[j] = math.Exp(w[j] - most)
		total += w[j]
	}
	for j := range w {
		w[j] /= total
	}
}

// ErrFew says that there are too few transitions for the parameters.
var ErrFew = errors.New("too few pairs of tokens move between overlaps -1 and 1 to infer anything")

// fewest is how many transitions there must be.
const fewest = 20

// Fit finds σ² and β, a layer's, and c where φ̂ of an MLP is given. Of sequences of two tokens β may as
// well be -β. Where all tokens take the same step β and c are 0, with standard errors that allow for what the
// steps differ by.
func (d *Data) Fit(correlation func(z float64) float64) (*Fit, error) {
	if len(d.transitions) < fewest {
		return nil, ErrFew
	}
	m := attention(correlation)
	if fit := d.equalSteps(m, correlation != nil); fit != nil {
		return fit, nil
	}
	return d.maximise(m, d.starts(m, correlation != nil)...)
}

// starts are parameters from which to go uphill, one for each of several β, as the likelihood may have a
// maximum on the wrong side of 0 beside the largest one. Positive ones come first: of two tokens the noise
// of β and -β is the same.
func (d *Data) starts(m model, mlp bool) (starts [][]float64) {
	square := d.tangentSquare()
	shares := []float64{0}
	if mlp {
		shares = []float64{0.2, 0.6}
	}
	for _, beta := range []float64{1, 3, -1} {
		var best []float64
		most := math.Inf(-1)
		for _, share := range shares {
			start := []float64{1, beta}
			if mlp {
				start = append(start, 0)
			}
			start[0] = (1 - share) * square / d.mean(m, start)
			if mlp {
				start[2] = share * square
			}
			if l := sum(d.logs(m, start)); l > most || best == nil {
				best, most = start, l
			}
		}
		starts = append(starts, best)
	}
	return starts
}

// tangentSquare estimates κ₁₁: the mean square of the steps, a dimension, seen from where they begin.
func (d *Data) tangentSquare() float64 {
	total, count := 0., 0.
	for _, t := range d.transitions {
		for _, p := range t.pairs {
			for _, cosine := range []float64{p.first, p.second} {
				cosine = max(cosine, 0.05)
				total += (1/(cosine*cosine) - 1) / float64(d.Dim-1)
				count++
			}
		}
	}
	return total / count
}

// mean is the mean of κ₁₁.
func (d *Data) mean(m model, parameters []float64) float64 {
	total, count := 0., 0.
	var to [mostPairs]noise
	for k := range d.transitions {
		t := &d.transitions[k]
		m(t, parameters, to[:])
		for p := range t.pairs {
			total += (to[p].first + to[p].second) / 2
			count++
		}
	}
	return total / count
}

// logs are the logarithms of the likelihoods of all pairs.
func (d *Data) logs(m model, parameters []float64) (logs []float64) {
	var to [mostPairs]noise
	for k := range d.transitions {
		t := &d.transitions[k]
		m(t, parameters, to[:])
		for p := range t.pairs {
			logs = append(logs, t.pairs[p].logDensity(to[p], d.Dim))
		}
	}
	return logs
}

func sum(x []float64) (total float64) {
	for _, v := range x {
		total += v
	}
	return total
}

// scores are the derivatives of logs by the parameters.
func (d *Data) scores(m model, parameters []float64) (scores [][]float64) {
	for k := range parameters {
		step := 1e-4 * (math.Abs(parameters[k]) + 0.01*parameters[0])
		at := func(x float64) []float64 {
			moved := append([]float64(nil), parameters...)
			moved[k] += x
			return d.logs(m, moved)
		}
		low, high := at(-step), at(step)
		for n := range high {
			high[n] = (high[n] - low[n]) / (2 * step)
		}
		scores = append(scores, high)
	}
	return scores
}

// products are Σ s sᵀ over pairs.
func products(scores [][]float64) *mat.SymDense {
	p := len(scores)
	total, one := mat.NewSymDense(p, nil), mat.NewVecDense(p, nil)
	for n := range scores[0] {
		for k := range p {
			one.SetVec(k, scores[k][n])
		}
		total.SymRankOne(total, 1, one)
	}
	return total
}

// groupProducts are Σ S Sᵀ over groups of pairs, with S = (1 - HI⁻¹)⁻¹Σs of those of a group, where H is the
// group's share of the information I: what the scores would be if the group had no part in the estimate, as
// the jackknife has it. Without it standard errors of few groups are too small.
func groupProducts(scores [][]float64, groups []int) (*mat.SymDense, error) {
	p := len(scores)
	information := products(scores)
	total := mat.NewSymDense(p, nil)
	for first := 0; first < len(groups); {
		last := first
		for last < len(groups) && groups[last] == groups[first] {
			last++
		}
		part, sums := make([][]float64, p), mat.NewVecDense(p, nil)
		for k := range p {
			part[k] = scores[k][first:last]
			sums.SetVec(k, sum(part[k]))
		}
		var inverse, kept mat.Dense
		if err := inverse.Inverse(information); err != nil {
			return nil, err
		}
		kept.Mul(products(part), &inverse)
		kept.Apply(func(i, j int, v float64) float64 {
			if i == j {
				return 1 - v
			}
			return -v
		}, &kept)
		var corrected mat.VecDense
		if err := corrected.SolveVec(&kept, sums); err != nil {
			return nil, err
		}
		total.SymRankOne(total, 1, &corrected)
		first = last
	}
	return total, nil
}

// ErrUndetermined says that the likelihood has no maximum within the numbers that are allowed.
var ErrUndetermined = errors.New("the states do not determine the parameters: the likelihood has no " +
	"maximum, as where an MLP is left out, tokens hardly move, or β is near 0 in two dimensions")

// alike is the difference of two log-likelihoods that are taken for the same: it says nothing, and is more
// than what the climb leaves.
const alike = 0.01

// maximise finds the largest of the maxima above the starts, the first of those that are alike, and
// standard errors. As the likelihood of a pair is exact, squares of scores estimate the second derivatives;
// those of the groups of pairs that depend on each other the variance of the scores.
func (d *Data) maximise(m model, starts ...[]float64) (*Fit, error) {
	var best []float64
	most := math.Inf(-1)
	for _, start := range starts {
		if x, value, _ := d.climb(m, start, few); value > most+alike {
			best, most = x, value
		}
	}
	if best == nil {
		return nil, ErrUndetermined
	}
	best, _, err := d.climb(m, best, many)
	if err != nil {
		return nil, err
	}
	return d.withErrors(m, best, d.scores(m, best))
}

// How many steps lead near a maximum, if there is one, and how many to it.
const (
	few  = 12
	many = 200
)

// climb goes uphill by scores and the sum of their squares, to a maximum and its value. Where there is none
// within so many steps it is an error, with the place that it came to.
func (d *Data) climb(m model, start []float64, steps int) (x []float64, value float64, err error) {
	x = slices.Clone(start)
	value = sum(d.logs(m, x))
	for range steps {
		scores := d.scores(m, x)
		gradient := mat.NewVecDense(len(x), nil)
		for k := range x {
			gradient.SetVec(k, sum(scores[k]))
		}
		var step mat.VecDense
		if err := step.SolveVec(products(scores), gradient); err != nil {
			return x, value, ErrUndetermined
		}
		gain := mat.Dot(&step, gradient)
		if !(gain < math.Inf(1)) {
			return x, value, ErrUndetermined
		}
		if gain < 1e-5 {
			return x, value, nil
		}
		moved, next := slices.Clone(x), math.Inf(-1)
		for size := 1.; size > 1e-4 && !(next > value); size /= 2 {
			for k := range x {
				moved[k] = x[k] + size*step.AtVec(k)
			}
			next = sum(d.logs(m, moved))
		}
		if !(next > value) {
			return x, value, nil
		}
		x, value = moved, next
	}
	return x, value, ErrUndetermined
}

// withErrors is the fit at a maximum.
func (d *Data) withErrors(m model, x []float64, scores [][]float64) (*Fit, error) {
	p := len(x)
	second := mat.NewDense(p, p, nil)
	for k := range x {
		step := 1e-3 * (math.Abs(x[k]) + 0.01*x[0])
		at := func(by float64) [][]float64 {
			moved := append([]float64(nil), x...)
			moved[k] += by
			return d.scores(m, moved)
		}
		low, high := at(-step), at(step)
		for l := range x {
			second.Set(k, l, -(sum(high[l])-sum(low[l]))/(2*step))
		}
	}
	var inverse, left, covariance mat.Dense
	if err := inverse.Inverse(second); err != nil {
		return nil, ErrUndetermined
	}
	middle, err := groupProducts(d.byGroup(scores))
	if err != nil {
		return nil, ErrUndetermined
	}
	left.Mul(&inverse, middle)
	covariance.Mul(&left, inverse.T())
	fit := &Fit{Values: x, covariance: &covariance, noise: m}
	for k := range x {
		v := covariance.At(k, k)
		if !(v > 0) || math.IsInf(v, 0) {
			return nil, ErrUndetermined
		}
		fit.Stderrs = append(fit.Stderrs, math.Sqrt(v))
	}
	return fit, nil
}

// group is that of a transition: what depends on each other are the pairs of a transition, or of a layer.
func (d *Data) group(transition int) int {
	if d.Common {
		return d.transitions[transition].layer
	}
	return transition
}

// byGroup are the scores with those of a group in a row, and the groups.
func (d *Data) byGroup(scores [][]float64) (sorted [][]float64, groups []int) {
	for k, t := range d.transitions {
		for range t.pairs {
			groups = append(groups, d.group(k))
		}
	}
	order := make([]int, len(groups))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return groups[a] - groups[b] })
	for _, of := range scores {
		one := make([]float64, len(order))
		for n, from := range order {
			one[n] = of[from]
		}
		sorted = append(sorted, one)
	}
	slices.Sort(groups)
	return sorted, groups
}
