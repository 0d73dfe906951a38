package sde

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sphere"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func uniformTokens(r *rand.Rand, n, d int) []float64 {
	x := make([]float64, n*d)
	sphere.Uniform(x, d, r.NormFloat64)
	return x
}

func gaussianMatrix(r *rand.Rand, d int) []float64 {
	m := make([]float64, d*d)
	for k := range m {
		m[k] = r.NormFloat64()
	}
	return m
}

// fieldByMatrices computes the attention field by its definition, with gonum and math.
func fieldByMatrices(c Cell, x []float64) *mat.Dense {
	tokens := mat.NewDense(c.Tokens, c.Dim, slices.Clone(x))
	b := mat.NewDense(c.Dim, c.Dim, nil)
	for k := range c.Dim {
		b.Set(k, k, 1)
	}
	if c.Interaction != nil {
		b = mat.NewDense(c.Dim, c.Dim, c.Interaction)
	}
	var xb, scores, field mat.Dense
	xb.Mul(tokens, b)
	scores.Mul(&xb, tokens.T())
	for i := range c.Tokens {
		row := scores.RawRowView(i)
		floats.Scale(c.Beta, row)
		shift := math.Log(float64(c.Tokens))
		if c.Attention == Softmax {
			shift = floats.LogSumExp(row)
		}
		for j := range row {
			row[j] = math.Exp(row[j] - shift)
		}
	}
	field.Mul(&scores, tokens)
	return &field
}

func TestFieldEqualsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		n, d := 1+r.IntN(6), 1+r.IntN(6)
		c := Cell{Model: Transformer{}, Tokens: n, Dim: d, Beta: 4 * r.Float64(),
			Attention: Attention(r.IntN(2))}
		if r.IntN(2) == 0 {
			c.Interaction = gaussianMatrix(r, d)
		}
		x := uniformTokens(r, n, d)
		got := make([]float64, n*d)
		c.Field(got, x)
		want := fieldByMatrices(c, x).RawMatrix().Data
		size := floats.Norm(want, math.Inf(1))
		if !floats.EqualApprox(got, want, 1e-13*max(1, size)) {
			t.Fatalf("N=%d d=%d %v β=%v B=%v: field %v, want %v", n, d, c.Attention, c.Beta, c.Interaction,
				got, want)
		}
	}
}

func TestFieldAtExtremeBeta(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := uniformTokens(r, 5, 3)
	field := make([]float64, len(x))
	Cell{Model: Transformer{}, Tokens: 5, Dim: 3, Beta: 1e6}.Field(field, x)
	if !floats.EqualApprox(field, x, 1e-12) { // each token attends to itself
		t.Errorf("β=10^6: field %v of tokens %v", field, x)
	}
	Cell{Model: Transformer{}, Tokens: 5, Dim: 3, Beta: 0}.Field(field, x)
	for i := range 5 {
		for k := range 3 {
			mean := (x[k] + x[3+k] + x[6+k] + x[9+k] + x[12+k]) / 5
			if !(math.Abs(field[3*i+k]-mean) <= 1e-15) {
				t.Errorf("β=0: field of token %d is not the mean", i)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Softmax.String(), "softmax"}, {Unnormalized.String(), "unnormalized"},
		{Attention(9).String(), "Attention(9)"},
		{Rademacher.String(), "rademacher"}, {Law(-1).String(), "Law(-1)"},
		{Flow{}.String(), "flow"}, {HybridSDE{}.String(), "hybrid-sde"},
		{Heun.String(), "heun"}, {Scheme(4).String(), "Scheme(4)"}, {IndependentNoise.String(),
			"independent"},
		{Noise(2).String(), "Noise(2)"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// Field returns the attention field by which the flow moves the tokens.
func TestFieldOfACell(t *testing.T) {
	for _, c := range models(3, 4) {
		if c.Model != Model(Flow{}) {
			continue
		}
		x := startOf(t, c, 0)
		field, next := make([]float64, len(x)), slices.Clone(x)
		c.Field(field, x)
		must.Do(t, NewStepper(c).Step(next, nil))
		for i := 0; i < len(x); i += 4 {
			for k := range field[i : i+4] {
				field[i+k] = x[i+k] + field[i+k]/float64(c.Depth)
			}
			sphere.Normalize(field[i:i+4], field[i:i+4])
		}
		if !floats.EqualApprox(field, next, 1e-15) {
			t.Errorf("%s: the flow goes to %v, its field to %v", name(c), next, field)
		}
	}
}
