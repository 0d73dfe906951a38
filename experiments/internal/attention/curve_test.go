package attention

import (
	"fmt"
	"math"
	"testing"

	"antipode/experiments/internal/statistics"
	"antipode/sde/matrices"
)

// Rows are divided into curves by kind, depth and layer. The curves have the order of the kinds, and within a
// kind that of their first rows.
func TestCurvesOf(t *testing.T) {
	type row struct {
		gap           matrices.Gap
		layers, layer int
		tokens, value float64
	}
	kinds := []Kind{{Gap: matrices.RemoveMeans}, {Gap: matrices.KeepGap}}
	curves := CurvesOf(kinds, []row{
		{matrices.KeepGap, 2, 1, 40, 8}, {matrices.KeepGap, 2, 2, 40, 5}, {matrices.RemoveMeans, 2, 1, 40,
			3}, {matrices.KeepGap, 3, 1, 40, 7},
		{matrices.KeepGap, 2, 1, 10, 2}, {matrices.RemoveMeans, 2, 1, 80, 6}, {matrices.KeepGap, 2, 1, 20, 4},
	}, func(r row) (Curve, Point) {
		return Curve{Kind: Kind{Gap: r.gap}, Layers: r.layers, Layer: r.layer},
			Point{Tokens: r.tokens, Estimate: statistics.Estimate{Value: r.value, Stderr: 0.1}, Limit: 9,
				Bound: 1}
	})
	got := ""
	for _, c := range curves {
		got += fmt.Sprintf("%v %d/%d:", c.Gap, c.Layer, c.Layers)
		for _, p := range c.Points {
			got += fmt.Sprintf(" %v=%v", p.Tokens, p.Value)
		}
		got += fmt.Sprintf(" last %v; ", c.Last().Tokens)
	}
	want := "remove 1/2: 40=3 80=6 last 80; keep 1/2: 40=8 10=2 20=4 last 40; keep 2/2: 40=5 last 40; " +
		"keep 1/3: 40=7 last 40; "
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	sum := curves[0].Plus(0.5)
	if p := sum.Points[1]; p.Tokens != 80 ||
		p.Estimate != (statistics.Estimate{Value: 6.5, Stderr: 0.1}) || !math.IsNaN(p.Limit) ||
		!math.IsNaN(p.Bound) ||
		sum.Gap != matrices.RemoveMeans || curves[0].Points[1].Value != 6 {
		t.Errorf("%+v of %+v", sum, curves[0])
	}
	if r := curves[1].Rate(1); !(math.Abs(r.Value-1) <= 1e-12) { // the values 2, 4, 8 at 10, 20, 40 tokens
		t.Errorf("rate %v", r)
	}
}

// SizedOf returns the kind and the size from which a network was made.
func TestSizedNetworks(t *testing.T) {
	g := NewGrid()
	g.Ratio, g.Architecture = 0.5, Architectures()
	g.Gap = []matrices.Gap{matrices.KeepGap, matrices.RemoveMeans, matrices.RemoveUniform,
		matrices.RemoveOutliers}
	g.Attention = []matrices.Attention{matrices.ReLU, matrices.Markov}
	g.Values = []matrices.Values{matrices.GaussianValues, matrices.OrthogonalValues}
	kinds := g.Kinds()
	if len(kinds) != 64 || kinds[0] != (Kind{Attention: matrices.ReLU, Gap: matrices.KeepGap,
		Values: matrices.GaussianValues, Architecture: Plain}) ||
		kinds[63] != (Kind{Attention: matrices.Markov, Gap: matrices.RemoveOutliers,
			Values: matrices.OrthogonalValues, Architecture: SkipLayerNorm}) {
		t.Fatal(kinds)
	}
	for _, k := range kinds {
		n := g.Network(k, 30, 2)
		if got := SizedOf(n); got != (Sized{k, 30, 60}) {
			t.Errorf("%+v of %+v", got, k)
		}
		if skip := k.Architecture == Skip || k.Architecture == SkipLayerNorm; n.Skip != skip ||
			n.Layers != 2 {
			t.Errorf("%v: %+v", k, n)
		}
	}
	if got, want := g.Short(kinds[3]), "relu, plain, gaussian values, outliers removed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The mean of 1, 2, 6 is 3, and the sum of squared deviations 14: the standard error is √(14/2/3).
func TestMeanOf(t *testing.T) {
	m := MeanOf([][]float64{{9, 1}, {9, 2}, {9, 6}}, 1)
	if !(math.Abs(m.Value-3) <= 1e-15) || !(math.Abs(m.Stderr-math.Sqrt(7./3)) <= 1e-15) {
		t.Errorf("%+v", m)
	}
	if m = MeanOf([][]float64{{4}}, 0); m.Value != 4 || !math.IsNaN(m.Stderr) {
		t.Errorf("of one sample %+v", m)
	}
}
