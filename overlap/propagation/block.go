package propagation

import (
	"fmt"
	"math"
)

// Kind is the position of LayerNorm in a block, and tells whether attention subtracts the mean of the values.
type Kind int

// The kinds of Transformer blocks: Algorithm 1, Algorithm 2, Algorithm 3, and Algorithm 2 with the attention
// of Algorithm 3.
const (
	PostNorm Kind = iota
	PreNorm
	GainPostNorm
	GainPreNorm
)

// KindNames are the names of the kinds of blocks, in the order of the constants from PostNorm on.
var KindNames = []string{"post-norm", "pre-norm", "gain-post-norm", "gain-pre-norm"}

// String returns the name of the kind of block.
func (k Kind) String() string { return KindNames[k] }

// Labels returns the names of all kinds of blocks in the order of the constants, as labels for a table
// column.
func (Kind) Labels() []string { return KindNames }

func (k Kind) preNorm() bool { return k == PreNorm || k == GainPreNorm }

func (k Kind) gainControlled() bool { return k == GainPostNorm || k == GainPreNorm }

// The largest variances and strengths that a Block may have.
const (
	MaxVariance = 1e6
	MaxAlpha    = 1e3
)

// Block is a Transformer block at initialisation: attention and an MLP of one hidden
// layer, W₂φ(W₁x + b₁) + b₂, each with a residual connection.
type Block struct {
	Kind       Kind
	Beta       float64 // β, scale of query and key weights, from 0
	SigmaV2    float64 // σ_v²: d times the variance of value weights, from 0 to MaxVariance
	SigmaW2    float64 // σ_w²: d times the variance of the MLP's weights, from 0 to MaxVariance
	SigmaB2    float64 // σ_b²: variance of the MLP's biases, from 0 to MaxVariance
	AlphaSA    float64 // strength of attention's residual connection, from 0 to MaxAlpha
	AlphaMLP   float64 // strength of the MLP's residual connection, from 0 to MaxAlpha
	Activation Activation
	Tokens     float64 // length of a sequence: 2 to MaxCrossTokens, or +Inf for the limit
}

func (b Block) check() error {
	if err := b.attention().check(); err != nil {
		return err
	}
	for _, v := range []struct {
		name  string
		value float64
	}{{"σ_w²", b.SigmaW2}, {"σ_b²", b.SigmaB2}} {
		if !(v.value >= 0 && v.value <= MaxVariance) {
			return errVariance(v.name, v.value)
		}
	}
	for _, alpha := range []float64{b.AlphaSA, b.AlphaMLP} {
		if !(alpha >= 0 && alpha <= MaxAlpha) {
			return fmt.Errorf("propagation: residual strength α = %v is not allowed: it must be from 0 to %v",
				alpha, float64(MaxAlpha))
		}
	}
	if b.Kind < 0 || int(b.Kind) >= len(KindNames) ||
		b.Activation < 0 || int(b.Activation) >= len(ActivationNames) {
		return fmt.Errorf("propagation: no block of kind %d with activation %d",
			int(b.Kind), int(b.Activation))
	}
	return nil
}

func (b Block) attention() Attention {
	return Attention{
		Beta: b.Beta, SigmaV2: b.SigmaV2, Tokens: b.Tokens,
		GainControlled: b.Kind.gainControlled(),
	}
}

// Map is the map by which a Block transforms the geometry of a sequence of tokens. All layers of a stack of
// equal blocks have the same Map.
type Map struct {
	block      Block
	attention  Attention
	saSquared  float64 // squares of the strengths of the residual connections
	mlpSquared float64
	hidden     float64 // variance of the MLP's pre-activations for tokens with Q = 1
	output     float64 // squared norm of the MLP's output
}

// NewMap returns the map of a block. NewMap returns an error if a field of the block is outside its domain.
func NewMap(b Block) (*Map, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	hidden := b.SigmaW2 + b.SigmaB2
	return &Map{
		block: b, attention: b.attention(),
		saSquared: float64(b.AlphaSA * b.AlphaSA), mlpSquared: float64(b.AlphaMLP * b.AlphaMLP),
		hidden: hidden,
		output: float64(b.SigmaW2*b.Activation.Kernel(hidden, hidden)) + b.SigmaB2,
	}, nil
}

// Step returns the geometry of the tokens after the block, given the geometry s before the block. The squared
// norm Q is 1 after a block that ends with LayerNorm. The error of Step is ErrVanished if the tokens become
// 0, another error if the norm of the tokens overflows, or an error of Attention.Step.
func (m *Map) Step(s State) (State, error) {
	next, _, err := m.step(s, State{})
	return next, err
}

// step propagates a State s through a block and, in the limit of many tokens, an infinitesimal change ds of
// s.
func (m *Map) step(s, ds State) (State, State, error) {
	x, dx, err := s, ds, error(nil)
	if m.block.Kind.preNorm() {
		if x, dx, err = normalize(s, ds); err != nil {
			return s, ds, err
		}
	}
	y, dy, err := m.attention.step(x, dx)
	if err != nil {
		return s, ds, err
	}
	s, ds = y.plus(m.saSquared, s), dy.plus(m.saSquared, ds)
	if x, dx, err = normalize(s, ds); err != nil {
		return s, ds, err
	}
	if !m.block.Kind.preNorm() {
		s, ds = x, dx
	}
	y, dy = m.mlp(x, dx)
	s, ds = y.plus(m.mlpSquared, s), dy.plus(m.mlpSquared, ds)
	if m.block.Kind.preNorm() {
		return State{s.Q, min(s.P, s.Q)}, ds, checkNorm(s)
	}
	return normalize(s, ds)
}

// mlp returns the geometry of the output of the MLP, (16), for tokens of squared norm Q = 1, and the change
// of this geometry due to a change of the overlap P.
func (m *Map) mlp(s, ds State) (next, change State) {
	b := &m.block
	hidden := float64(b.SigmaW2*s.P) + b.SigmaB2
	next = State{m.output, float64(b.SigmaW2*b.Activation.Kernel(m.hidden, min(hidden, m.hidden))) +
		b.SigmaB2}
	if ds.P != 0 {
		change.P = float64(b.SigmaW2*b.SigmaW2*ds.P) * b.Activation.Slope(m.hidden, min(hidden, m.hidden))
	}
	return next, change
}

// normalize returns the geometry of the tokens after LayerNorm, which divides P and Q by Q, and the change of
// this geometry due to a change of s.
func normalize(s, ds State) (State, State, error) {
	if err := checkNorm(s); err != nil {
		return s, ds, err
	}
	rho := min(s.P/s.Q, 1)
	return State{1, rho}, State{0, (ds.P - float64(rho*ds.Q)) / s.Q}, nil
}

func checkNorm(s State) error {
	switch {
	case s.Q == 0:
		return ErrVanished
	case !(s.Q <= math.MaxFloat64):
		return errOverflow
	}
	return nil
}

// CriticalBeta returns the β above which attention condenses, in the limit of many tokens, for a sequence of
// geometry s that enters the block. The critical β of a pre-norm block is that of the normalised tokens, as
// in Algorithm 2; Appendix A.1 says otherwise.
func (m *Map) CriticalBeta(s State) float64 {
	if m.block.Kind.preNorm() {
		return CriticalBeta(1, s.Cosine())
	}
	return CriticalBeta(s.Q, s.P)
}

// Curve returns the geometries of a sequence of tokens after 0, 1, ..., layers blocks. Curve returns an error
// unless the geometry start satisfies 0 ≤ P ≤ Q and Q > 0, and if layers is negative. Curve returns an error
// of Step with the number of the layer in which the error occurred.
func (m *Map) Curve(start State, layers int) ([]State, error) {
	if err := checkRun(start, layers); err != nil {
		return nil, err
	}
	states := make([]State, 1, layers+1)
	states[0] = start
	for layer := range layers {
		next, err := m.Step(states[layer])
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", layer+1, err)
		}
		states = append(states, next)
	}
	return states, nil
}

func checkRun(start State, layers int) error {
	switch {
	case !(start.Q > 0 && start.Q <= math.MaxFloat64):
		return fmt.Errorf("propagation: a squared norm of %v is not allowed: it must be above 0", start.Q)
	case !(start.P >= 0 && start.P <= start.Q):
		return fmt.Errorf("propagation: an overlap of %v is not allowed: "+
			"it must be from 0 to the squared norm, %v", start.P, start.Q)
	case layers < 0:
		return fmt.Errorf("propagation: %d layers are not allowed: there must be at least 0", layers)
	}
	return nil
}
