package stack

import "math"

// Gradients are mean squared Frobenius norms of the derivatives of the tokens after the last layer with
// respect to the matrices of one layer, averaged over networks.
type Gradients struct {
	Query, Key, Value, Projection float64
	Hidden, Output                float64 // with respect to the first and the second matrix of the MLP
	Input                         float64 // with respect to the tokens before the layer
}

// Backward returns the mean squared gradients of every layer, beginning with the first layer. The
// differentiated function is a linear combination of the coordinates after the last layer, with independent
// standard normal coefficients. Derivatives are propagated through values, MLPs, LayerNorms and skip
// connections. Propagation of derivatives through attention scores is neglected, as it is of order S²/T for T
// tokens and scores of spread S if attention is spread. Backward treats the weights of the backward pass as
// independent of the forward pass. Derivatives with respect to queries and keys assume spread attention and
// wide heads. Backward returns an error if the tokens become 0 or overflow.
func (k *Stack) Backward() ([]Gradients, error) {
	all, _, err := k.branches()
	if err != nil {
		return nil, err
	}
	g := newGram(len(k.groups.count))
	for i := range g.square {
		g.square[i] = 1 // the coefficients of all coordinates of all tokens are independent
	}
	gradients := make([]Gradients, len(all))
	for l := len(all) - 1; l >= 0; l-- {
		for b := 1; b >= 0; b-- {
			part := &all[l][b]
			if k.architecture.Norm == PostNorm { // LayerNorm divides by the norm of the sum
				sum := part.before.plus(part.skip2, part.strength2, part.output)
				g = g.dividedBy(sum.square)
			}
			passed := g.plus(0, part.strength2, g)
			if k.architecture.Norm == PeriNorm {
				passed = passed.dividedBy(part.raw)
			}
			var back gram
			if b == 1 {
				back = k.backMLP(part, passed, &gradients[l])
			} else {
				back = k.backAttention(part, passed, &gradients[l])
			}
			if k.architecture.Norm != PostNorm {
				back = back.dividedBy(part.before.square)
			}
			g = g.plus(part.skip2, 1, back)
		}
		d := float64(k.architecture.Dim)
		gradients[l].Input = float64(d*float64(k.architecture.Tokens)) * k.groups.meanSquare(g.square)
	}
	return gradients, nil
}

// dividedBy returns the geometry of vectors after division of the vectors of each group i by the square root
// of square[i].
func (k gram) dividedBy(square []float64) gram {
	out := newGram(len(k.square))
	for i := range k.square {
		out.square[i] = k.square[i] / square[i]
		for j := range k.square {
			out.inner[i][j] = k.inner[i][j] / math.Sqrt(float64(square[i]*square[j]))
		}
	}
	return out
}

// frobenius returns the Frobenius inner product of two T×T Gram matrices of all T tokens, given by groups:
// the sum of the products of corresponding entries over all pairs of tokens, including pairs of a token with
// itself.
func (g *groups) frobenius(x, y gram) float64 {
	sum := 0.0
	for i, n := range g.count {
		sum += float64(n * x.square[i] * y.square[i])
		for j, m := range g.count {
			if i == j {
				m--
			}
			sum += float64(float64(n*m) * float64(x.inner[i][j]*y.inner[i][j]))
		}
	}
	return sum
}

// mapCosines averages the function f over the cosines of normalised tokens of geometry k, and applies f to 1
// for the squared norms. The cosines ρ of pairs of tokens of the given number of degrees of freedom scatter
// around their mean by a standard deviation of (1-ρ²)/√freedom. The mean of f at the ends of this range is
// exact if f is quadratic.
func (k gram) mapCosines(f func(rho float64) float64, freedom float64) gram {
	out := newGram(len(k.square))
	one := f(1)
	for i := range k.square {
		out.square[i] = one
		for j := range i + 1 {
			rho := min(k.inner[i][j], 1)
			if deviation := (1 - float64(rho*rho)) / math.Sqrt(freedom); deviation > 0 {
				out.inner[i][j] = 0.5 * (f(max(rho-deviation, -1)) + f(min(rho+deviation, 1)))
			} else {
				out.inner[i][j] = f(rho)
			}
			out.inner[j][i] = out.inner[i][j]
		}
	}
	return out
}

// hadamard returns the product, entry by entry, of two geometries, multiplied by a factor.
func (k gram) hadamard(factor float64, l gram) gram {
	out := newGram(len(k.square))
	for i := range k.square {
		out.square[i] = float64(factor*k.square[i]) * l.square[i]
		for j := range k.square {
			out.inner[i][j] = float64(factor*k.inner[i][j]) * l.inner[i][j]
		}
	}
	return out
}

// backMLP converts the geometry g of derivatives with respect to the MLP's output to that of derivatives with
// respect to the normalised tokens that the MLP reads, and sets the gradients of the MLP's matrices.
func (k *Stack) backMLP(b *branch, g gram, out *Gradients) gram {
	d, width := float64(k.architecture.Dim), float64(k.architecture.Width)
	derivative := b.input.mapCosines(k.hidden.derivativeGram, b.freedom)
	hidden := g.hadamard(k.architecture.Output2, derivative) // times d/width
	out.Output = float64(d * width * k.groups.frobenius(g, b.input.mapCosines(k.hidden.gram, b.freedom)))
	out.Hidden = float64(d * d * k.groups.frobenius(hidden, b.input))
	return hidden.plus(k.architecture.Hidden2, 0, hidden)
}

// backAttention converts the geometry g of derivatives with respect to the attention output to that of
// derivatives with respect to the tokens that attention reads, through values alone, and sets the
// gradients of attention's matrices.
func (k *Stack) backAttention(b *branch, g gram, out *Gradients) gram {
	s, d, bias2 := k.architecture, float64(k.architecture.Dim), k.architecture.attentionBias2()
	mixed, participation := k.groups.attentionAverage(b.input, s, b.freedom)
	heads := g.plus(s.Projection2, 0, g)
	out.Projection = float64(d*d*s.Value2) * k.groups.frobenius(g, mixed)
	if bias2 > 0 { // the outputs of heads contain the biases of values
		ones := mixed.mapCosines(func(float64) float64 { return 1 }, b.freedom)
		out.Projection += float64(d * d * bias2 * k.groups.frobenius(g, ones))
	}
	values := k.groups.attendedBy(heads, participation)
	out.Value = float64(d*d) * k.groups.frobenius(heads, mixed)
	scores := k.groups.scores(heads.hadamard(1, b.input), b.input, participation, d)
	out.Query = float64(d*d*s.Value2*s.QueryKey2) * scores
	out.Key = out.Query
	if bias2 > 0 {
		queries := b.input.plus(s.QueryKey2, 0, b.input).plusCommon(bias2)
		keyScores := k.groups.scores(heads.hadamard(1, queries), b.input, participation, d)
		out.Key = float64(d*d*s.Value2) * keyScores
	}
	return values.plus(s.Value2, 0, values)
}

// attendedBy converts the geometry x of derivatives with respect to the outputs of heads to that of
// derivatives with respect to values. The derivative with respect to the value of token s is a sum over all
// tokens that attend to s, with weights of mean 1/n. The participation n E ΣA² determines the mean product of
// two weights of the same row.
func (g *groups) attendedBy(x gram, participation []float64) gram {
	n := len(g.count)
	out := newGram(n)
	weight := func(t, s int) float64 { // total weight of the tokens of group t for one token of group s
		return float64(g.count[t]*g.seen[t][s]) / float64(g.count[s]*g.attended[t])
	}
	partial := newGram(n).inner // Σ_u inner[t][u] weight(u, s)
	for t := range n {
		for s := range n {
			for u := range n {
				partial[t][s] += float64(x.inner[t][u] * weight(u, s))
			}
		}
	}
	for s := range n {
		for r := range n {
			for t := range n {
				if g.seen[t][s] == 0 || g.seen[t][r] == 0 {
					continue
				}
				own := x.square[t] - x.inner[t][t]
				seen := float64(g.count[t] * min(g.seen[t][s]/g.count[s], g.seen[t][r]/g.count[r]))
				a := g.attended[t]
				if out.inner[s][r] += float64(weight(t, s) * partial[t][r]); a > 1 {
					out.inner[s][r] += float64(seen*own) * (1 - participation[t]/a) / float64(a*(a-1))
				}
				if s == r {
					seen = float64(g.count[t]*g.seen[t][s]) / g.count[s]
					out.square[s] += float64(weight(t, s)*partial[t][s]) +
						float64(seen*own*participation[t])/float64(a*a)
				}
			}
		}
	}
	return out
}

// scores returns the sum, over pairs of attention rows t and u, of x times the mean of tr D_t G D_u G, where
// D = diag(A) - AAᵀ is the derivative of the softmax of a row A, and G is the Gram matrix of the tokens
// attended to. For n tokens in d dimensions, the off-diagonal entries of G increase the mean of tr D_t G D_u
// G by the factor 1+n/d.
func (g *groups) scores(x, attended gram, participation []float64, dim float64) float64 {
	common := newGram(len(g.count))
	for i, n := range g.attended {
		y2 := participation[i] / n
		gap := max(0, g.diagonal(attended, i)-g.seenMean(attended, i))
		finite := 1 + n/dim
		common.square[i] = float64(gap*gap*y2) * (1 - y2) * finite
		for j := range i + 1 {
			less := g.attended[j]
			other := max(0, g.diagonal(attended, j)-g.seenMean(attended, j))
			common.inner[i][j] = float64(other*other) / n * (1 - 1/less) * finite
			common.inner[j][i] = common.inner[i][j]
		}
	}
	return g.frobenius(x, common)
}

// seenMean returns the mean inner product of different tokens that a token of group i attends to, or the mean
// squared norm if the token attends to itself alone.
func (g *groups) seenMean(x gram, i int) float64 {
	sum, pairs := 0.0, 0.0
	for j, n := range g.seen[i] {
		for l, m := range g.seen[i] {
			if j == l {
				m = max(0, m-1)
			}
			sum += float64(float64(n*m) * x.inner[j][l])
			pairs += float64(n * m)
		}
	}
	if pairs == 0 {
		return g.diagonal(x, i)
	}
	return sum / pairs
}
