package collapse

import (
	"math"
	"strings"
	"testing"

	"antipode/internal/domaintest"
	"antipode/sphere/must"
)

// The closed forms agree with the recursion in the proofs of Lemmas 3.2 and 3.3.
func TestAfterIsTheRecursion(t *testing.T) {
	s, r := Alike(7, 1.3, 0.2), Residual{Attention: 0.3, MLP: 0.15}
	inner, square := s.Inner, s.Square
	for layer := range 40 {
		got := must.Get(s.After(r, layer))(t)
		if math.Abs(got.Inner/inner-1)+math.Abs(got.Square/square-1) > 1e-13 {
			t.Fatalf("%d layers: %+v, by recursion %g, %g", layer, got, square, inner)
		}
		square, inner = (1+r.MLP)*(square+r.Attention*inner/7), (1+r.MLP)*(1+r.Attention)*inner
	}
}

// (11), (13) and (15) are limits that are approached like 1/L; (15) is compared as printed.
func TestScaledIsTheLimit(t *testing.T) {
	s, total := Alike(20, 1, 0.1), Residual{Attention: 1.5, MLP: 0.7}
	limit := must.Get(s.Scaled(total))(t)
	growth := math.Exp(total.Attention)
	printed := (20*growth*s.Inner/((growth-1)*s.Inner+20*s.Square) - 1) / 19
	if !(math.Abs(limit.Correlation()-printed) <= 1e-14) {
		t.Errorf("correlation %v, (15) %v", limit.Correlation(), printed)
	}
	before := math.Inf(1)
	for _, layers := range []int{100, 1000, 10000} {
		deep, err := s.After(Residual{total.Attention / float64(layers), total.MLP / float64(layers)}, layers)
		if err != nil {
			t.Fatal(err)
		}
		far := math.Abs(deep.Square/limit.Square-1) + math.Abs(deep.Inner/limit.Inner-1)
		if far*float64(layers) > 3 || far > 0.11*before {
			t.Errorf("%d layers differ from the limit by %g, fewer by %g", layers, far, before)
		}
		before = far
	}
}

// (16) and its exceptions agree with many layers.
func TestDeepCorrelation(t *testing.T) {
	for _, c := range []struct {
		s    Stream
		r    Residual
		want float64
	}{
		{Alike(5, 1, 0.1), Residual{0.5, 0.2}, 1},
		{Alike(5, 1, 0.1), Residual{0.5, 0}, 1},
		{Alike(5, 1, 0.1), Residual{0, 0.2}, 0.1},
		{Stream{5, 1, 0}, Residual{0.5, 0.2}, -0.25},
	} {
		got, err := c.s.DeepCorrelation(c.r)
		deep, err2 := c.s.After(c.r, 500)
		if err != nil || err2 != nil || math.Abs(got-c.want) > 1e-15 ||
			math.Abs(deep.Correlation()-got) > 1e-9 {
			t.Errorf("%+v, %+v: limit %v, after 500 layers %v, want %v (%v, %v)", c.s, c.r, got,
				deep.Correlation(), c.want, err, err2)
		}
	}
}

// A ReLU block makes tokens more similar than a linear one and preserves norms. Equal tokens stay equal.
func TestReLUBlock(t *testing.T) {
	r := Residual{0.4, 0.6}
	s := Alike(9, 1.1, 0.3)
	relu, err := s.ReLU(r)
	linear, err2 := s.After(r, 1)
	if err != nil || err2 != nil || math.Abs(relu.Square/linear.Square-1) > 1e-14 ||
		relu.Correlation() <= linear.Correlation() {
		t.Errorf("ReLU %+v, linear %+v, errors %v, %v", relu, linear, err, err2)
	}
	if same, err := Alike(9, 1.1, 1.1).ReLU(r); err != nil || !(math.Abs(same.Correlation()-1) <= 1e-14) {
		t.Errorf("tokens that agree: %+v, %v", same, err)
	}
}

func TestHypotheses(t *testing.T) {
	nan := math.NaN()
	ok := Alike(3, 1, 0.5)
	m := must.Get(momentsOf([]float64{1, 2, 3, 4}, 2, 2))(t)
	for want, err := range map[string]error{
		"1 tokens":               domaintest.Error(momentsOf([]float64{1}, 1, 1)),
		"dimension 0":            domaintest.Error(momentsOf(nil, 2, 0)),
		"3 numbers":              domaintest.Error(momentsOf([]float64{1, 2, 3}, 2, 2)),
		"token 1 is NaN":         domaintest.Error(momentsOf([]float64{1, nan}, 2, 1)),
		"key dimension 0":        domaintest.Error(m.QueryGradient(weights{})),
		"σ_k² = -1":              domaintest.Error(m.QueryGradient(weights{KeyDim: 1, Key: -1})),
		"τ = NaN":                domaintest.Error(m.InputGradient(weights{KeyDim: 1, Temperature: nan})),
		"ρ = -0.6":               domaintest.Error(Gaussian{3, 2, 1, -0.6}.ValueGradient()),
		"σ_x² = -1":              domaintest.Error(Gaussian{3, 2, -1, 0}.QueryGradient(1)),
		"no temperature":         domaintest.Error(Gaussian{3, 2, 1, 1}.Temperature()),
		"key dimension -1":       domaintest.Error(newScores(m, -1)),
		"-2 layers":              domaintest.Error(ok.After(Residual{}, -2)),
		"α₁² = -1":               domaintest.Error(ok.After(Residual{-1, 0}, 1)),
		"squared norm of 0":      domaintest.Error(Stream{3, 0, 0}.Scaled(Residual{})),
		"inner products of 4":    domaintest.Error(Stream{3, 1, 4}.Scaled(Residual{})),
		"overflows":              domaintest.Error(ok.After(Residual{1, 1}, 10_000)),
		"inner products of -0.5": domaintest.Error(Stream{3, 1, -0.5}.DeepCorrelation(Residual{})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
