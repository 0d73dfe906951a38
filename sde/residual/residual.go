// Package residual simulates the residual recursion (1) of Fedorov et al., X_i ← X_i + α V A_i(X), where A is
// softmax attention. The residual recursion does not normalise tokens, whereas the other packages keep tokens
// on the sphere. If V is the identity and α = 1/L, the limit of infinite depth L is the equation dX_i =
// A_i(X) dt. If V has independent normal entries and α = 1/√L, the limit of infinite depth is dX_i = dW
// A_i(X) (Table 1 of the paper).
//
//	x := residual.New([]float64{1, 0, 0, 1}, 2, 3) // two tokens of dimension 2, β = 3
//	for range 100 {
//		x.AddField(0.01) // X_i ← X_i + A_i(X)/100
//	}
package residual

import "antipode/sphere/elementary"

// Tokens holds N tokens of dimension d, of any lengths (X is N×d, row-major), and working memory for their
// recursion. A Tokens must not be used concurrently.
type Tokens struct {
	X                      []float64
	dim                    int
	beta                   float64
	field, weights, middle []float64
}

// New returns tokens that start at a copy of x (N×d), where dim is d. The attention score of tokens x_i and
// x_j is β<x_i, x_j>, with β ≥ 0.
func New(x []float64, dim int, beta float64) *Tokens {
	return &Tokens{
		X: append([]float64(nil), x...), dim: dim, beta: beta, field: make([]float64, len(x)),
		weights: make([]float64, len(x)/dim), middle: make([]float64, len(x)),
	}
}

// attend writes the attention A_i(x) of each token x_i to row i of field.
func (t *Tokens) attend(field, x []float64) {
	for i := 0; i < len(x); i += t.dim {
		largest := 0.0
		for j := range t.weights {
			score := 0.0
			for k, v := range x[j*t.dim : (j+1)*t.dim] {
				score += float64(v * x[i+k])
			}
			t.weights[j] = float64(t.beta * score)
			if j == 0 || t.weights[j] > largest {
				largest = t.weights[j]
			}
		}
		total, to := 0.0, field[i:i+t.dim]
		clear(to)
		for j, score := range t.weights {
			weight := elementary.Exp(score - largest)
			total += weight
			for k, v := range x[j*t.dim : (j+1)*t.dim] {
				to[k] += float64(weight * v)
			}
		}
		for k := range to {
			to[k] /= total
		}
	}
}

// AddField applies a layer of the residual recursion with V = I: X ← X + α A(X).
func (t *Tokens) AddField(alpha float64) {
	t.attend(t.field, t.X)
	for k, v := range t.field {
		t.X[k] += float64(alpha * v)
	}
}

// AddProduct applies a layer of the residual recursion with V = product/α, where product is d×d, row-major:
// X_i ← X_i + product·A_i(X).
func (t *Tokens) AddProduct(product []float64) {
	t.attend(t.field, t.X)
	for i := 0; i < len(t.X); i += t.dim {
		for k := range t.dim {
			sum := 0.0
			for j, v := range product[k*t.dim : (k+1)*t.dim] {
				sum += float64(v * t.field[i+j])
			}
			t.X[i+k] += sum
		}
	}
}

// Flow advances the limit dX = A(X) dt by one step of the given length, by the midpoint rule, whose order is
// 2.
func (t *Tokens) Flow(step float64) {
	t.attend(t.field, t.X)
	for k, v := range t.field {
		t.middle[k] = t.X[k] + float64(step/2*v)
	}
	t.attend(t.field, t.middle)
	for k, v := range t.field {
		t.X[k] += float64(step * v)
	}
}
