package inference

import (
	"errors"
	"iter"
	"math"
	"slices"

	"antipode/internal/lists"

	"gonum.org/v1/gonum/mat"
)

// A model is a function that computes, from the parameters, the noise κ of each pair of tokens of a
// transition, in order.
type model func(t *transition, parameters []float64, to []noise)

// noises iterates over the transitions with the noise κ of each pair of tokens. The noise is valid only until
// the next transition.
func (d *Data) noises(m model, parameters []float64) iter.Seq2[*transition, []noise] {
	return func(yield func(*transition, []noise) bool) {
		var to [mostPairs]noise
		for k := range d.transitions {
			t := &d.transitions[k]
			m(t, parameters, to[:])
			if !yield(t, to[:len(t.pairs)]) {
				return
			}
		}
	}
}

// Fit is a maximum likelihood estimate of the parameters of the Markov chain that hidden states would follow
// if layers were random.
type Fit struct {
	Values, Stderrs []float64
	covariance      *mat.Dense // covariance of the values, a square matrix
	noise           model
	equal           bool // whether all tokens of a sequence take the same step
}

// attention returns the model of attention. If the correlation function φ̂ of an MLP is given, the model also
// has the MLP. The parameters are σ², β and the strength c of the MLP.
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

// common returns the noise σ²⟨A_i, A_j⟩ of two tokens i and j with attention A_i and A_j, whose attention
// weights are w and v. If the weights are nearly equal, the determinant of the noise is computed from the
// mean and the difference of A_i and A_j. The weights of the difference sum to 0.
func common(gram *mat.SymDense, w, v []float64, sigma2 float64) noise {
	var own, both, other, mixed, apart float64 // mixed is ⟨A_i+A_j, A_i-A_j⟩; apart is |A_i-A_j|²
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

// softmax computes the attention weights w of token i from the inner products of tokens.
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

// ErrFew is the error for data with too few transitions to estimate the parameters.
var ErrFew = errors.New("too few pairs of tokens move between overlaps -1 and 1 to infer anything")

// fewest is the least number of transitions from which parameters are estimated.
const fewest = 20

// Fit estimates σ², β and, if the correlation function φ̂ of an MLP is given, the strength c of the MLP; the
// values are per layer. Sequences of two tokens do not determine the sign of β. If all tokens of a sequence
// take the same step, the estimates of β and c are 0; their standard errors allow for the differences between
// the steps.
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

// starts returns starting points for the maximisation of the likelihood, one for each of several values of β.
// Several starting points are needed because the likelihood may have a smaller maximum on the wrong side of β
// = 0. Positive values of β come first, because for two tokens β and -β have the same noise.
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
			if l := lists.Sum(d.logs(m, start)); l > most || best == nil {
				best, most = start, l
			}
		}
		starts = append(starts, best)
	}
	return starts
}

// tangentSquare estimates κ₁₁, the variance of the noise of a token, as the mean square of a tangential
// coordinate of the steps.
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

// mean returns the mean of κ₁₁, the variance of the noise of a token, over all pairs of tokens.
func (d *Data) mean(m model, parameters []float64) float64 {
	total, count := 0., 0.
	for _, to := range d.noises(m, parameters) {
		for _, n := range to {
			total += (n.first + n.second) / 2
			count++
		}
	}
	return total / count
}

// logs returns the log-likelihood of each pair of tokens.
func (d *Data) logs(m model, parameters []float64) (logs []float64) {
	for t, to := range d.noises(m, parameters) {
		for p := range t.pairs {
			logs = append(logs, t.pairs[p].logDensity(to[p], d.Dim))
		}
	}
	return logs
}

// scores returns the derivatives of the log-likelihood of each pair of tokens with respect to the parameters.
func (d *Data) scores(m model, parameters []float64) (scores [][]float64) {
	for k := range parameters {
		step := 1e-4 * (math.Abs(parameters[k]) + 0.01*parameters[0])
		low, high := d.logs(m, moved(parameters, k, -step)), d.logs(m, moved(parameters, k, step))
		for n := range high {
			high[n] = (high[n] - low[n]) / (2 * step)
		}
		scores = append(scores, high)
	}
	return scores
}

// moved returns a copy of the parameters in which the k-th parameter is increased by the given amount.
func moved(parameters []float64, k int, by float64) []float64 {
	parameters = slices.Clone(parameters)
	parameters[k] += by
	return parameters
}

// products returns the sum of s sᵀ over pairs of tokens, where s is the vector of scores of a pair.
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

// groupProducts returns the sum of S Sᵀ over groups of dependent pairs of tokens. For a group, S = (1 -
// HI⁻¹)⁻¹Σs sums the scores s of its pairs, and H is the contribution of the group to the information I. As
// in the jackknife, S is what the sum of the scores would be if the group had not contributed to the
// estimate. Without the factor (1 - HI⁻¹)⁻¹, standard errors from few groups are too small.
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
			sums.SetVec(k, lists.Sum(part[k]))
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

// ErrUndetermined means that the likelihood has no maximum in the allowed range of parameters.
var ErrUndetermined = errors.New("the states do not determine the parameters: the likelihood has no " +
	"maximum, as where an MLP is left out, tokens hardly move, or β is near 0 in two dimensions")

// alike is the difference below which two log-likelihoods are considered equal. A difference of this size is
// not significant, but is larger than the error of the maximisation.
const alike = 0.01

// maximise finds the largest of the maxima of the likelihood that are reached from the starting points, with
// standard errors of the parameters. If several maxima are alike, maximise takes the first. The likelihood of
// a pair of tokens is exact, so that squared scores estimate the second derivatives. The variance of the
// scores is estimated from their sums over groups of dependent pairs.
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

// The number of steps that suffices to come near a maximum of the likelihood, if there is one (few), and the
// number that suffices to reach the maximum (many).
const (
	few  = 12
	many = 200
)

// climb maximises the likelihood by steps that are computed from the scores and the sum of their squares.
// climb returns the maximum and the log-likelihood at the maximum. If climb finds no maximum within the given
// number of steps, climb returns an error and the last point.
func (d *Data) climb(m model, start []float64, steps int) (x []float64, value float64, err error) {
	x = slices.Clone(start)
	value = lists.Sum(d.logs(m, x))
	for range steps {
		scores := d.scores(m, x)
		gradient := mat.NewVecDense(len(x), nil)
		for k := range x {
			gradient.SetVec(k, lists.Sum(scores[k]))
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
			next = lists.Sum(d.logs(m, moved))
		}
		if !(next > value) {
			return x, value, nil
		}
		x, value = moved, next
	}
	return x, value, ErrUndetermined
}

// withErrors returns the fit at a maximum of the likelihood, with standard errors of the parameters.
func (d *Data) withErrors(m model, x []float64, scores [][]float64) (*Fit, error) {
	p := len(x)
	second := mat.NewDense(p, p, nil)
	for k := range x {
		step := 1e-3 * (math.Abs(x[k]) + 0.01*x[0])
		low, high := d.scores(m, moved(x, k, -step)), d.scores(m, moved(x, k, step))
		for l := range x {
			second.Set(k, l, -(lists.Sum(high[l])-lists.Sum(low[l]))/(2*step))
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

// group returns the index of the group to which a transition belongs. The pairs of tokens of a group depend
// on each other. A group has the pairs of one transition or, if all sequences pass through the same layers,
// the pairs of one layer.
func (d *Data) group(transition int) int {
	if d.Common {
		return d.transitions[transition].layer
	}
	return transition
}

// byGroup returns the scores sorted by group, and the group of each score.
func (d *Data) byGroup(scores [][]float64) (sorted [][]float64, groups []int) {
	for k, t := range d.transitions {
		for range t.pairs {
			groups = append(groups, d.group(k))
		}
	}
	order := lists.Of(len(groups), func(n int) int { return n })
	slices.SortStableFunc(order, func(a, b int) int { return groups[a] - groups[b] })
	for _, of := range scores {
		one := lists.Map(order, func(from int) float64 { return of[from] })
		sorted = append(sorted, one)
	}
	slices.Sort(groups)
	return sorted, groups
}
