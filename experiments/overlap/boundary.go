package overlap

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/sphere/invariant"
)

// boundary returns the parameter of the switch that adds the boundary of attraction at overlap -1.
func (o *Experiment) boundary() parameter.Parameter {
	return parameter.Parameter{Name: "boundary",
		Meaning: "computes where overlap -1 attracts: the critical β, and the spread S of random " +
			"queries and keys above which it does not; with --mlp also the strengths c and variances w " +
			"at which overlap -1 or +1 starts or stops attracting. β runs from 0 to 3 unless several " +
			"values are given; d is 3, 4 and 6 (with --mlp 4, 8 and 16) unless --dim is given",
		Value:        parameter.Switch{On: &o.Boundary},
		Inapplicable: parameter.Unless(o.boundaryExists(), o.boundaryProblem())}
}

// hasBoundary reports whether the overlap is that of two clusters of equal size under random value matrices.
// For such clusters overlap -1 is the antipodal state.
func (o *Experiment) hasBoundary() bool { return o.Epsilon == nil && o.equalMasses() }

// showsBoundary reports whether the boundary of attraction at overlap -1 is requested and exists.
func (o *Experiment) showsBoundary() bool { return o.Boundary && o.boundaryExists() }

func (o *Experiment) boundaryExists() bool {
	return o.hasBoundary() && (o.beside().None() || o.oddMLP())
}

// grid returns the dimensions and the values of β of the rows. If the user gives a single β and asks for the
// boundary, β runs over a range, because the boundary is a curve.
func (o *Experiment) grid() (dims []int, betas []float64) {
	if !o.showsBoundary() || len(o.Beta) > 1 {
		return o.Dim, o.Beta
	}
	dims, betas = o.Dim, setting.Steps(0, 13, 4)
	switch {
	case !slices.Equal(dims, New().Dim):
	case o.oddMLP():
		dims = []int{4, 8, 16}
	default:
		dims = []int{3, 4, 6}
	}
	return dims, betas
}

// turns reports whether value matrices are antisymmetric. With antisymmetric value matrices the overlap has
// no noise, and random queries and keys have no theory.
func (o *Experiment) turns() bool {
	v := o.Covariance
	return v.A+v.B == 0 && v.C == 0
}

// spreadC returns the spread of random scores above which overlap -1 is not attracting. The spread is 0 if
// overlap -1 is attracting at no spread S > 0. The spread is NaN if overlap -1 is attracting at every large
// spread, or if value matrices are antisymmetric.
func (o *Experiment) spreadC(d int, beta float64) float64 {
	spreads := o.criticalSpreads(d, beta)
	switch {
	case o.turns() || o.attracts(d, beta, aboveLast(spreads)):
		return math.NaN()
	case len(spreads) == 0:
		return 0
	}
	return spreads[len(spreads)-1]
}

// criticalSpreads returns the spreads of random scores at which overlap -1 begins or ceases to attract, in
// ascending order, or nil if there is no theory.
func (o *Experiment) criticalSpreads(d int, beta float64) []float64 {
	spreads, _ := overlap.CriticalSpreads(d, beta, theory.Attention(o.Attention), o.Covariance)
	return spreads
}

// attracts reports whether overlap -1 is attracting at a spread of random scores.
func (o *Experiment) attracts(d int, beta, spread float64) bool {
	x, err := overlap.NewResampled(d, beta, theory.Attention(o.Attention), 1, spread, o.Covariance)
	return err == nil && x.MinusOne() == overlap.Attracting
}

// aboveLast returns a spread of random scores above all critical spreads.
func aboveLast(spreads []float64) float64 {
	if len(spreads) == 0 {
		return 1
	}
	return min(1.05*spreads[len(spreads)-1], overlap.MaxSpread)
}

// describeBoundary writes the criterion for attraction at overlap -1, the critical β of each dimension, and a
// table of critical spreads of random scores.
func (o *Experiment) describeBoundary(w io.Writer, rows []fullRow) error {
	dims, _ := o.grid()
	fmt.Fprintf(w, "Overlap -1 attracts where %s%s.\n", setting.AttractionCondition(o.Covariance, ">"),
		setting.CovarianceCaption(o.Covariance))
	for _, d := range dims {
		var critical []string
		for _, beta := range overlap.CriticalBetas(d, o.Covariance) {
			critical = append(critical, fmt.Sprintf("%.8g", beta))
		}
		text := "it changes at β = " + strings.Join(critical, " and ")
		if len(critical) == 0 {
			text = "it does not change with β"
		}
		fmt.Fprintf(w, "  d = %d: %s\n", d, text)
	}
	if o.turns() {
		_, err := fmt.Fprintln(w, "\nWith random queries and keys beside these value matrices "+
			"there is no theory.")
		return err
	}
	fmt.Fprintf(w, "\nSpread S of random queries and keys, β I + S G with %s attention, that ends it:\n",
		o.Attention)
	return o.boundaryTable(w, rows, false, o.spreadText)
}

// spreadText states the spread of random scores above which overlap -1 is not attracting.
func (o *Experiment) spreadText(r fullRow) string {
	switch {
	case r.SpreadC == 0:
		return "never attracts"
	case math.IsNaN(r.SpreadC):
		return o.endless(int(r.Dim), r.Beta)
	}
	return wording.OrNone(r.SpreadC)
}

// endless states from which spread of random scores on overlap -1 is attracting, for a row in which
// attraction does not end at large spreads.
func (o *Experiment) endless(d int, beta float64) string {
	spreads := o.criticalSpreads(d, beta)
	if len(spreads) == 0 {
		return "no S"
	}
	return "attracts from " + wording.OrNone(spreads[len(spreads)-1])
}

// drawBoundary plots the critical dimension, below which overlap -1 is attracting, against β, and the
// critical spreads of random scores.
func (o *Experiment) drawBoundary(caption string) (*figure.Figure, error) {
	_, betas := o.grid()
	low, high := theory.LineRange(betas)
	key := &figure.Key{}
	plane := figure.NewPlot("Overlap -1 attracts below the line", "inverse temperature β", "dimension d")
	const points = 200
	var line []figure.Point
	for k := range points + 1 {
		beta := low + (high-low)*float64(k)/points
		if d := overlap.CriticalDim(beta, o.Covariance); d <= 40 {
			line = append(line, figure.Point{X: beta, Y: d})
		}
	}
	if len(line) > 1 {
		black := figure.Stroke{Color: color.Black, Width: 1}
		plane.Add(figure.Line{Points: line, Stroke: black})
		key.Add(setting.AttractionCondition(o.Covariance, "="), black)
	}
	plane.Y.Low = min(plane.Y.Low, 2)
	plane.X.Range(low, high)
	panels := []figure.Panel{{Plot: plane}}
	if !o.turns() {
		spreads, left := o.drawSpreads(key)
		panels, caption = append(panels, figure.Panel{Plot: spreads}), caption+left
	}
	return figure.Pairs(panels, key, caption)
}

// drawSpreads plots the critical spreads of random scores of each dimension against β. drawSpreads also
// returns a text about the dimensions that are left out.
func (o *Experiment) drawSpreads(key *figure.Key) (spreads *figure.Plot, left string) {
	dims, betas := o.grid()
	low, high := theory.LineRange(betas)
	title := "… with random queries and keys: it changes at the lines"
	if o.Covariance == invariant.Ginibre {
		title = "… with random queries and keys: right of the lines"
	}
	spreads = figure.NewPlot(title, "inverse temperature β", "spread S of the scores")
	all := make([][]spreadsAt, len(dims))
	figure.Parallel(len(dims), func(k int) { all[k] = o.traceSpreads(dims[k], low, high) })
	shown := figure.Spread(dimensionsOf(dims), len(figure.SeriesColors))
	for i, d := range shown {
		k := slices.Index(dimensionsOf(dims), d)
		style := figure.SeriesStroke(i, 1.4)
		name := fmt.Sprintf("d = %g", d)
		if branches(all[k]) == 0 {
			key.Add(name+", at "+o.everywhere(dims[k], low), style)
			continue
		}
		addSpreads(spreads, all[k], style)
		key.Add(name, style)
	}
	spreads.X.Range(low, high)
	spreads.Y.Low = 0
	if !(spreads.Y.High > 0) || math.IsInf(spreads.Y.High, 0) {
		spreads.Y.High = 1
	}
	return spreads, figure.NotDrawn("d", dimensionsOf(dims), shown)
}

// addSpreads adds lines of critical spreads to a plot, and joins two lines at a fold.
func addSpreads(p *figure.Plot, all []spreadsAt, style figure.Stroke) {
	x := lists.Map(all, func(at spreadsAt) float64 { return at.beta })
	for j := range branches(all) {
		p.BrokenLine(x, lists.Map(all, func(at spreadsAt) float64 { return at.fromTop(j) }), style)
	}
	for j := range len(all) - 1 {
		if beta, below, above, ok := fold(all[j], all[j+1]); ok {
			p.BrokenLine([]float64{beta, beta}, []float64{below, above}, style)
		}
	}
}

// everywhere states for which spreads S of random scores overlap -1 is attracting, in a dimension in which
// the answer depends neither on β nor on S > 0.
func (o *Experiment) everywhere(d int, beta float64) string {
	if o.attracts(d, beta, aboveLast(nil)) {
		return "every S > 0"
	}
	return "no S"
}

// spreadsAt holds the critical spreads of random scores at one β, in ascending order.
type spreadsAt struct {
	beta    float64
	spreads []float64
}

// fromTop returns the j-th critical spread in descending order, counted from 0. The spread is NaN if there
// are at most j critical spreads.
func (s spreadsAt) fromTop(j int) float64 {
	if j >= len(s.spreads) {
		return math.NaN()
	}
	return s.spreads[len(s.spreads)-1-j]
}

// branches returns the largest number of critical spreads at any β.
func branches(all []spreadsAt) int {
	return lists.Max(0, all, func(at spreadsAt) int { return len(at.spreads) })
}

// traceSpreads returns the critical spreads of random scores over a range of β. The values of β are denser
// near a β at which the number of critical spreads changes. At such a β, two critical spreads meet or one
// critical spread starts at 0, and the curves are steep.
func (o *Experiment) traceSpreads(d int, low, high float64) []spreadsAt {
	at := func(beta float64) spreadsAt { return spreadsAt{beta, o.criticalSpreads(d, beta)} }
	var between func(before, after spreadsAt, halvings int) []spreadsAt
	between = func(before, after spreadsAt, halvings int) []spreadsAt {
		if len(before.spreads) == len(after.spreads) || halvings == 0 {
			return nil
		}
		middle := at(0.5 * (before.beta + after.beta))
		return slices.Concat(between(before, middle, halvings-1), []spreadsAt{middle},
			between(middle, after, halvings-1))
	}
	const points, halvings = 120, 20
	all := []spreadsAt{at(low)}
	for k := range points {
		before, after := all[len(all)-1], at(low+(high-low)*float64(k+1)/points)
		all = append(append(all, between(before, after, halvings)...), after)
	}
	return all
}

// fold finds where two curves of critical spreads meet between two neighbouring values of β. If one of the
// values has two critical spreads more than the other, fold returns that β and those two of its spreads that
// are closest to each other. Otherwise ok is false.
func fold(one, other spreadsAt) (beta, below, above float64, ok bool) {
	if len(one.spreads) < len(other.spreads) {
		one, other = other, one
	}
	if len(one.spreads) != len(other.spreads)+2 {
		return 0, 0, 0, false
	}
	below, above = 0, math.Inf(1)
	for k := range len(one.spreads) - 1 {
		if x, y := one.spreads[k], one.spreads[k+1]; y-x < above-below {
			below, above = x, y
		}
	}
	return one.beta, below, above, true
}

func dimensionsOf(dims []int) []float64 {
	return lists.Map(dims, func(d int) float64 { return float64(d) })
}
