package stack

import (
	"math"
	"strings"
	"testing"

	"antipode/overlap/propagation"
)

// usual returns an architecture in which all parameters have different values.
func usual() Architecture {
	return Architecture{
		Layers: 5, Dim: 96, Tokens: 11, SkipSA: 0.9, SkipMLP: 1.1, BranchSA: 0.8, BranchMLP: 1.2,
		QueryKey2: 0.7, Value2: 0.5, Projection2: 0.6, Hidden2: 0.4, Output2: 0.45, Width: 200,
		Activation: ReLU,
		Input:      Input{Square: 1, Cosine: 0.1},
	}
}

func must(t *testing.T, s Architecture) *Stack {
	t.Helper()
	k, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func forward(t *testing.T, s Architecture) []Layer {
	t.Helper()
	layers, err := must(t, s).Forward()
	if err != nil {
		t.Fatal(err)
	}
	return layers
}

// If all tokens have the same geometry and branches have strength 1, the results agree with the maps of
// package propagation. The difference is due to the approximation of E ΣA_tsA_us, which is exact for
// equal scores.
func TestAgainstPropagation(t *testing.T) {
	for _, kind := range []propagation.Kind{propagation.PostNorm, propagation.PreNorm} {
		for spread, tolerance := range map[float64]float64{0: 1e-12, 0.7: 2e-4, 3: 0.015} {
			s := usual()
			s.QueryKey2, s.WideLimit = spread, true
			if s.Norm = PostNorm; kind == propagation.PreNorm {
				s.Norm = PreNorm
			}
			s.BranchSA, s.BranchMLP, s.Projection2, s.Output2 = 1, 1, 1, s.Hidden2
			m, err := propagation.NewMap(propagation.Block{
				Kind: kind, Beta: spread / math.Sqrt(math.Log(11)), SigmaV2: 0.5, SigmaW2: 0.4, AlphaSA: 0.9,
				AlphaMLP: 1.1, Activation: propagation.ReLU, Tokens: 11,
			})
			if err != nil {
				t.Fatal(err)
			}
			want, err := m.Curve(propagation.State{Q: 1, P: 0.1}, 5)
			if err != nil {
				t.Fatal(err)
			}
			for l, layer := range forward(t, s) {
				if math.Abs(layer.Cosine-want[l].Cosine()) > tolerance ||
					math.Abs(layer.Square/want[l].Q-1) > 10*tolerance {
					t.Errorf("%v, S = %g, layer %d: %g and %g, want %g and %g", kind, spread, l, layer.Cosine,
						layer.Square, want[l].Cosine(), want[l].Q)
				}
			}
		}
	}
}

// The outputs of causal attention with equal weights are means over pairs of earlier tokens. This is
// exact for the first tokens, each of which is a group of its own, and holds on average for later ones.
func TestCausalAttention(t *testing.T) {
	for tokens, tolerance := range map[int]float64{11: 1e-12, 90: 0.01} {
		s := usual()
		s.Causal, s.Tokens, s.QueryKey2 = true, tokens, 0
		k := must(t, s)
		out, _ := k.groups.attentionAverage(k.groups.inputGram(s.Input).normalised(), s, float64(s.Dim))
		overlaps := make([]float64, tokens*tokens)
		for i := range overlaps {
			if overlaps[i] = 0.1; i%(tokens+1) == 0 {
				overlaps[i] = 1
			}
		}
		want, err := propagation.UniformCausal(overlaps, tokens, 1)
		if err != nil {
			t.Fatal(err)
		}
		square, inner := 0.0, 0.0
		for i, v := range want {
			if i%(tokens+1) == 0 {
				square += v / float64(tokens)
			} else {
				inner += v / float64(tokens*(tokens-1))
			}
		}
		gotSquare, gotInner := k.groups.meanSquare(out.square), k.groups.mean(out.inner)
		if !(math.Abs(gotSquare/square-1) <= tolerance) || !(math.Abs(gotInner/inner-1) <= tolerance) {
			t.Errorf("%d tokens: %g and %g, want %g and %g", tokens, gotSquare, gotInner, square, inner)
		}
	}
}

// Rows of attention have the sums of squares that package propagation computes, for all lengths.
func TestRows(t *testing.T) {
	s := usual()
	s.Causal, s.Tokens, s.QueryKey2 = true, 700, 3.3
	k := must(t, s)
	for _, n := range []float64{2, 5, 31.5, 240, 700} {
		for _, deviation := range []float64{0.2, 1.1, 3.2} {
			row, err := propagation.FiniteRow(n, deviation)
			if err != nil {
				t.Fatal(err)
			}
			if got := k.groups.participation.at(n, deviation) / n; !(math.Abs(got/row.Y2-1) <= 0.02) {
				t.Errorf("n = %g, s = %g: %g, want %g", n, deviation, got, row.Y2)
			}
		}
	}
}

// Reach agrees with the stack: the cosine first reaches the value after the returned layer.
func TestReach(t *testing.T) {
	s := usual()
	s.Layers = 60
	k, layers := must(t, s), forward(t, s)
	for _, cosine := range []float64{0.05, 0.5, 0.9, 0.99} {
		got := k.Reach(60, cosine)[0]
		if got < 0 || layers[got].Cosine < cosine || got > 0 && layers[got-1].Cosine >= cosine {
			t.Errorf("cosine %g after layer %d", cosine, got)
		}
	}
	if got := k.Reach(2, 0.1, 0.99); len(got) != 2 || got[0] < 0 || got[1] != -1 {
		t.Errorf("layers %d", got)
	}
}

// The band contains the mean, narrows like d^(-1/2) as d grows, and has no width if nothing is random.
func TestBand(t *testing.T) {
	s := usual()
	wide := s
	wide.Dim, wide.Width = 16*s.Dim, 16*s.Width
	narrow, wider := forward(t, s), forward(t, wide)
	for l := range narrow {
		a, b := narrow[l], wider[l]
		if !(a.Low < a.Cosine && a.Cosine < a.High) {
			t.Errorf("layer %d: %+v", l, a)
		}
		if ratio := (a.High - a.Low) / (b.High - b.Low); !(math.Abs(ratio-4) <= 0.4) {
			t.Errorf("layer %d: a band %g times as wide for d 16 times as large", l, ratio)
		}
	}
	s.Input.Fixed = true
	if l := forward(t, s)[0]; l.Low != l.Cosine && !(math.Abs(l.High-l.Low) <= 1e-12) {
		t.Errorf("%+v", l)
	}
}

// Fields out of their domain are rejected, with their name and value.
func TestCheck(t *testing.T) {
	for want, change := range map[string]func(s *Architecture){
		"layers 0":                           func(s *Architecture) { s.Layers = 0 },
		"dimension 1 ":                       func(s *Architecture) { s.Dim = 1 },
		"tokens 1 ":                          func(s *Architecture) { s.Tokens = 1 },
		"width of the MLP -1":                func(s *Architecture) { s.Width = -1 },
		"activation 7":                       func(s *Architecture) { s.Activation = 7 },
		"attention's skip connection NaN":    func(s *Architecture) { s.SkipSA = math.NaN() },
		"strength of the MLP +Inf":           func(s *Architecture) { s.BranchMLP = math.Inf(1) },
		"queries and keys 31":                func(s *Architecture) { s.QueryKey2 = 31 },
		"variance of values -0.5":            func(s *Architecture) { s.Value2 = -0.5 },
		"cosine 1 of the input":              func(s *Architecture) { s.Input.Cosine = 1 },
		"squared norm of the input 0 is not": func(s *Architecture) { s.Input.Square = 0 },
	} {
		s := usual()
		change(&s)
		if _, err := New(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	least := Architecture{Layers: 1, Dim: 2, Tokens: 2, Width: 1, Input: Input{Square: 1e-300}}
	greatest := Architecture{Layers: MostLayers, Dim: MostDim, Tokens: MostTokens, Width: MostDim,
		Activation: Activation(len(ActivationNames) - 1), Norm: Placement(len(PlacementNames) - 1),
		Bias2: LargestVariance, SkipSA: LargestStrength, SkipMLP: LargestStrength, BranchSA: LargestStrength,
		BranchMLP: LargestStrength, QueryKey2: LargestSpread, Value2: LargestVariance,
		Projection2: LargestVariance, Hidden2: LargestVariance, Output2: LargestVariance,
		Input: Input{Square: LargestVariance, First: LargestVariance, Cosine: 1 - 0x1p-53}}
	for _, s := range []Architecture{least, greatest} {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
}

// Tokens that become 0 or overflow are an error, whatever is asked. Then no cosine is reached, and no change
// and no skip connection suffices.
func TestTokensWithoutANorm(t *testing.T) {
	vanishing, growing := usual(), usual()
	vanishing.SkipSA, vanishing.BranchSA = 0, 0
	growing.Norm, growing.Layers = PreNorm, 300
	growing.SkipSA, growing.SkipMLP, growing.Input.Square = LargestStrength, LargestStrength, 1
	for _, c := range []struct {
		s    Architecture
		want error
	}{{vanishing, errVanished}, {growing, errOverflow}} {
		k := must(t, c.s)
		for what, ask := range map[string]func() error{
			"forward":  func() error { _, err := k.Forward(); return err },
			"backward": func() error { _, err := k.Backward(); return err },
			"signal":   func() error { _, err := k.Signal(); return err },
			"cosines":  func() error { _, err := k.Cosines(2); return err },
			"changes":  func() error { _, err := k.Changes(0.9); return err },
		} {
			if err := ask(); err != c.want {
				t.Errorf("%s: %v, want %v", what, err, c.want)
			}
		}
		change := Change{Kind: Values, Factor: 1}
		change.check(k, 1)
		if change.Passes || change.Signal.Cosine != 1 || change.Signal.Margin == change.Signal.Margin {
			t.Errorf("a change passes: %+v", change)
		}
	}
	if got := must(t, vanishing).Reach(20, 2); got[0] != -1 {
		t.Errorf("a cosine of 2 is reached after %d layers", got[0])
	}
	change := Change{Kind: Values, Factor: 1}
	if change.check(nil, 1); change.Passes || change.Signal.Cosine != 1 {
		t.Errorf("a change out of the domain passes: %+v", change)
	}
	for norm, want := range map[float64]error{
		0: errVanished, 5e-324: nil, math.MaxFloat64 / 4: nil, math.MaxFloat64 / 3: errOverflow,
		math.NaN(): errOverflow,
	} {
		if got := (gram{square: []float64{1, norm}}).check(); got != want {
			t.Errorf("norm %v: %v, want %v", norm, got, want)
		}
	}
}
