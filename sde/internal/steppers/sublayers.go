package steppers

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/attention"
	"antipode/sde/internal/linear"
)

// Layer describes what a layer of Sublayers adds to a token X_i.
type Layer struct {
	Heads     int
	Values    int     // random numbers in the values of one head: d² entries of V_h, or one amplitude
	Noise     float64 // factor of V_h A_i^h, where A_i^h is the attention of head h
	Drift     float64 // factor of the attention A_i^h itself
	MLP       *MLP    // nil for no MLP
	MLPFactor float64 // factor of the output of the MLP
	// InSequence says that the MLP is applied to the tokens after attention and normalisation, and that the
	// tokens are then normalised once more. Without InSequence, the MLP is applied to the tokens at the
	// beginning of the layer, and added together with attention.
	InSequence bool
}

// Sublayers is a stepper for a recursion with H heads, a drift μ and an MLP,
//
//	X_i ← normalise(X_i + L^{-1/2} (H^{-1/2} Σ_h V_h A_i^h + W₂φ(W₁X_i)) + μ/(LH) Σ_h A_i^h),
//
// where A_i^h is the attention of head h and V_h its value matrix, or with the amplitudes 1/L + ε v L^{-1/2}
// of the hybrid model in place of the value matrices. The increment of a layer consists of the values of all
// heads, then the random numbers of their scores, then the weights of the MLP.
type Sublayers struct {
	Layer
	attention *attention.Attention
	mlp       *feedforward
	d         int
	scores    int // number of random numbers in the scores of one head

	field, update, pushed []float64
	products              *products.Multiplier // nil for few tokens; otherwise pushed is N×d
}

// NewSublayers returns a stepper for a recursion with layers l, whose heads have the attention a. If the
// scores of attention have a random part, each head has its own random part.
func NewSublayers(a *attention.Attention, l Layer) *Sublayers {
	tokens, dim := a.Shape()
	s := &Sublayers{
		Layer: l, attention: a, mlp: newFeedforward(l.MLP, tokens, dim), d: dim, scores: len(a.Numbers()),
		field: make([]float64, tokens*dim), update: make([]float64, tokens*dim),
		pushed: make([]float64, dim),
	}
	const worthwhile = 1 << 14 // from this number of multiplications on matrix products are faster
	if l.Values > 1 && tokens*dim*dim >= worthwhile {
		s.pushed, s.products = make([]float64, tokens*dim), products.For(team.New(1))
	}
	return s
}

// SetMasses implements lanes.MassStepper.
func (s *Sublayers) SetMasses(masses []float64) { s.attention.SetMasses(masses) }

// IncrementLen returns the number of random numbers of a layer: those of all heads, their scores and the MLP.
func (s *Sublayers) IncrementLen() int {
	numbers := s.Heads * (s.Values + s.scores)
	if s.mlp != nil {
		numbers += s.mlp.Numbers(s.d)
	}
	return numbers
}

// Step advances the tokens by one layer with all its heads, its drift and its MLP.
func (s *Sublayers) Step(x, increment []float64) error {
	n, d := s.attention.Shape()
	values, rest := increment[:s.Heads*s.Values], increment[s.Heads*s.Values:]
	scores, numbers := rest[:s.Heads*s.scores], rest[s.Heads*s.scores:]
	x, update := x[:n*d], s.update[:n*d]
	clear(update)
	for h := range s.Heads {
		if s.scores > 0 {
			copy(s.attention.Numbers(), scores[h*s.scores:(h+1)*s.scores])
		}
		if h == 0 || s.scores > 0 {
			s.attention.Field(s.field, x)
		}
		s.attend(update, values[h*s.Values:(h+1)*s.Values])
	}
	switch {
	case s.mlp == nil:
		return s.advance(x, update, 1)
	case s.InSequence:
		if err := s.advance(x, update, 1); err != nil {
			return err
		}
		return s.advance(x, s.mlp.of(x, numbers), s.MLPFactor)
	}
	linear.AddScaled(update, s.MLPFactor, s.mlp.of(x, numbers))
	return s.advance(x, update, 1)
}

// advance replaces every token of x by normalise(token + scale·update).
func (s *Sublayers) advance(x, update []float64, scale float64) error {
	for i := 0; i < len(x); i += s.d {
		if err := advance(x[i:i+s.d], update[i:i+s.d], scale, i/s.d); err != nil {
			return err
		}
	}
	return nil
}

// attend adds the part of one head h, Noise·V_h A_i^h + Drift·A_i^h, to the update of every token i.
func (s *Sublayers) attend(update, values []float64) {
	n, d := s.attention.Shape()
	if s.products != nil {
		general := func(data []float64) blas64.General {
			return blas64.General{Rows: len(data) / d, Cols: d, Stride: d, Data: data}
		}
		s.products.Multiply(blas.NoTrans, blas.Trans, 1, general(s.field[:n*d]), general(values), 0,
			general(s.pushed[:n*d]))
		linear.AddScaled(update, s.Noise, s.pushed[:n*d])
		linear.AddScaled(update, s.Drift, s.field[:n*d])
		return
	}
	for i := range n {
		to, field := update[i*d:(i+1)*d], s.field[i*d:(i+1)*d]
		if len(values) == 1 && d > 1 {
			linear.AddScaled(to, math.FMA(s.Noise, values[0], s.Drift), field)
			continue
		}
		linear.Multiply(s.pushed, values, field)
		linear.AddScaled(to, s.Noise, s.pushed)
		linear.AddScaled(to, s.Drift, field)
	}
}
