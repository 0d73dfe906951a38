package overlap

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"antipode/experiments/figure"
	"antipode/experiments/internal/grids"
	"antipode/experiments/internal/theory"
	"antipode/experiments/parameter"
	"antipode/experiments/wording"
	"antipode/overlap"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// boundary is the parameter of the boundary.
func (o *Experiment) boundary() parameter.Parameter {
	return parameter.Parameter{Name: "boundary",
		Meaning: "where overlap -1 attracts: critical β, and the spread S of random queries and keys that ends it; " +
			"over β from 0 to 3 unless several are given, and for d = 3, 4, 6 unless dim is",
		Value: parameter.Switch{On: &o.Boundary},
		Idle: parameter.IdleUnless(o.hasBoundary(),
			"it is that of two equal clusters under random value matrices; must be left out beside --epsilon and unequal "+
				"masses")}
}

// hasBoundary reports whether overlap -1 is the antipodal state of two equal clusters under value matrices.
func (o *Experiment) hasBoundary() bool { return o.Epsilon == nil && o.equalMasses() }

// showsBoundary reports whether the boundary is asked for, and there is one.
func (o *Experiment) showsBoundary() bool { return o.Boundary && o.hasBoundary() }

// grid is the dimensions and the β of the rows: of a single β there is no boundary.
func (o *Experiment) grid() (dims []int, betas []float64) {
	if !o.showsBoundary() || len(o.Beta) > 1 {
		return o.Dim, o.Beta
	}
	if slices.Equal(o.Dim, New().Dim) {
		return []int{3, 4, 6}, grids.Steps(0, 13, 4)
	}
	return o.Dim, grids.Steps(0, 13, 4)
}

// spreadC is the spread of random scores above which overlap -1 does not attract, 0 where it never does, and
// NaN where no spread ends it.
func (o *Experiment) spreadC(d int, beta float64) (float64, error) {
	spreads, err := overlap.CriticalSpreads(d, beta, theory.Attention(o.Attention), o.Covariance.Theory())
	if err != nil {
		return 0, err
	}
	if len(spreads) > 0 {
		last := spreads[len(spreads)-1]
		above, err := overlap.NewResampled(d, beta, theory.Attention(o.Attention), 1,
			min(1.05*last, overlap.MaxSpread),
			o.Covariance.Theory())
		if err != nil || above.MinusOne() == overlap.Attracting {
			return math.NaN(), err
		}
		return last, nil
	}
	small, err := overlap.NewIsotropic(d, beta, theory.Attention(o.Attention), 1, o.Covariance.Theory(), 1, 1)
	if err != nil || small.MinusOne() == overlap.NonAttracting {
		const probe = 1 // of d = 3 and β = 0, where any S > 0 makes it attract
		random, err := overlap.NewResampled(d, beta, theory.Attention(o.Attention), 1, probe,
			o.Covariance.Theory())
		if err != nil || random.MinusOne() == overlap.NonAttracting {
			return 0, err
		}
	}
	return math.NaN(), nil
}

// describeBoundary writes the critical β of each dimension, and a table of spreads.
func (o *Experiment) describeBoundary(w io.Writer, rows []Row) error {
	v := o.Covariance.Theory()
	dims, betas := o.grid()
	fmt.Fprintf(w, "Overlap -1 attracts where %s%s.\n", o.condition(">"), o.Covariance.Text())
	for _, d := range dims {
		var critical []string
		for _, beta := range v.CriticalBetas(d) {
			critical = append(critical, fmt.Sprintf("%.8g", beta))
		}
		text := "it changes at β = " + strings.Join(critical, " and ")
		if len(critical) == 0 {
			text = "it does not change with β"
		}
		fmt.Fprintf(w, "  d = %d: %s\n", d, text)
	}
	fmt.Fprintf(w, "\nSpread S of random queries and keys, β I + S G with %s attention, that ends it:\n",
		o.Attention)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "β\t")
	for _, d := range dims {
		fmt.Fprintf(t, "d = %d\t", d)
	}
	fmt.Fprintln(t)
	for i, beta := range betas {
		fmt.Fprintf(t, "%g\t", beta)
		for k := range dims {
			switch s := rows[k*len(betas)+i].SpreadC; {
			case s == 0:
				fmt.Fprint(t, "never attracts\t")
			case math.IsNaN(s):
				fmt.Fprint(t, "no S\t")
			default:
				fmt.Fprintf(t, "%s\t", wording.OrNone(s))
			}
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// condition is the inequality that decides, without random scores.
func (o *Experiment) condition(relation string) string {
	if o.Covariance == grids.Ginibre {
		return "cosh 2β " + relation + " d-2"
	}
	return "a cosh 2β + b (1 + sinh 2β) + c " + relation + " a (d-2)"
}

// drawBoundary draws the critical dimension over β, and the critical spread over β of each dimension.
func (o *Experiment) drawBoundary(caption string) (*figure.Figure, error) {
	dims, betas := o.grid()
	low, high := theory.LineRange(betas)
	key := &figure.Key{}
	plane := figure.NewPlot("Overlap -1 attracts below the line", "inverse temperature β", "dimension d")
	v := o.Covariance.Theory()
	const points = 200
	var line plotter.XYs
	for k := range points + 1 {
		beta := low + (high-low)*float64(k)/points
		if d := v.CriticalDim(beta); d <= 40 {
			line = append(line, plotter.XY{X: beta, Y: d})
		}
	}
	if len(line) > 1 {
		black, err := plotter.NewLine(line)
		if err != nil {
			return nil, err
		}
		plane.Add(black)
		key.Add(o.condition("="), black)
	}
	plane.Y.Min = min(plane.Y.Min, 2)
	spreads := figure.NewPlot("… with random queries and keys: below the lines, above lower ones",
		"inverse temperature β",
		"spread S of the scores")
	lines, lower := make([][]float64, len(dims)), make([][]float64, len(dims))
	x := make([]float64, 121)
	for i := range x {
		x[i] = low + (high-low)*float64(i)/float64(len(x)-1)
	}
	figure.Parallel(len(dims), func(k int) {
		for _, beta := range x {
			all, _ := overlap.CriticalSpreads(dims[k], beta, theory.Attention(o.Attention), v)
			first, last := math.NaN(), math.NaN()
			if len(all) > 0 {
				last = all[len(all)-1]
			}
			if len(all) > 1 {
				first = all[len(all)-2]
			}
			lines[k], lower[k] = append(lines[k], last), append(lower[k], first)
		}
	})
	shown := figure.Spread(dimensionsOf(dims), len(figure.SeriesColors))
	for i, d := range shown {
		for k := range dims {
			if float64(dims[k]) != d {
				continue
			}
			style := draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.4, Dashes: figure.SeriesDashes[i]}
			for _, y := range [][]float64{lines[k], lower[k]} {
				if err := figure.AddBroken(spreads, x, y, style); err != nil {
					return nil, err
				}
			}
			key.Add(fmt.Sprintf("d = %g", d), &plotter.Line{LineStyle: style})
		}
	}
	for _, p := range []*plot.Plot{plane, spreads} {
		p.X.Min, p.X.Max = low, high
	}
	spreads.Y.Min = 0
	if !(spreads.Y.Max > 0) || math.IsInf(spreads.Y.Max, 0) {
		spreads.Y.Max = 1
	}
	return figure.Panels([]figure.Panel{{Plot: plane}, {Plot: spreads}}, key,
		caption+figure.NotDrawn("d", dimensionsOf(dims), shown)), nil
}

func dimensionsOf(dims []int) []float64 {
	all := make([]float64, len(dims))
	for k, d := range dims {
		all[k] = float64(d)
	}
	return all
}
