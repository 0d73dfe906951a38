package stack

// The weights of an attention row are random, and so are the averages of tokens that attention computes. To
// first order in the scores, the average of row t of a head is mₜ + ηₜ with the mean mₜ of the n tokens
// attended to and ηₜ = S CₜGxₜ/n, where the entries of G are independent and normal, and Cₜ is the scatter
// matrix of those tokens. If their differences are orthogonal and of squared norm κ, Cₜ is κ times a
// projection. The squared norms M and D of the averages (see components) have fluctuations due to |ηₜ|² and,
// with causal attention, due to the products of ηₜ with the mean m of all averages, which have opposite
// signs in M and D. Both are the smaller the more heads there are.

// rowSums are sums over attention rows, on which the fluctuations of M and D of averages depend. The sums
// own are over rows, and the sums pairs over pairs of rows, which are alike if their queries are.
type rowSums struct {
	// Sums of Bₜ/n², and of Bₜ/(nₜnᵤ) for nₜ ≤ nᵤ, where κBₜ is the square of the projection of m.
	linearOwn, linearPairs float64
	squareOwn, squarePairs float64 // relative variances of Σ|ηₜ|²
}

func newRowSums(s Architecture) (r rowSums) {
	tokens := float64(s.Tokens)
	if !s.Causal {
		// The queries have one part in common, which does not contribute to D, and T-1 others.
		r.squareOwn = 2 / float64((tokens-1)*(tokens-1))
		r.squarePairs = r.squareOwn
		return r
	}
	later, squares := 0.0, 0.0 // sums of 1/u and 1/u² over the rows u after row t
	for t := tokens; t > 1; t-- {
		later += 1 / t
		squares += 1 / float64(t*t)
	}
	share := (1 + later) / tokens // of token t in m
	sum, sumOfSquares, mean := 0.0, 0.0, 0.0
	for t := 1.; t <= tokens; t++ {
		if t > 1 {
			later -= 1 / t
			squares -= 1 / float64(t*t)
		}
		sum += share
		sumOfSquares += float64(share * share)
		projection := max(0, sumOfSquares-float64(sum*sum)/t)
		r.linearOwn += projection / float64(t*t)
		r.linearPairs += float64(projection * (1/t + 2*later) / t)
		inverse := 1 / float64(t*t)
		mean += float64((t - 1) * inverse)
		r.squareOwn += float64(2 * (t - 1) * inverse * inverse)
		r.squarePairs += float64(2 * (t - 1) * inverse * (inverse + float64(2*squares)))
		share -= 1 / float64(tokens*t)
	}
	r.squareOwn /= float64(mean * mean)
	r.squarePairs /= float64(mean * mean)
	return r
}

// rowCovariance returns the covariance of log M and log D of the attention output, whose means are out, due
// to the random weights of attention rows.
func (k *Stack) rowCovariance(b *branch, out components) covariance {
	s, t := k.architecture, float64(k.architecture.Tokens)
	if s.Heads == 0 || !(out.common > 0 && out.differences > 0) {
		return covariance{}
	}
	square := k.groups.meanSquare(b.input.square)
	gap := max(0, square-k.groups.mean(b.input.inner))
	rho := max(0, k.groups.mean(b.input.normalised().inner))
	heads, weights := float64(s.Heads), float64(s.Value2*s.Projection2)
	y2 := k.groups.meanSquare(b.participation) / t
	// E ΣAz is s(1-Y2), and s(1-1/T) for small scores.
	deviation := float64(k.scoreDeviation(b.input)*max(0, 1-y2)) / (1 - 1/t)
	rows := k.groups.rows
	linear := float64(4*deviation*deviation) * float64(gap*gap*weights*weights) / float64(t*t*heads) *
		(float64((1-rho)*rows.linearOwn) + float64(rho*rows.linearPairs))
	squares := (float64((1-float64(rho*rho))*rows.squareOwn) + float64(rho*rho*rows.squarePairs)) / heads
	common, differences := k.shareOfRows(b, out)
	opposite := t / (t - 1)
	return covariance{
		common: float64(2/(t-1)/heads*common*common) + linear/float64(out.common*out.common),
		cross:  -float64(opposite*linear) / float64(out.common*out.differences),
		differences: float64(squares*differences*differences) +
			float64(opposite*opposite*linear)/float64(out.differences*out.differences),
	}
}

// shareOfRows returns the fractions of M and D of the attention output, whose means are out, that would be
// missing if all weights of a row were equal.
func (k *Stack) shareOfRows(b *branch, out components) (common, differences float64) {
	equal := k.architecture
	equal.QueryKey2 = 0
	mixed, _ := k.groups.attentionAverage(b.input, equal, b.freedom)
	values := mixed.plus(float64(equal.Value2*equal.Projection2), 0, mixed)
	p := k.componentsOf(values.plusCommon(equal.outputBias()))
	return max(0, 1-p.common/out.common), max(0, 1-p.differences/out.differences)
}
