// Package energy computes interaction energies of configurations of tokens. In few dimensions sums over pairs
// of tokens are computed by spherical harmonics, in a time proportional to the number of tokens.
//
//	cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 3, Dim: 2, Beta: 1, Depth: 1,
//		Start: sde.UniformStart{}}
//	e := energy.New(cell).Of([]float64{1, 0, 1, 0, -1, 0})
package energy

import (
	"gonum.org/v1/gonum/blas"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde"
	"antipode/sde/internal/fields"
	"antipode/sde/internal/kernels"
)

// Energy computes energies of configurations of N tokens. The energy of tokens x_1 … x_N at inverse
// temperature β is the mean of e^{β(⟨x_i,x_j⟩-1)} over all N² ordered pairs, including the pairs of a token
// with itself. If all tokens coincide, the energy is 1. An Energy has working memory, so it must not be used
// concurrently.
type Energy struct {
	beta   float64
	x      kernels.Matrix
	masses []float64

	field    *fields.Field // field for sums by harmonics; nil for sums over pairs
	products *products.Multiplier
	rows     kernels.Matrix // inner products of some tokens with earlier tokens
}

// New returns the Energy for the tokens and the β of a cell. The energy ignores the interaction matrix and
// the kernel of the cell. The cell must be valid.
func New(c sde.Cell) *Energy {
	a := fields.Attention{Beta: c.Beta, Softmax: c.Attention == sde.Softmax, Count: c.Tokens, Dim: c.Dim,
		Sum: fields.Way(c.AttentionSum)}
	e := &Energy{beta: c.Beta, x: kernels.NewMatrix(c.Tokens, c.Dim), masses: make([]float64, c.Tokens)}
	for i := range e.masses {
		e.masses[i] = 1
	}
	if a.HasSeries() {
		e.field = fields.New(a, team.New(1))
		return e
	}
	e.products, e.rows = products.New(1), kernels.NewMatrix(min(c.Tokens, pairRows), c.Tokens)
	return e
}

// ByHarmonics reports whether energies of N tokens are computed by spherical harmonics. With harmonics the
// time grows like N, and the relative error is at most sde.AttentionSumError; without harmonics the time
// grows like N². Cell.AttentionSum may exclude or require harmonics.
func (e *Energy) ByHarmonics() bool { return e.field != nil }

// Of returns the energy of the configuration of tokens x (N×d).
func (e *Energy) Of(x []float64) float64 {
	n, d := len(e.masses), len(x)/len(e.masses)
	for i := range n {
		copy(e.x.Numbers(i), x[i*d:(i+1)*d])
	}
	if e.field != nil {
		return e.field.Energy(&e.x, e.masses)
	}
	sum := float64(n)
	for first := 0; first < n; first += pairRows {
		last := min(first+pairRows, n)
		e.products.Multiply(blas.NoTrans, blas.Trans, 1, e.x.Part(first, last, d), e.x.General(last, d), 0,
			e.rows.General(last-first, last))
		for i := first; i < last; i++ {
			sum += float64(2 * e.sum(e.rows.Numbers(i - first)[:i]))
		}
	}
	return sum / (float64(n) * float64(n))
}

// pairRows is the number of tokens whose pairs with all earlier tokens are summed together.
const pairRows = 64

// sum returns the sum of the terms e^{β(⟨x_i,x_j⟩-1)} over pairs of tokens, given their inner products.
func (e *Energy) sum(products []float64) (sum float64) {
	for j := range products {
		products[j]--
	}
	kernels.Exponentials(products, e.beta)
	for _, weight := range products {
		sum += weight
	}
	return sum
}
