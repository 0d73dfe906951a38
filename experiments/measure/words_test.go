package measure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/experiments/measure/weights"
	"antipode/internal/domaintest"
)

// layersWith returns rows of two layers in which tokens differ from each other, after change has changed the
// second.
func layersWith(change func(last *LooseRow)) []LooseRow {
	rows := []LooseRow{
		{Row: Row{Layer: 0, Tokens: 4, Norm: 2, Overlap: 0.1, Low: 0, High: 0.2, StableRank: 3, Clusters: 4,
			Energy: 0.9, Theory: math.NaN()}},
		{Row: Row{Layer: 9, Tokens: 4, Norm: 3, Overlap: 0.2, Low: 0.02, High: 0.5, StableRank: 2,
			Clusters: 4,
			Energy:   0.9, Theory: math.NaN()}},
	}
	change(&rows[1])
	return rows
}

// Each number becomes a sentence, with advice if something is wrong.
func TestWordsOfLayers(t *testing.T) {
	for name, c := range map[string]struct {
		change    func(last *LooseRow)
		want, not []string
	}{
		"apart": {func(*LooseRow) {}, []string{
			"Overlap: tokens of layer 9 have a mean cosine of 0.2: two tokens differ by 126 % of their " +
				"length, and nine tenths of the pairs by 100 % to 140 %; in layer 0 the mean cosine is " +
				"0.1, a difference of 134 %.",
			"no two tokens have a cosine of 0.999 or more, which is 4.5 % of a length apart or less; " +
				"--thresholds",
			"of XXᵀ, λ its eigenvalues: 3 in layer 0, and 2 in layer 9, of 4 tokens; 1 means that all tokens",
			"a length of 2 in layer 0, and 3 in layer 9, which is 1.5 times as long", "What to do: nothing"},
			[]string{"Opposite", "Theory", "Branches", "LayerNorm"}},
		"collapsed": {func(r *LooseRow) { r.Overlap, r.Low, r.High = 0.97, 0.5, 0.98 }, []string{
			"a mean cosine of 0.97: two tokens differ by 24 % of their length, and nine tenths of the " +
				"pairs by 20 % to 100 %", "from layer 9 on (mean cosine 0.97) layers see few different " +
				"tokens",
			"1/√(2·layers)"},
			[]string{"do: nothing", "LayerNorm"}},
		"the same": {func(r *LooseRow) { r.Plus, r.Clusters, r.StableRank = 0.6, 3, 1 }, []string{
			"60 % of the pairs have a cosine of 0.999", "such pairs connect 4 tokens to 3 clusters", "from " +
				"layer 9 on"},
			[]string{"do: nothing", "LayerNorm"}},
		"one": {func(r *LooseRow) { r.Overlap, r.Low, r.High, r.Plus, r.Clusters = 1, 1, 1, 1, 1 },
			[]string{"the tokens are a single cluster", "tokens of layer 9 coincide up to rounding, with " +
				"mean cosine 1; in layer 0 the mean cosine is 0.1, a difference of 134 " +
				"%."}, []string{"do: nothing", "differ by 0"}},
		"nearly one": {func(r *LooseRow) { r.Overlap, r.Low, r.High = 0.99999, 0.9999, 1 },
			[]string{"two tokens differ by 0.45 % of their length, and nine tenths of the pairs by less " +
				"than 1e-05 % to 1.4 %"}, []string{"do: nothing"}},
		"opposite": {func(r *LooseRow) { r.Minus, r.Antipodal = 0.4, 0.3 }, []string{
			"40 % of the pairs point in opposite directions, and 30 % of the sequences are two opposite " +
				"clusters",
			"an MLP that is not odd"}, []string{"do: nothing", "few different"}},
		"opposite at nearly 180°": {func(r *LooseRow) { r.Overlap, r.StableRank = -0.95, 1.03 }, []string{
			"nearly along one line. Either many are nearly equal or opposite, or one token"},
			[]string{"do: nothing", "not alike"}},
		"a long token": {func(r *LooseRow) { r.StableRank = 1.02 }, []string{"LayerNorm before the " +
			"layer that reads the tokens"},
			[]string{"do: nothing"}},
		"growing": {func(r *LooseRow) { r.Norm = 20 }, []string{"10 times as long", "a branch is 10 times " +
			"smaller"},
			[]string{"do: nothing"}},
		"beside theory": {func(r *LooseRow) { r.Theory = 0.75 }, []string{
			"a mean cosine of 0.75 in layer 9; the largest difference is in layer 9, 0.2 measured and " +
				"0.75"}, nil},
	} {
		m := New()
		got := m.inWords(layersWith(c.change))
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, got)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q is in\n%s", name, not, got)
			}
		}
	}
	if got := New().inWords(layersWith(func(r *LooseRow) { r.Overlap = math.NaN() })); got !=
		"There are fewer than two tokens to compare.\n" {
		t.Errorf("one token: %q", got)
	}
}

// The difference of two tokens of equal length with a given cosine, as a percentage of their length.
func TestDifferenceOfACosine(t *testing.T) {
	sin, cos := math.Sincos(math.Acos(0.97))
	if d := 100 * math.Hypot(1-cos, sin); !(math.Abs(d-difference(0.97)) <= 1e-9) {
		t.Errorf("two tokens differ by %g %%, not %g", d, difference(0.97))
	}
}

// If the value matrices of all layers contain a multiple of the identity, always of the same sign, the report
// calls it a drift, which the columns on opposite tokens ignore; if the sign varies, or the multiple may be
// due to chance, it does not.
func TestWordsOfADrift(t *testing.T) {
	layers := func(identities, lows []float64) model {
		m := model{}
		for k := range identities {
			m.layers = append(m.layers, weights.Row{Layer: float64(k + 1), MinusOne: 1, MLPOdd: 1,
				Invariants: weights.Invariants{Identity: identities[k], C: weights.Estimate{Low: lows[k]}}})
		}
		return m
	}
	for _, c := range []struct {
		identities, lows []float64
		want             string
	}{
		{[]float64{0.3, 0.2}, []float64{0.1, 0.1}, "a drift that moves tokens together"},
		{[]float64{-0.3, -0.2}, []float64{0.1, 0.1}, "a drift that moves tokens apart"},
		{[]float64{0.3, -0.2}, []float64{0.1, 0.1}, "stay opposite under layers such as 2 of these 2"},
		{[]float64{0.3, 0.2}, []float64{0.1, -0.1}, "stay opposite under layers such as 2 of these 2"},
		{[]float64{0.3}, []float64{0.1}, "stay opposite under layers such as 1 of these 1"},
	} {
		var b strings.Builder
		layers(c.identities, c.lows).boundary(&b)
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("%v: %q is not in %q", c.identities, c.want, &b)
		}
	}
}

// The sentence on the energy gives 100 % if all tokens coincide, and for tokens at right angles what its
// formula gives, for any β, also as a mean over sequences of different lengths.
func TestWordsOfAnEnergy(t *testing.T) {
	for _, c := range []struct {
		beta, cosine float64
		lengths      []int
		want         string
	}{
		{0.5, 1, []int{5}, "is 100 % of that of tokens that coincide; "},
		{3, 1, []int{30, 2}, "is 100 % of that of tokens that coincide; "},
		// 36.8 % + 63.2 %/N with 1/N = 1/30, and with its mean (1/30 + 1/2)/2
		{1, 0, []int{30, 30}, "is 38.9 % of that of tokens that coincide; that of N tokens at right angles " +
			"is 36.8 % + 63.2 %/N."},
		{1, 0, []int{30, 2}, "is 53.6 % of that of tokens that coincide; that of N tokens at right angles " +
			"is 36.8 % + 63.2 %/N."},
		{1, 0, []int{2, 0}, "is 68.4 % of that of tokens that coincide; "},
		{1, -0.2, []int{5}, "is 44.1 % of that of tokens that coincide; "},
	} {
		m, layer := New(), mean{}
		m.Beta = c.beta
		meter := &meter{beta: c.beta, tolerance: m.Tolerance}
		for _, n := range c.lengths {
			s := statisticsOf([]float64{float64(n)})
			if n > 0 {
				meter.gram = slices.Repeat([]float64{c.cosine}, n*n)
				meter.pairs(&s, n)
			}
			layer.add(s.slice(numbers))
		}
		if got := m.energy(layer.statistics().Row); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Among layers that differ from the theory equally, the first is named.
func TestLargestDifferenceFromTheory(t *testing.T) {
	var rows []LooseRow
	for layer, difference := range []float64{0, 0.125, 0.0625, 0.125} {
		rows = append(rows, LooseRow{Row: Row{Layer: int32(layer), Overlap: 0.5, Theory: 0.5 + difference}})
	}
	if got := New().beside(rows); !strings.Contains(got, "difference is in layer 1, 0.5 measured and 0.625") {
		t.Error(got)
	}
}

// What to do is said from a limit on, on the side that the limit itself belongs to.
func TestLimitsOfAdvice(t *testing.T) {
	const few, opposite = "layers see few different tokens", "opposite tokens are one direction"
	const long, growing = "LayerNorm before the layer", "For late layers to count"
	for _, c := range []struct {
		change func(last *LooseRow)
		advice string
		given  bool
	}{
		{func(r *LooseRow) { r.Minus = 0.1 }, opposite, true},
		{func(r *LooseRow) { r.Minus = domaintest.Below(0.1) }, opposite, false},
		{func(r *LooseRow) { r.StableRank = 1.1 }, long, false},
		{func(r *LooseRow) { r.StableRank = domaintest.Below(1.1) }, long, true},
		{func(r *LooseRow) { r.Norm = 8 }, growing, false},
		{func(r *LooseRow) { r.Norm = domaintest.Above(8) }, growing, true},
		{func(r *LooseRow) { r.Plus, r.Minus = 0.25, 0.25 }, few, true},
		{func(r *LooseRow) { r.Plus = domaintest.Below(0.5) }, few, false},
		{func(r *LooseRow) { r.Overlap = nearlyOne }, few, false},
		{func(r *LooseRow) { r.Overlap = domaintest.Above(nearlyOne) }, few, true},
	} {
		text := strings.Join(whatToDo(layersWith(c.change)), "\n")
		if strings.Contains(text, c.advice) != c.given {
			t.Errorf("%q is given: %v, in\n%s", c.advice, !c.given, text)
		}
	}
	for minus, said := range map[float64]bool{0: false, 1e-9: true, math.NaN(): false} {
		if got := opposites(Row{Minus: minus}); (got != "") != said {
			t.Errorf("a share %g of opposite pairs: %q", minus, got)
		}
	}
}
