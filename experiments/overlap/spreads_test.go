package overlap

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/sphere/invariant"
	"antipode/sphere/must"
)

// The boundary has dimensions of its own and β from 0 to 3 unless the user gives others.
func TestGridOfTheBoundary(t *testing.T) {
	range3 := []float64{0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3}
	for _, c := range []struct {
		parameters [][2]string
		dims       []int
		betas      []float64
	}{
		{nil, []int{3, 4, 6}, range3},
		{[][2]string{{"mlp", "tanh:0.5"}}, []int{4, 8, 16}, range3},
		{[][2]string{{"dim", "5"}, {"beta", "2"}}, []int{5}, range3},
		{[][2]string{{"beta", "1,2"}}, []int{4}, []float64{1, 2}},
		{[][2]string{{"epsilon", "1"}}, []int{4}, []float64{1}},
	} {
		o := block(t, append(c.parameters, [2]string{"boundary", "true"})...)
		if dims, betas := o.grid(); !slices.Equal(dims, c.dims) || !slices.Equal(betas, c.betas) {
			t.Errorf("%v: d %v, β %v", c.parameters, dims, betas)
		}
	}
}

// The report says at which spreads of random scores overlap -1 ceases to attract, or from which it attracts,
// where it does so on that side of the spread only.
func TestSpreadsOfTheReport(t *testing.T) {
	for _, c := range []struct {
		dim, covariance, want string
		beta, last            float64
		below, above          overlap.Boundary
	}{
		{"12", "1,0,0", "never attracts", 0.5, 0, 0, 0},
		{"3", "1,0,0", "no S", 0, math.NaN(), 0, 0},
		{"2", "1,0,0", "no S", 1, math.NaN(), 0, 0},
		{"4", "1,0.5,0", "2.3132", 0, 2.3132045071005365, overlap.Attracting, overlap.NonAttracting},
		{"3", "1,-0.5,0", "attracts from 0.6716", 0.3, math.NaN(), 0, 0},
	} {
		o := block(t, [2]string{"dim", c.dim}, [2]string{"beta", "0.1,0.2"}, [2]string{"boundary", "true"},
			[2]string{"covariance", c.covariance})
		o.Beta[1] = c.beta
		r := must.Get(o.row(o.Dim[0], c.beta))(t)
		if got := o.spreadText(r); got != c.want {
			t.Errorf("d = %s, β = %v, covariance %s: %q", c.dim, c.beta, c.covariance, got)
		}
		if got := r.SpreadC; !(math.Abs(got-c.last) <= 1e-9) && !(math.IsNaN(got) && math.IsNaN(c.last)) {
			t.Errorf("d = %s, β = %v, covariance %s: S = %v", c.dim, c.beta, c.covariance, got)
		}
	}
	for spread, want := range map[float64]overlap.Boundary{
		0.66: overlap.NonAttracting, 0.68: overlap.Attracting,
	} {
		x := must.Get(overlap.NewResampled(3, 0.3, overlap.Softmax, 1, spread,
			invariant.Covariance{A: 1, B: -0.5}))(t)
		if got := x.MinusOne(); got != want {
			t.Errorf("S = %v: %v", spread, got)
		}
	}
}

// Critical spreads are joined to lines in descending order, and two lines that end at a fold to each other.
func TestFoldsOfTheFigure(t *testing.T) {
	p := figure.NewPlot("", "", "")
	style := figure.SeriesStroke(1, 1.4)
	addSpreads(p, []spreadsAt{
		{0, nil}, {1, []float64{2}}, {2, []float64{0.5, 2, 2.25}}, {3, []float64{0.5, 1.75, 2.5}},
		{4, []float64{0.75}},
	}, style)
	want := [][]float64{
		{1, 2, 2, 2.25, 3, 2.5, 4, 0.75}, {2, 2, 3, 1.75}, {2, 0.5, 3, 0.5},
		{2, 2, 2, 2.25}, {3, 1.75, 3, 2.5},
	}
	for _, xy := range want {
		line := figuretest.LineOf(style, xy...)
		if !slices.ContainsFunc(p.Marks, func(m figure.Mark) bool { return reflect.DeepEqual(m, line) }) {
			t.Errorf("there is no line %v in %v", xy, p.Marks)
		}
	}
	if len(p.Marks) != len(want) {
		t.Errorf("%d lines, want %d", len(p.Marks), len(want))
	}
}

// A block whose variance exceeds float64 is an error of the run, and leaves gaps in the figure of the
// boundary of other values of β. Strengths between which an end attracts have both ends in the report.
func TestBlocksBeyondFloat64(t *testing.T) {
	o := block(t, [2]string{"dim", "4"}, [2]string{"beta", "1,400"}, [2]string{"mlp", "tanh:0.5:4"},
		[2]string{"attention", "unnormalized"}, [2]string{"boundary", "true"})
	if err := o.Run(t.Context(), run.Options{}, tableOf(t, o)); err == nil ||
		!strings.Contains(err.Error(), "below 1e290") {
		t.Errorf("error %v", err)
	}
	if low, high, w := o.changes(-1, 4, 400); !math.IsNaN(low) || !math.IsNaN(high) || w != nil {
		t.Errorf("from %v to %v, %v", low, high, w)
	}
	if _, err := o.Draw(tableOf(t, o, Row{Dim: 4, Beta: 1})); err != nil {
		t.Error(err)
	}
	for want, ends := range map[string][2]float64{
		"none": {math.NaN(), math.NaN()}, "all": {0, math.NaN()}, "above 0.25": {0.25, math.NaN()},
		"below 2.5": {0, 2.5}, "0.25 to 2.5": {0.25, 2.5},
	} {
		if got := interval(ends[0], ends[1]); got != want {
			t.Errorf("%v: %q", ends, got)
		}
	}
}
