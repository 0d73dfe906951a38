package collapse

import (
	"fmt"
	"math"
)

// weights holds the variances of the entries of the weights of attention.
type weights struct {
	KeyDim            int     // dimension d_k of queries and keys
	Query, Key, Value float64 // σ_q², σ_k², σ_v²
	// Temperature τ multiplies the scores (C.2); 1 for plain softmax.
	Temperature float64
}

// xavier returns weights of variance 1/d, with keys of the same dimension.
func xavier(dim int) weights {
	v := 1 / float64(dim)
	return weights{KeyDim: dim, Query: v, Key: v, Value: v, Temperature: 1}
}

func (w weights) check() error {
	if w.KeyDim < 1 {
		return fmt.Errorf("collapse: key dimension %d is not allowed: it must be at least 1", w.KeyDim)
	}
	for _, v := range []struct {
		name  string
		value float64
	}{{"σ_q²", w.Query}, {"σ_k²", w.Key}, {"σ_v²", w.Value}} {
		if err := checkVariance(v.name, v.value); err != nil {
			return err
		}
	}
	if !(math.Abs(w.Temperature) <= math.MaxFloat64) {
		return fmt.Errorf("collapse: temperature factor τ = %v is not allowed: it must be finite",
			w.Temperature)
	}
	return nil
}

// ValueGradient returns ‖∂S/∂W_V‖² = dn‖x̄‖² for uniform attention, (6). It does not vanish if all tokens
// are equal.
func (m moments) ValueGradient() float64 { return float64(float64(m.Dim*m.Tokens) * m.Mean) }

// QueryGradient returns E‖∂S/∂W_Q‖² for uniform attention, (7) with the temperature of (46):
//
//	τ²σ_v²σ_k² d/n² ‖X‖²‖XᵀX - n x̄x̄ᵀ‖².
//
// It is 0 if and only if all tokens are equal, X = 1xᵀ (Theorem 3.2 and its converse). Then the
// derivatives of any loss with respect to W_Q and W_K are 0 too, and softmax is uniform for any scores.
// It does not suffice that X has rank one.
func (m moments) QueryGradient(w weights) (float64, error) { return m.scoreGradient(w, w.Key) }

// KeyGradient returns E‖∂S/∂W_K‖², which is QueryGradient with σ_q² instead of σ_k².
func (m moments) KeyGradient(w weights) (float64, error) { return m.scoreGradient(w, w.Query) }

func (m moments) scoreGradient(w weights, other float64) (float64, error) {
	if err := w.check(); err != nil {
		return 0, err
	}
	n := float64(m.Tokens)
	factor := float64(w.Temperature*w.Temperature*w.Value*other*float64(m.Dim)) / float64(n*n)
	return float64(factor * m.Square * m.Scatter), nil
}

// InputGradient returns E‖∂S/∂X‖² for uniform attention, in place of bound (8). It sums the squared norms
// of the contributions through queries, keys and values, and twice the mean inner product of the first
// two:
//
//	σ_v²d² + τ²σ_q²σ_k²σ_v²d [d‖XᵀLX‖²/n + d‖X‖²‖LX‖²/n² + 2‖XᵀLX‖²/n²].
func (m moments) InputGradient(w weights) (float64, error) {
	if err := w.check(); err != nil {
		return 0, err
	}
	n, d := float64(m.Tokens), float64(m.Dim)
	scores := float64(d*m.Scatter)/n + float64(d*m.Square*m.Spread)/float64(n*n) + 2*m.Scatter/float64(n*n)
	factor := float64(w.Temperature * w.Temperature * w.Query * w.Key * w.Value * d)
	return float64(w.Value*d*d) + float64(factor*scores), nil
}
