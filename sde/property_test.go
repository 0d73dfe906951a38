package sde

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sphere"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// The draws of the property tests are the same in every run, unless flags say otherwise.
func init() {
	flag.Set("rapid.seed", "20260303")
	flag.Set("rapid.nofailfile", "true")
	flag.Set("rapid.checks", "500")
}

// oneLayer is a step whose properties are tested: a cell, tokens and an increment.
type oneLayer struct {
	cell              Cell
	tokens, increment []float64
	random            *rand.Rand
}

// drawLayer draws a layer of any model, scheme and attention, with common noise, in which no update is longer
// than ½, so that normalising does not magnify errors more than twice.
func drawLayer(t *rapid.T) oneLayer {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
	c := Cell{
		Model:     everyModel[rapid.IntRange(0, len(everyModel)-1).Draw(t, "model")],
		Attention: Attention(rapid.IntRange(0, len(AttentionNames)-1).Draw(t, "attention")),
		Tokens:    rapid.IntRange(1, 6).Draw(t, "N"),
		Dim:       rapid.IntRange(1, 6).Draw(t, "d"),
		Beta:      rapid.Float64Range(0, 3).Draw(t, "beta"),
		Start:     UniformStart{},
	}
	if rapid.Bool().Draw(t, "B") {
		c.Interaction = gaussianMatrix(r, c.Dim)
		sphere.Normalize(c.Interaction, c.Interaction)
	}
	scheme := rapid.SampledFrom(c.Model.Schemes()).Draw(t, "scheme")
	c.Model = parameters{scheme: scheme, sigma: 1, epsilon: 1}.of(c.Model)
	largest := math.Exp(c.Beta) // of the field, as the score is at most 1
	c.Depth = 4 * int(math.Ceil(largest))
	size := 0.25 * math.Sqrt(float64(c.Depth)) / largest // of the increment
	if len(c.Model.Noises()) > 1 {                       // whose drift has two fields and a derivative
		c.Depth *= 2 * int(math.Ceil(float64(c.Dim)*largest*(1+2*c.Beta)))
		size = 0.25 / largest
	}
	must.Do(t, c.Validate())
	increment := make([]float64, c.IncrementLen())
	for k := range increment {
		increment[k] = r.NormFloat64()
	}
	length := sphere.Normalize(increment, increment)
	for k := range increment {
		increment[k] *= min(length, size)
	}
	return oneLayer{c, uniformTokens(r, c.Tokens, c.Dim), increment, r}
}

// next returns the tokens after the layer.
func (l oneLayer) next(t *rapid.T) []float64 {
	x := slices.Clone(l.tokens)
	must.Do(t, NewStepper(l.cell).Step(x, l.increment))
	return x
}

// tolerance bounds the difference of two computations of a token. A score has an
// error of (d+4)·2^-52 for each of its three products, and so has a weight, β times,
// relatively; sums of N tokens and products with V or a rotation add N and d² roundings
// at the most; and normalising doubles it all.
func (l oneLayer) tolerance() float64 {
	n, d := float64(l.cell.Tokens), float64(l.cell.Dim)
	return 2 * 0x1p-52 * (6*l.cell.Beta*(d+4) + n + 4*d*(d+4))
}

func mustBeNear(t *rapid.T, what string, got, want []float64, tolerance float64) {
	for k := range want {
		if !(math.Abs(got[k]-want[k]) <= tolerance) {
			t.Fatalf("%s: %v, want %v: off by %g, more than %g", what, got, want, got[k]-want[k], tolerance)
		}
	}
}

// rotate returns the tokens x after the rotation q.
func rotate(q mat.Matrix, x []float64, d int) []float64 {
	var y mat.Dense
	y.Mul(mat.NewDense(len(x)/d, d, x), q.T())
	return y.RawMatrix().Data
}

// conjugate returns q·matrix·qᵀ.
func conjugate(q mat.Matrix, matrix []float64, d int) []float64 {
	var product mat.Dense
	product.Product(q, mat.NewDense(d, d, matrix), q.T())
	return product.RawMatrix().Data
}

// X → RX, V → RVRᵀ and B → RBRᵀ takes the next layer to its rotation.
func TestStepCommutesWithRotations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayer(t)
		d := l.cell.Dim
		var factors mat.QR
		factors.Factorize(mat.NewDense(d, d, gaussianMatrix(l.random, d)))
		var q mat.Dense
		factors.QTo(&q)
		turned := l
		turned.tokens = rotate(&q, l.tokens, d)
		if is[Transformer](l.cell.Model) || is[TransformerSDE](l.cell.Model) {
			turned.increment = conjugate(&q, l.increment, d)
		}
		if l.cell.Interaction != nil {
			turned.cell.Interaction = conjugate(&q, l.cell.Interaction, d)
		}
		mustBeNear(t, "rotated", turned.next(t), rotate(&q, l.next(t), d), l.tolerance())
	})
}

// Tokens in another order are the same tokens in another order a layer later.
func TestStepCommutesWithPermutations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayer(t)
		order := l.random.Perm(l.cell.Tokens)
		permute := func(x []float64) (y []float64) {
			for _, i := range order {
				y = append(y, x[i*l.cell.Dim:(i+1)*l.cell.Dim]...)
			}
			return y
		}
		permuted := l
		permuted.tokens = permute(l.tokens)
		mustBeNear(t, "permuted", permuted.next(t), permute(l.next(t)), l.tolerance())
	})
}

// X → -X takes the next layer to its opposite, bit for bit.
func TestStepIsOdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayer(t)
		opposite := l
		opposite.tokens = slices.Clone(l.tokens)
		for k, v := range l.tokens {
			opposite.tokens[k] = -v
		}
		want := l.next(t)
		for k, v := range opposite.next(t) {
			if v != -want[k] {
				t.Fatalf("entry %d: %v, not the opposite of %v", k, v, want[k])
			}
		}
	})
}

// The depth only scales the noise: V at depth L has the effect of V/√L at depth 1.
func TestDepthScalesTheNoise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayer(t)
		l.cell.Model = Transformer{Sigma: 1}
		l.increment = gaussianMatrix(l.random, l.cell.Dim)
		sphere.Normalize(l.increment, l.increment)
		shallow := l
		shallow.cell.Depth = 1
		shallow.increment = slices.Clone(l.increment)
		for k := range shallow.increment {
			shallow.increment[k] /= math.Sqrt(float64(l.cell.Depth))
		}
		mustBeNear(t, "depth 1", shallow.next(t), l.next(t), l.tolerance())
	})
}

// With softmax, two tokens make the same step for -β and V H as for β and V, where H is
// the reflection that exchanges the tokens: -β exchanges the weights of a token for
// itself and for the other one, and so the fields, which H exchanges back. As V H has
// the law of V if V is Gaussian, β and -β give two tokens the same law at every
// depth. -β is B = -Id.
func TestTwoTokensDoNotSeeTheSignOfBeta(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, opposite := drawSigns(t, 2)
		mustBeNear(t, "-β", opposite.next(t), l.next(t), l.tolerance())
	})
	differ := false
	rapid.Check(t, func(t *rapid.T) {
		l, opposite := drawSigns(t, 3)
		plus, minus := l.next(t), opposite.next(t)
		for k := range plus {
			differ = differ || math.Abs(plus[k]-minus[k]) > 1e-3
		}
	})
	if !differ {
		t.Error("three tokens do not see the sign of β")
	}
}

// drawSigns draws a layer with β and V, and the one with -β and V H, H the
// reflection that exchanges the first two tokens.
func drawSigns(t *rapid.T, tokens int) (l, opposite oneLayer) {
	l = drawLayer(t)
	d := l.cell.Dim
	l.cell.Model, l.cell.Attention, l.cell.Interaction = Transformer{Sigma: 1}, Softmax, nil
	l.cell.Tokens, l.tokens = tokens, uniformTokens(l.random, tokens, d)
	l.increment = gaussianMatrix(l.random, d)
	sphere.Normalize(l.increment, l.increment)

	opposite = l
	reflection, difference := mat.NewDense(d, d, nil), make([]float64, d)
	opposite.cell.Interaction = make([]float64, d*d)
	for k := range d {
		reflection.Set(k, k, 1)
		opposite.cell.Interaction[k*d+k] = -1
		difference[k] = l.tokens[k] - l.tokens[d+k]
	}
	sphere.Normalize(difference, difference)
	axis := mat.NewVecDense(d, difference)
	reflection.RankOne(reflection, -2, axis, axis)
	var reflected mat.Dense
	reflected.Mul(mat.NewDense(d, d, l.increment), reflection)
	opposite.increment = reflected.RawMatrix().Data
	return l, opposite
}
