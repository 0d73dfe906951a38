package stability

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"antipode/experiments/figure"
	"antipode/experiments/wording"
	"antipode/overlap"
	"antipode/sde"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Clusters of equal size stay opposite for ever. Instead of a life they have two exponents, at which
// tangent vectors grow: one within the clusters, one between them.

// halvesTime is for how many units of time tangent vectors are followed.
const halvesTime = 20

// equal reports whether the clusters have the same size.
func (c Clusters) equal() bool { return c.First == c.Second }

// growth returns the observer of tangent vectors after layers at a depth.
func growth(depth int64) func(p *passage, v *sde.View) {
	return func(p *passage, v *sde.View) {
		time := float64(v.Layer) / float64(depth)
		within, between := v.Growth()
		p.Within, p.Between = within/time, between/time
		if v.Count() == 2 { // no two tokens are in one cluster
			p.Within = math.NaN()
		}
	}
}

// estimateOf is the mean of a number of each passage, and its standard error; NaN for one trajectory.
func estimateOf(passages []passage, number func(p passage) float64) (mean, deviation float64) {
	n := float64(len(passages))
	for _, p := range passages {
		mean += number(p) / n
	}
	squares := 0.
	for _, p := range passages {
		difference := number(p) - mean
		squares += float64(difference * difference)
	}
	if n < 2 {
		return mean, math.NaN()
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}

// setExponents fills in the exponents of clusters of equal size, simulated and in theory.
func (r *Row) setExponents(l life, passages []passage) {
	r.Within, r.WithinError = estimateOf(passages, func(p passage) float64 { return p.Within })
	r.Between, r.BetweenError = estimateOf(passages, func(p passage) float64 { return p.Between })
	r.WithinTheory, r.BetweenTheory = l.within, l.between
	if r.First == 1 {
		r.WithinTheory = math.NaN()
	}
}

// describeHalves writes a line for each row of clusters of equal size, and what follows for the conjecture.
func describeHalves(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "masses\td\tβ\twithin\tstandard error\ttheory\tbetween\tstandard error\ttheory\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%d,%d\t%d\t%g\t%s\t%s\t%s\t%s\t%s\t%s\t\n", r.First, r.Second, r.Dim, r.Beta,
			wording.OrNone(r.Within), wording.OrNone(r.WithinError), wording.OrNone(r.WithinTheory),
			wording.OrNone(r.Between), wording.OrNone(r.BetweenError), wording.OrNone(r.BetweenTheory))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	stable := 0
	for _, r := range rows {
		if r.BetweenTheory < 0 {
			stable++
		}
	}
	_, err := fmt.Fprintf(w, `
Two opposite clusters of equal size stay opposite. Exponents are per unit of time: at
the first one differences of tokens within a cluster shrink, whatever the number of
tokens; at the second one the two clusters leave or approach opposition, as two tokens
do. So equal halves of any even number of tokens are linearly stable if and only if
cosh 2β > d-2 (for β > 0), which holds in %s here. The theory is for infinite depth,
from which a depth L differs by a part of order 1/L.
`, fmt.Sprintf("%d of %s", stable, wording.Cells(len(rows))))
	return err
}

// halvesPanels are the plots of both exponents against β.
func (s *Experiment) halvesPanels(series [][]Row, key *figure.Key) ([]figure.Panel, error) {
	var panels []figure.Panel
	for _, exponent := range []struct {
		title        string
		value, error func(r Row) float64
		theory       func(d *overlap.Diffusion) (exponent float64, ok bool)
	}{
		{"Exponent within opposite halves",
			func(r Row) float64 { return r.Within }, func(r Row) float64 { return r.WithinError },
			(*overlap.Diffusion).Within},
		{"Exponent between them: they attract below 0",
			func(r Row) float64 { return r.Between }, func(r Row) float64 { return r.BetweenError },
			(*overlap.Diffusion).Lyapunov},
	} {
		p := figure.NewPlot(exponent.title, "inverse temperature β", "per unit of time")
		for i, rows := range series {
			points := &figure.Intervals{}
			for _, r := range rows {
				if v, half := exponent.value(r), quantile95*exponent.error(r); !math.IsNaN(v + half) {
					points.Add(r.Beta, v, v-half, v+half)
				}
			}
			style := draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.2, Dashes: figure.SeriesDashes[i]}
			if err := s.addExponents(p, rows, exponent.theory, style); err != nil {
				return nil, err
			}
			legend := []plot.Thumbnailer{&plotter.Line{LineStyle: style}}
			if len(points.XYs) > 0 {
				dots, err := figure.AddDots(p, i, points)
				if err != nil {
					return nil, err
				}
				legend = append(legend, dots)
			}
			if len(panels) == 0 {
				key.Add(seriesName(rows[0], len(s.Dim)), legend...)
			}
		}
		panels = append(panels, figure.Panel{Plot: p})
	}
	return panels, nil
}

// addExponents adds the line of the theory over the β of a series.
func (s *Experiment) addExponents(
	p *plot.Plot, rows []Row, theory func(d *overlap.Diffusion) (exponent float64,
		ok bool), style draw.LineStyle,
) error {
	low, high := betaRange(rows)
	const points = 96
	var x, y []float64
	for i := range points + 1 {
		c := rows[0].Clusters
		c.Beta = low + (high-low)*float64(i)/points
		diffusion, err := s.diffusion(c)
		if err != nil {
			return err
		}
		exponent, _ := theory(diffusion)
		x, y = append(x, c.Beta), append(y, exponent)
	}
	return figure.AddBroken(p, x, y, style)
}

// seriesName names the rows of a pair of masses and a dimension.
func seriesName(r Row, dims int) string {
	name := fmt.Sprintf("%d and %d tokens", r.First, r.Second)
	if dims > 1 {
		name += fmt.Sprintf(", d = %d", r.Dim)
	}
	return name
}
