package propagation

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"antipode/sphere/must"
)

// The models of Fig. 1: α = 1 collapses within 60 layers, and 1.5 and 2 do not. β = 1.8 is above β_c = √2
// even with 12 layers.
func TestPaperModels(t *testing.T) {
	for _, c := range []struct {
		alpha, beta float64
		depth       int
		want        Verdict
	}{{1, 0.02, 60, RankCollapse}, {1.5, 0.02, 60, Trainable}, {2, 0.02, 60, Trainable},
		{1, 1.8, 12, EntropyCollapse}, {1.5, 1.8, 12, EntropyCollapse}, {2, 1.8, 12, EntropyCollapse}} {
		b := bert()
		b.AlphaSA, b.Beta = c.alpha, c.beta
		s := must.Get(newMap(t, b).Signal(State{1, 0}, c.depth))(t)
		t.Logf("α = %g, β = %g, %d layers: cosine %.4f", c.alpha, c.beta, c.depth, s.Cosine)
		near(t, "β_c", s.CriticalBeta, math.Sqrt2, 1e-15)
		if got := s.Verdict(c.beta, 0.99); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// Tokens that move apart make attention condense in later layers. With pre-norm the norm of the residual
// stream does not matter.
func TestLeastCriticalBeta(t *testing.T) {
	b := chaotic()
	s := must.Get(newMap(t, b).Signal(State{1, 0.9}, 50))(t)
	near(t, "least β_c", s.CriticalBeta, CriticalBeta(1, s.Cosine), 1e-3)
	b.Kind = PreNorm
	near(t, "pre-norm β_c", newMap(t, b).CriticalBeta(State{9, 4.5}), 2, 1e-15)
	b.Kind = PostNorm
	near(t, "post-norm β_c", newMap(t, b).CriticalBeta(State{9, 4.5}), math.Sqrt(2/(9*4.5)), 1e-15)
}

// At α_c the cosine equals the threshold. α_c grows with depth, and is 0 if gain control alone keeps
// tokens apart.
func TestCriticalAlpha(t *testing.T) {
	before := 0.0
	for _, depth := range []int{6, 12, 24, 60, 200} {
		alpha, ok, err := CriticalAlpha(bert(), State{1, 0}, depth, 0.99)
		if err != nil || !ok || alpha <= before && depth > 12 {
			t.Errorf("%d layers: α_c = %g, before %g, %v, %v", depth, alpha, before, ok, err)
		}
		t.Logf("%d layers: α_c = %.6f", depth, alpha)
		before = alpha
		if alpha == 0 {
			continue
		}
		b := bert()
		b.AlphaSA = alpha
		s, _ := newMap(t, b).Signal(State{1, 0}, depth)
		near(t, "cosine at α_c", s.Cosine, 0.99, 1e-7)
		r, ok, err := Recommend(b, State{1, 0}, depth, 0.99)
		if err != nil || !ok || !(math.Abs(r.Edge-alpha) <= 1e-8) ||
			!(math.Abs(r.Beta-math.Sqrt2/2) <= 1e-12) {
			t.Errorf("recommended %+v, %v, %v", r, ok, err)
		}
	}
	b := bert()
	b.SigmaB2, b.AlphaMLP = 10, 0 // the biases alone make all tokens alike
	if _, ok, err := CriticalAlpha(b, State{1, 0}, 60, 0.99); ok || err != nil {
		t.Errorf("a strength beside large biases: %v", err)
	}
	b = bert()
	b.Kind = PreNorm // whose norm overflows with the largest strength
	alpha, ok, err := CriticalAlpha(b, State{1, 0}, 200, 0.6)
	if err != nil || !ok || !(alpha > 0.1) {
		t.Errorf("pre-norm: α_c = %g, %v, %v", alpha, ok, err)
	}
	t.Logf("pre-norm, 200 layers: α_c(0.6) = %.6f", alpha)
	b = bert()
	b.Kind = GainPostNorm
	if alpha, ok, err := CriticalAlpha(b, State{1, 0}, 60, 0.99); err != nil || !ok || alpha != 0 {
		t.Errorf("gain control: α_c = %g, %v, %v", alpha, ok, err)
	}
}

// Without values, or with gain control, tokens become 0 with the strength 0, and any other strength keeps
// them apart: α_c and the recommended strength are 0, and the recommended β is that of such a strength.
func TestAnyStrengthAboveZero(t *testing.T) {
	gain, still := bert(), bert()
	gain.Kind, still.SigmaV2 = GainPostNorm, 0
	for _, b := range []Block{gain, still} {
		b.AlphaSA = 0
		if s := must.Get(newMap(t, b).Signal(State{1, 0}, 6))(t); s.Cosine != 1 {
			t.Errorf("%v: cosine %v without skip connections", b.Kind, s.Cosine)
		}
		b.AlphaSA = 1e-6
		s := must.Get(newMap(t, b).Signal(State{1, 0}, 6))(t)
		r, ok, err := Recommend(b, State{1, 0}, 6, 0.99)
		if err != nil || !ok || r.Edge != 0 || r.AlphaSA != 0 ||
			!(math.Abs(2*r.Beta-s.CriticalBeta) <= 1e-6) {
			t.Errorf("%v: recommended %+v, %v, %v", b.Kind, r, ok, err)
		}
	}
}

// A stronger residual connection of attention never makes tokens more alike, below β_c and
// without gain control.
func TestCosineFallsWithAlpha(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBlock(t)
		b.Beta, b.Kind = 0, b.Kind%2 // without gain control
		a1 := rapid.Float64Range(0, 5).Draw(t, "first")
		a2 := a1 + rapid.Float64Range(0, 5).Draw(t, "more")
		start := State{1, rapid.Float64Range(0, 1).Draw(t, "rho")}
		var cosines []float64
		for _, alpha := range []float64{a1, a2} {
			b.AlphaSA = alpha
			m := must.Get(NewMap(b))(t)
			s := must.Get(m.Signal(start, 10))(t)
			cosines = append(cosines, s.Cosine)
		}
		if !(cosines[1] <= cosines[0]+1e-9) {
			t.Fatalf("%+v: α %g and %g, cosine %v", b, a1, a2, cosines)
		}
	})
}

// A diagram of 200×200 cells and 60 layers.
func BenchmarkDiagram(b *testing.B) {
	for b.Loop() {
		for i := range 200 {
			for j := range 200 {
				block := bert()
				block.AlphaSA, block.Beta = float64(i)/66, float64(j)/66
				must.Get(newMap(b, block).Signal(State{1, 0}, 60))(b)
			}
		}
	}
}

// The margin lies between what does not learn and what does in the map of training: strengths 1.2 and
// 1.6, for 12 layers and an initial overlap of 0.065. The edge is the first strength, in steps of 0.0005,
// for which the cosine of tokens after all layers is at most 0.99.
func TestMarginIsThatOfTheMap(t *testing.T) {
	start := State{1, 0.065}
	cosine := func(alpha float64) float64 {
		b := bert()
		b.AlphaSA = alpha
		curve := must.Get(newMap(t, b).Curve(start, 12))(t)
		return curve[12].P / curve[12].Q
	}
	edge := 0.4
	for cosine(edge) > 0.99 {
		edge += 0.0005
	}
	r, ok, err := Recommend(bert(), start, 12, 0.99)
	if err != nil || !ok || edge-r.Edge < 0 || edge-r.Edge > 0.0005 ||
		math.Abs(r.AlphaSA-3.2*r.Edge) > 1e-12 {
		t.Errorf("%+v, %v, %v; the edge is at %g", r, ok, err, edge)
	}
	if !(1.2 < 0.8*r.AlphaSA && r.AlphaSA < 1.601) {
		t.Errorf("strength %g with the margin is not that of the map", r.AlphaSA)
	}
	strict, ok, err := Recommend(bert(), start, 12, 0.2)
	if err != nil || !ok || strict.AlphaSA != strict.Edge || !(math.Abs(cosine(strict.Edge)-0.2) <= 1e-7) {
		t.Errorf("a cosine of 0.2: %+v, %v, %v", strict, ok, err)
	}
}

// The depth at which a cosine is reached is the first one of a curve, and also the one after which the
// curve stays above the cosine.
func TestReach(t *testing.T) {
	for _, alpha := range []float64{0.5, 1, 1.5} {
		b := bert()
		b.AlphaSA = alpha
		m, start := newMap(t, b), State{1, 0.1}
		curve := must.Get(m.Curve(start, 400))(t)
		want := slices.IndexFunc(curve, func(s State) bool { return s.P/s.Q >= 0.99 })
		depth, reached, err := m.Reach(start, 0.99, 400)
		if err != nil || !reached || depth != want || want < 2 {
			t.Errorf("α = %g: %d, %v, %v; want %d", alpha, depth, reached, err, want)
		}
		if _, reached, err := m.Reach(start, 0.99, want-1); reached || err != nil {
			t.Errorf("α = %g: reached before, %v", alpha, err)
		}
	}
	m := newMap(t, bert())
	if depth, reached, err := m.Reach(State{1, 1}, 0.99, 5); depth != 0 || !reached || err != nil {
		t.Errorf("alike at the start: %d, %v, %v", depth, reached, err)
	}
	b := bert()
	b.AlphaSA = 0 // the first block gives 0
	if depth, reached, err := newMap(t, b).Reach(State{1, 0}, 0.99, 5); depth != 1 || !reached || err != nil {
		t.Errorf("tokens that become 0: %d, %v, %v", depth, reached, err)
	}
	b.Kind, b.AlphaSA = PreNorm, MaxAlpha
	if depth, reached, err := newMap(t, b).Reach(State{1, 0}, 1, 1000); depth != 0 || reached || err != nil {
		t.Errorf("norms that overflow: %d, %v, %v", depth, reached, err)
	}
}

// A curve does not begin at tokens of norm 0, or of a norm or an overlap that cannot be.
func TestStartsOfCurvesAreRefused(t *testing.T) {
	m := newMap(t, bert())
	for _, s := range []State{{0, 0}, {-1, 0}, {math.NaN(), 0}, {math.Inf(1), 0}, {1, 1.1}, {1, -0.1}} {
		if curve, err := m.Curve(s, 0); err == nil {
			t.Errorf("from %v: %v", s, curve)
		}
	}
}

// Without layers the cosine remains that of the start, so that no residual connection is needed, or none is
// strong enough.
func TestCriticalAlphaWithoutLayers(t *testing.T) {
	for collapse, want := range map[float64]bool{0.5: true, 0.49: false} {
		alpha, ok, err := CriticalAlpha(bert(), State{2, 1}, 0, collapse)
		if alpha != 0 || ok != want || err != nil {
			t.Errorf("cosine of at most %v: %v, %t, %v", collapse, alpha, ok, err)
		}
	}
}
