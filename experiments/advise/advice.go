package advise

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"antipode/overlap"
	"antipode/overlap/stack"
	"antipode/sphere/activation"
	"antipode/sphere/elementary"
)

// advice is what the report says about the entire architecture; the rows of the table are about its single
// layers.
type advice struct {
	stack.Signal
	Spread        float64 // spread S of the attention scores
	EffectiveBeta float64 // β of "Two Failure Modes" for scores of this spread
	Passes        bool

	// Depth90 and Depth99 are the numbers of layers after which the cosine of tokens would be at least 0.9,
	// and at least 0.99, in a deeper network. A number is -1 if this takes more than deepest layers.
	Depth90, Depth99 int

	CriticalSkip float64 // least strength of the skip connection; NaN if none
	CriticalBeta float64 // arccosh(d-2)/2, NaN for d = 2
	Clock        float64 // units of time of the limit with σ = 1
	MLP          float64 // strength c of the MLP
	Variance     float64 // variance w of the pre-activations
	TwoTokens    float64 // cosine of two tokens after the last layer
	PlusOne      string  // stability of overlaps 1 and -1 of two tokens
	MinusOne     string
	// LimitUnknown is the reason why MLP, Variance, TwoTokens and the stability of the overlaps are not
	// known, or "" if they are known.
	LimitUnknown string
	Changes      []stack.Change
}

// deepest is the greatest number of layers up to which the collapse of tokens is searched for.
const deepest = 2000

// advise computes the advice on the architecture.
func (e *Experiment) advise() (a advice, err error) {
	s := e.shape()
	k, err := stack.New(s)
	if err != nil {
		return a, e.refused(err)
	}
	if a.Signal, err = k.Signal(); err != nil {
		return a, e.refused(err)
	}
	a.Passes = a.Signal.Passes(e.Collapse)
	a.Spread = s.Spread()
	a.EffectiveBeta = a.Spread / math.Sqrt(elementary.Log(float64(e.Tokens)))
	depths := k.Reach(max(deepest, s.Layers), 0.9, 0.99)
	a.Depth90, a.Depth99 = depths[0], depths[1]
	a.CriticalSkip = orNaN(k.CriticalSkip(e.Collapse))
	a.CriticalBeta = orNaN(overlap.CriticalBeta(int(e.Dim)))
	if err := a.twoTokens(k); err != nil {
		return a, e.refused(err)
	}
	a.Changes, err = k.Changes(e.Collapse)
	sortByEffect(a.Changes)
	return a, err
}

// orNaN returns the number x if it exists, and otherwise NaN.
func orNaN(x float64, exists bool) float64 {
	if exists {
		return x
	}
	return math.NaN()
}

// sortByEffect moves the changes of the architecture with which the signal passes to the front, in the order
// of the cosines of tokens that they lead to. The change of queries and keys stays first, because the other
// changes are combined with it.
func sortByEffect(changes []stack.Change) {
	if len(changes) > 0 && changes[0].Kind == stack.QueriesKeys {
		changes = changes[1:]
	}
	slices.SortStableFunc(changes, func(a, b stack.Change) int {
		if a.Passes != b.Passes {
			if a.Passes {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Signal.Cosine, b.Signal.Cosine)
	})
}

// twoTokens applies the theory of the overlap of two tokens to the architecture, with strengths in the units
// of this program. In each of L layers, the value matrices add the variance σ²/L|A|² to a coordinate of a
// unit vector, with attention A, and the MLP adds the variance c/L.
func (a *advice) twoTokens(k *stack.Stack) error {
	s := k.Architecture()
	pair := s
	pair.Tokens, pair.Input.First = 2, 0
	two, err := k.With(pair)
	if err != nil {
		return err
	}
	layers, err := two.Forward()
	if err != nil {
		return err
	}
	a.TwoTokens = layers[len(layers)-1].Cosine
	values, mlp := values(s), k.HiddenSquare()*s.Output2*s.BranchMLP*s.BranchMLP
	if s.Norm == stack.PeriNorm { // LayerNorm gives the branch this mean square
		mlp = s.BranchMLP * s.BranchMLP
	}
	for _, layer := range layers[:len(layers)-1] {
		square := 1.
		if s.Norm != stack.PostNorm {
			square = layer.Square
		}
		a.Clock += values / (float64(s.Dim) * square * s.SkipSA * s.SkipSA)
	}
	a.Variance = s.Hidden2
	a.MLP = mlp * s.SkipSA * s.SkipSA / (values * s.SkipMLP * s.SkipMLP)
	if err := a.ends(s); err != nil {
		a.LimitUnknown = strings.TrimPrefix(err.Error(), "overlap: ")
	}
	return nil
}

// ends determines whether the overlaps -1 and 1 of two tokens are attracting under the diffusion that is the
// limit of many small layers.
func (a *advice) ends(s stack.Architecture) error {
	kind, known := map[stack.Activation]activation.Activation{stack.Linear: activation.Linear,
		stack.Tanh: activation.Tanh, stack.Erf: activation.Erf, stack.ReLU: activation.ReLU,
		stack.GELU: activation.GELU, stack.GELUTanh: activation.GELU}[s.Activation]
	switch {
	case !known || s.Gated:
		return errors.New("the diffusion has no MLP with gates or with silu")
	case s.Norm == stack.PeriNorm:
		return errors.New("the diffusion has no LayerNorm behind a branch")
	case s.Bias2 > 0:
		return errors.New("the diffusion has no biases")
	case s.Causal:
		return errors.New("the diffusion assumes that all tokens attend to each other")
	case s.SkipSA == 0 || s.SkipMLP == 0:
		return errors.New("the diffusion has both skip connections")
	case !(a.Clock > 0):
		return errors.New("values have no noise")
	case !(a.MLP <= overlap.MaxStrength):
		return fmt.Errorf("the MLP is above %g times as strong as the noise of values", overlap.MaxStrength)
	case s.Dim > 10_000:
		return errors.New("the dimension is above 10,000")
	}
	d, err := overlap.NewResampled(s.Dim, 0, overlap.Softmax, 1, a.Spread, overlap.Covariance{A: 1})
	if err != nil {
		return err
	}
	if d, err = d.WithMLP(overlap.MLP{Activation: kind, Strength: a.MLP, Variance: a.Variance}); err != nil {
		return err
	}
	a.PlusOne, a.MinusOne = fmt.Sprint(d.PlusOne()), fmt.Sprint(d.MinusOne())
	return nil
}

// changeText describes a change of the architecture, and the flags of the command line that make the change.
func (e *Experiment) changeText(c stack.Change) string {
	after := c.Kind.Apply(e.shape(), c.Factor)
	switch c.Kind {
	case stack.SkipOfAttention:
		return fmt.Sprintf("attention's skip connection: --alpha-sa %s", short(after.SkipSA))
	case stack.Skips:
		return fmt.Sprintf("both skip connections: --alpha-sa %s --alpha-mlp %s", short(after.SkipSA),
			short(after.SkipMLP))
	case stack.Values:
		return fmt.Sprintf("values × %s: --value-deviation %s", short(c.Factor), short(e.Value*c.Factor))
	case stack.OutputWeights:
		return fmt.Sprintf("the MLP's second weights × %s: --output-deviation %s", short(c.Factor),
			short(e.Output*c.Factor))
	case stack.QueriesKeys:
		return fmt.Sprintf("queries and keys × %s: --query-deviation %s", short(c.Factor),
			short(e.Query*c.Factor))
	case stack.NormBefore:
		return "LayerNorm before the branches: --norm pre-norm"
	}
	scaled := fmt.Sprintf("--branch-sa %.3g --branch-mlp %.3g", after.BranchSA, after.BranchMLP)
	if c.Kind == stack.DepthScaling {
		return "branches times 1/√(2L): " + scaled
	}
	return "both changes: --norm pre-norm " + scaled
}
