package stack

import (
	"errors"
	"math"
)

// Layer describes the tokens of a sequence after a layer; layer 0 is the input.
type Layer struct {
	Square    float64 // mean of |x|²/d over tokens x
	Cosine    float64 // mean cosine over pairs of different tokens
	Low, High float64 // band of the cosine of 99 in 100 networks, with equal tails
	// StableRank is Σλ²/λ₁² of the eigenvalues λ of the Gram matrix XXᵀ of the tokens; RankLow and RankHigh
	// limit the band of the stable rank of 99 in 100 networks.
	StableRank, RankLow, RankHigh float64
	// ScoreDeviation is the standard deviation of the scores of a row of the layer's attention, apart from
	// their common term. Participation is n E ΣA² for a row A of attention to n tokens, which is 1 if
	// attention is spread. ScoreDeviation and Participation are averaged over tokens, and NaN for the input.
	ScoreDeviation, Participation float64
	// StepValues and StepMLP measure how far the random weights of the layer move normalised tokens: the
	// squared norm of the output of attention (StepValues) or of the MLP (StepMLP), divided by that of the
	// parallel skip connection. StepValues and StepMLP are NaN for the input.
	StepValues, StepMLP float64
}

// Stack computes the effect of an Architecture on the geometry of tokens. A Stack is immutable.
type Stack struct {
	architecture Architecture
	groups       *groups
	hidden       *hidden
}

// New returns the stack of an architecture. New returns an error if a field of the architecture is out of its
// domain.
func New(s Architecture) (*Stack, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	k := &Stack{architecture: s, groups: newGroups(s), hidden: newHidden(s)}
	var err error
	k.groups.participation, err = newParticipationTable(k.groups.attended, s.Spread(), s.largestDeviation())
	return k, err
}

// With returns the stack of another architecture s, sharing the tables of k that do not differ. With returns
// an error if a field of the architecture is out of its domain.
func (k *Stack) With(s Architecture) (*Stack, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	before, other := k.architecture, &Stack{architecture: s, groups: k.groups, hidden: k.hidden}
	if before.Activation != s.Activation || before.Hidden2 != s.Hidden2 || before.Gated != s.Gated ||
		before.Bias2 != s.Bias2 {
		other.hidden = newHidden(s)
	}
	if before.Tokens == s.Tokens && before.Causal == s.Causal && before.Spread() == s.Spread() &&
		s.largestDeviation() <= k.groups.participation.largest() &&
		(before.Input.First > 0) == (s.Input.First > 0) {
		return other, nil
	}
	other.groups = newGroups(s)
	var err error
	other.groups.participation, err = newParticipationTable(other.groups.attended, s.Spread(),
		s.largestDeviation())
	return other, err
}

// Architecture returns the architecture of the stack.
func (k *Stack) Architecture() Architecture { return k.architecture }

var (
	errVanished = errors.New("stack: the tokens become 0, and LayerNorm has no direction to keep")
	errOverflow = errors.New("stack: the norm of the tokens overflows")
)

// branch is one of the two branches of a layer, attention or the MLP.
type branch struct {
	skip2, strength2 float64   // squared strengths of skip connection and branch
	input            gram      // tokens that the branch reads, normalised as the method normalises says
	before           gram      // the stream before the branch
	raw              []float64 // squared norms of the output before LayerNorm, with PeriNorm
	output           gram
	participation    []float64 // n E ΣA² of attention, as returned by attentionAverage
	// freedom is the number of degrees of freedom of the tokens that the branch reads. It is infinite for an
	// MLP without gates: there the scatter of cosines adds about as much to the mean product of two outputs
	// as the random lengths of the outputs take from the mean cosine, which is neglected.
	freedom   float64
	fromInput inputShare // fractions of the stream after the branch
}

// branches returns attention and MLP of every layer with their inputs and outputs, and the stream at the
// input and after each layer.
func (k *Stack) branches() (all [][2]branch, streams []gram, err error) {
	err = k.forEachLayer(func(_ int, layer [2]branch, x gram) (goOn bool) {
		if streams = append(streams, x); len(streams) > 1 {
			all = append(all, layer)
		}
		return true
	})
	return all, streams, err
}

// forEachLayer calls the function show for the input and after each layer, with the number of the layer, the
// branches of the layer and the stream after the layer, until show returns false.
func (k *Stack) forEachLayer(show func(number int, layer [2]branch, x gram) (goOn bool)) error {
	s := k.architecture
	x, share := k.groups.inputGram(s.Input), inputShare{1, 1, 1}
	if !show(0, [2]branch{}, x) {
		return nil
	}
	for l := range s.Layers {
		var layer [2]branch
		for b := range layer {
			skip, strength := s.SkipSA, s.BranchSA
			if b == 1 {
				skip, strength = s.SkipMLP, s.BranchMLP
			}
			layer[b] = branch{skip2: float64(skip * skip), strength2: float64(strength * strength), before: x}
			if layer[b].input = x; s.normalises(l, b) {
				layer[b].input = x.normalised()
			}
			layer[b].freedom = s.freedom(share).differences
			if s.WideLimit || b == 1 && !s.Gated {
				layer[b].freedom = math.Inf(1)
			}
			if b == 0 {
				layer[b].output, layer[b].participation = k.attention(layer[b].input, layer[b].freedom)
			} else {
				layer[b].output = k.mlp(layer[b].input, layer[b].freedom)
			}
			if s.Norm == PeriNorm {
				if err := layer[b].output.check(); err != nil {
					return err
				}
				layer[b].raw = layer[b].output.square
				layer[b].output = layer[b].output.normalised()
			}
			share = share.after(k.groups, &layer[b])
			layer[b].fromInput = share
			x = x.plus(layer[b].skip2, layer[b].strength2, layer[b].output)
			if err := x.check(); err != nil {
				return err
			}
			if s.Norm == PostNorm {
				x = x.normalised()
			}
		}
		if !show(l+1, layer, x) {
			return nil
		}
	}
	return nil
}

// normalises reports whether LayerNorm precedes branch b of layer l. It precedes all branches except for the
// attention of the first layer of a post-norm network, which reads the input as it is.
func (s Architecture) normalises(l, b int) bool { return s.Norm != PostNorm || l > 0 || b > 0 }

func (k gram) check() error {
	for _, q := range k.square {
		switch {
		case q == 0:
			return errVanished
		case !(q <= math.MaxFloat64/4):
			return errOverflow
		}
	}
	return nil
}

// attention returns the geometry of the attention output for tokens of geometry x with the given number of
// degrees of freedom, and the participation of the rows of each group of tokens.
func (k *Stack) attention(x gram, freedom float64) (gram, []float64) {
	mixed, participation := k.groups.attentionAverage(x, k.architecture, freedom)
	out := newGram(len(x.square)).plus(0, float64(k.architecture.Value2*k.architecture.Projection2), mixed)
	return out.plusCommon(k.architecture.outputBias()), participation
}

// mlp returns the geometry of the MLP's output for normalised tokens of geometry x, which have the given
// number of degrees of freedom.
func (k *Stack) mlp(x gram, freedom float64) gram {
	out := x.mapCosines(k.hidden.gram, freedom)
	return out.plus(k.architecture.Output2, 0, out).plusCommon(k.architecture.Bias2)
}

// Forward returns descriptions of the tokens at the input and after every layer. Forward returns an error if
// the tokens become 0 or overflow.
func (k *Stack) Forward() ([]Layer, error) {
	all, streams, err := k.branches()
	if err != nil {
		return nil, err
	}
	bands, freedoms := k.logRatioDeviations(all, streams), k.degreesOfFreedom(all)
	layers := make([]Layer, len(streams))
	for l, x := range streams {
		layers[l] = k.layer(x, bands[l], freedoms[l])
		if l == 0 {
			continue
		}
		attention, mlp := &all[l-1][0], &all[l-1][1]
		layers[l].ScoreDeviation = k.scoreDeviation(attention.input)
		layers[l].Participation = k.groups.meanSquare(attention.participation)
		step := func(b *branch) float64 {
			return float64(b.strength2*k.groups.meanSquare(b.output.square)) /
				float64(b.skip2*k.groups.meanSquare(b.before.square))
		}
		layers[l].StepValues, layers[l].StepMLP = step(attention), step(mlp)
	}
	return layers, nil
}

// scoreDeviation returns the standard deviation of the attention scores of a row whose query and keys are
// those of tokens with the mean squared norm and the mean inner product of the geometry x.
func (k *Stack) scoreDeviation(x gram) float64 {
	square := k.groups.meanSquare(x.square)
	return k.architecture.spreadOf(square) * math.Sqrt(max(0, square-k.groups.mean(x.inner)))
}

// layer returns the Layer that describes tokens of geometry x, given the standard deviation of log M/D (see
// components) and the number of degrees of freedom of the tokens.
func (k *Stack) layer(x gram, deviation float64, n freedom) Layer {
	cosine := k.groups.mean(x.normalised().inner)
	l := Layer{Square: k.groups.meanSquare(x.square), Cosine: cosine, ScoreDeviation: math.NaN(),
		Participation: math.NaN(), StepValues: math.NaN(), StepMLP: math.NaN()}
	l.Low, l.High = k.shiftedCosine(cosine, -quantile*deviation), k.shiftedCosine(cosine, quantile*deviation)
	l.StableRank = k.stableRank(x, n, edgeMean)
	l.RankLow, l.RankHigh = k.rankBand(x, l.StableRank, deviation, n)
	return l
}
