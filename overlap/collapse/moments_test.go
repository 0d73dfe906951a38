package collapse

import (
	"fmt"
	"math"
)

// moments holds the quantities on which the gradients of uniform attention depend, for a sequence X of n
// tokens in d dimensions with mean x̄.
type moments struct {
	Tokens, Dim int
	Square      float64 // ‖X‖², the sum of squared norms
	Mean        float64 // ‖x̄‖²
	Spread      float64 // ‖LX‖² = ‖X‖² - n‖x̄‖², L = I - 1/n
	Scatter     float64 // ‖XᵀLX‖² = ‖XᵀX - n x̄x̄ᵀ‖²
}

// momentsOf returns the moments of tokens x (n×d, row-major). Spread and Scatter are exactly 0 if all
// tokens are equal. It is an error if there are fewer than two tokens, if x is not n×d, or if an entry is
// not finite.
func momentsOf(x []float64, tokens, dim int) (moments, error) {
	m := moments{Tokens: tokens, Dim: dim}
	if err := checkSize(tokens, dim); err != nil {
		return moments{}, err
	}
	if len(x) != tokens*dim {
		return moments{}, fmt.Errorf("collapse: %d numbers are not those of %d tokens in %d dimensions",
			len(x), tokens, dim)
	}
	shift := make([]float64, dim) // difference of the mean from the first token
	for k, v := range x {
		if !(math.Abs(v) <= math.MaxFloat64) {
			return moments{}, fmt.Errorf("collapse: coordinate %d of token %d is %v: it must be finite",
				k%dim, k/dim, v)
		}
		m.Square += float64(v * v)
		shift[k%dim] += (v - x[k%dim]) / float64(tokens)
	}
	centred := make([]float64, len(x))
	for k, v := range x {
		centred[k] = v - x[k%dim] - shift[k%dim]
	}
	for k, s := range shift {
		mean := x[k] + s
		m.Mean += float64(mean * mean)
	}
	for t := range tokens {
		for s := range t + 1 {
			inner := 0.0
			for k := range dim {
				inner += float64(centred[t*dim+k] * centred[s*dim+k])
			}
			m.Scatter += float64(inner * inner)
			if s < t {
				m.Scatter += float64(inner * inner)
			} else {
				m.Spread += inner
			}
		}
	}
	return m, nil
}
