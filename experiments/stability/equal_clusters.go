package stability

import (
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/experiments/figure"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sde"
)

// Clusters of equal size stay opposite forever, so that they have no lifetime. Instead they have two
// exponents at which tangent vectors, infinitesimal displacements of the tokens, grow: one within the
// clusters and one between them.

// displacementTime is the time, in units of time, for which tangent vectors are simulated.
const displacementTime = 20

// displacement is the question how fast small displacements of the tokens of a cell grow, within two opposite
// clusters and between them.
type displacement struct{ job }

// share implements question. All layers are simulated.
func (displacement) share() float64 { return 1 }

// watch implements question. The growth of tangent vectors is observed at the horizon.
func (g displacement) watch(e *sde.Ensemble[passage]) {
	e.Observer = func(int) func(*passage, *sde.View) {
		return func(p *passage, v *sde.View) {
			time := float64(v.Layer) / float64(g.s.Depth)
			within, between := v.Growth()
			p.Within, p.Between = within/time, between/time
			if v.Count() == 2 { // each cluster is a single token
				p.Within = math.NaN()
			}
		}
	}
}

// ended implements question.
func (displacement) ended(int64, passage) error { return nil }

// fill implements question. fill sets the exponents of the simulation.
func (g displacement) fill(r *Row, passages []passage) error {
	within := statistics.EstimateOf(passages, func(p passage) float64 { return p.Within })
	between := statistics.EstimateOf(passages, func(p passage) float64 { return p.Between })
	r.Within, r.WithinError = within.Value, within.Stderr
	r.Between, r.BetweenError = between.Value, between.Stderr
	limit, err := g.s.limit(r.Clusters)
	if err != nil {
		return err
	}
	atDepth := exponents{math.NaN(), math.NaN()}
	if g.s.exact() {
		if atDepth, err = g.s.atDepth(r.Clusters); err != nil {
			return err
		}
	}
	r.WithinTheory, r.BetweenTheory = limit.within, limit.between
	r.WithinDepth, r.BetweenDepth = atDepth.within, atDepth.between
	if r.First == 1 { // each cluster is a single token
		r.WithinTheory, r.WithinDepth = math.NaN(), math.NaN()
	}
	return nil
}

// exponents are the theoretical exponents of small displacements within and between opposite clusters of
// equal size, per unit of time.
type exponents struct{ within, between float64 }

// limit returns the exponents of clusters of equal size at infinite depth.
func (s *Experiment) limit(c Clusters) (e exponents, err error) {
	diffusion, err := s.diffusion(c)
	if err != nil {
		return e, err
	}
	e.within, _ = diffusion.Within()
	e.between, _ = diffusion.Lyapunov()
	return e, nil
}

// exact reports whether the exponents of clusters of equal size are known at the depth of the simulation.
func (s *Experiment) exact() bool { return s.Law == sde.Gaussian }

// atDepth returns the exponents of clusters of equal size at the depth of the simulation, if they are known.
func (s *Experiment) atDepth(c Clusters) (exponents, error) {
	var values [2]float64
	for k, layer := range []func(int, float64, overlap.Attention, float64, int) (finitedepth.Layer, error){
		finitedepth.Within, finitedepth.Antipodal,
	} {
		l, err := layer(int(c.Dim), c.Beta, theory.Attention(s.Attention), s.Sigma, int(s.Depth))
		if err != nil {
			return exponents{}, err
		}
		values[k] = float64(float64(s.Depth) * l.Lyapunov())
	}
	return exponents{values[0], values[1]}, nil
}

// theory returns the theoretical exponents of a row, which are compared with the simulation: those at the
// simulated depth or, if these are not known, those at infinite depth.
func (r Row) theory() exponents {
	if math.IsNaN(r.BetweenDepth) {
		return exponents{r.WithinTheory, r.BetweenTheory}
	}
	return exponents{r.WithinDepth, r.BetweenDepth}
}

// describeEqualClusters writes a line for each row of clusters of equal size, and what the exponents mean for
// the conjecture that such clusters are stable.
func describeEqualClusters(w io.Writer, rows []Row) error {
	t := wording.NewTable(w)
	fmt.Fprintln(t, "masses\td\tβ\twithin\tstandard error\ttheory\tin the limit\t"+
		"between\tstandard error\ttheory\tin the limit\t")
	stable := 0
	var difference wording.Difference
	for _, r := range rows {
		theory := r.theory()
		fmt.Fprintf(t, "%d,%d\t%d\t%g", r.First, r.Second, r.Dim, r.Beta)
		for _, x := range []float64{r.Within, r.WithinError, theory.within, r.WithinTheory,
			r.Between, r.BetweenError, theory.between, r.BetweenTheory} {
			fmt.Fprintf(t, "\t%s", wording.OrNone(x))
		}
		fmt.Fprintln(t, "\t")
		if r.BetweenTheory < 0 {
			stable++
		}
		if r.First > 1 {
			difference.Add(math.Abs(r.Within-theory.within) / r.WithinError)
		}
		difference.Add(math.Abs(r.Between-theory.between) / r.BetweenError)
	}
	at := "at this depth"
	if math.IsNaN(rows[0].BetweenDepth) {
		at = "in the limit"
	}
	largest := fmt.Sprintf("the largest difference to the theory %s is %.1f standard errors",
		at, difference.Largest())
	return t.End(fmt.Sprintf("\nTwo opposite clusters of equal size stay opposite. Exponents are growth "+
		"rates of small displacements, per unit of time: \"within\" of the distance of two tokens in one "+
		"cluster, which does not depend on the number of tokens; \"between\" of the distance of the two "+
		"clusters from opposition, as of two tokens. So in the limit of infinite depth equal clusters of "+
		"any even number of tokens are linearly stable if and only if cosh 2β > d-2 (for β > 0), which "+
		"holds in %d of %s here. %s", stable, wording.Count(len(rows), "cell"),
		strings.TrimPrefix(difference.Sentence(largest, "exponents"), " ")))
}

// equalClustersPanels returns the plots of the exponents within and between clusters of equal size against β.
func (s *Experiment) equalClustersPanels(series [][]Row, key *figure.Key) ([]figure.Panel, error) {
	var panels []figure.Panel
	for _, exponent := range []struct {
		title        string
		value, error func(r Row) float64
		theory       func(e exponents) float64
	}{
		{"Exponent within each cluster",
			func(r Row) float64 { return r.Within }, func(r Row) float64 { return r.WithinError },
			func(e exponents) float64 { return e.within }},
		{"Exponent between them: they attract below 0",
			func(r Row) float64 { return r.Between }, func(r Row) float64 { return r.BetweenError },
			func(e exponents) float64 { return e.between }},
	} {
		p := figure.NewPlot(exponent.title, "inverse temperature β", "per unit of time")
		for i, rows := range series {
			var points figure.Intervals
			for _, r := range rows {
				v, half := exponent.value(r), statistics.Quantile95*exponent.error(r)
				if !math.IsNaN(v + half) {
					points.AddAround(r.Beta, v, half)
				}
			}
			style := figure.SeriesStroke(i, 1.2)
			if err := s.addExponents(p, rows, exponent.theory, style); err != nil {
				return nil, err
			}
			samples := addDots(p, i, points, style)
			if len(panels) == 0 {
				key.Add(seriesName(rows[0], len(s.Dim)), samples...)
			}
		}
		panels = append(panels, figure.Panel{Plot: p})
	}
	return panels, nil
}

// addExponents adds to a plot the line of a theoretical exponent over the range of β of a series.
func (s *Experiment) addExponents(
	p *figure.Plot, rows []Row, of func(e exponents) float64, style figure.Stroke,
) error {
	theory := s.limit
	if s.exact() {
		theory = s.atDepth
	}
	var x, y []float64
	for _, c := range along(rows, 96) {
		e, err := theory(c)
		if err != nil {
			return err
		}
		x, y = append(x, c.Beta), append(y, of(e))
	}
	p.BrokenLine(x, y, style)
	return nil
}

// seriesName names the series of a pair of cluster sizes. If there are several dimensions, the name has the
// dimension too.
func seriesName(r Row, dims int) string {
	name := fmt.Sprintf("%d and %d tokens", r.First, r.Second)
	if dims > 1 {
		name += fmt.Sprintf(", d = %d", r.Dim)
	}
	return name
}
