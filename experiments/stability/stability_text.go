package stability

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/internal/theory"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/overlap"
	"antipode/overlap/firstpassage"
)

// stabilityCells are the columns of a table of Stability.
type stabilityCells struct {
	m1, m2, dim               []int32
	trajectories              []int64
	beta, lifetime, low, high []float64
	decayTime                 []float64
	lifetimeTheory            []float64
	decayTimeTheory           []float64
}

func readStability(t *data.Table) (*Experiment, *stabilityCells, error) {
	s := New()
	if err := run.ReadParameters(s, t); err != nil {
		return nil, nil, err
	}
	r := columns.Reader{Table: t}
	c := &stabilityCells{
		m1:              columns.Of[int32](&r, "m1"),
		m2:              columns.Of[int32](&r, "m2"),
		dim:             columns.Of[int32](&r, "dim"),
		beta:            columns.Of[float64](&r, "beta"),
		trajectories:    columns.Of[int64](&r, "trajectories"),
		lifetime:        columns.Of[float64](&r, "lifetime"),
		low:             columns.Of[float64](&r, "lifetime_low"),
		high:            columns.Of[float64](&r, "lifetime_high"),
		lifetimeTheory:  columns.Of[float64](&r, "lifetime_theory"),
		decayTime:       columns.Of[float64](&r, "decay_time"),
		decayTimeTheory: columns.Of[float64](&r, "decay_time_theory"),
	}
	if r.Err == nil && len(c.m1) == 0 {
		r.Err = columns.ErrNoRows
	}
	return s, c, r.Err
}

// Describe implements Experiment: a line a cell, and the answer to the conjecture.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	s, c, err := readStability(table)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "masses\td\tβ\tlifetime\t95 % interval\ttheory\tlate by\tdecay time\t95 % interval\ttheory\t")
	trajectories := int64(0)
	for k := range c.m1 {
		late, err := s.lateness(c, k)
		if err != nil {
			return err
		}
		low, high := decayInterval(c.decayTime[k], c.trajectories[k])
		fmt.Fprintf(t, "%d,%d\t%d\t%g\t%s\t%s to %s\t%s\t%s\t%s\t%s to %s\t%s\t\n", c.m1[k], c.m2[k], c.dim[k], c.beta[k],
			wording.TimeOrNone(c.lifetime[k]), wording.TimeOrNone(c.low[k]), wording.TimeOrNone(c.high[k]), wording.TimeOrNone(c.lifetimeTheory[k]), wording.TimeOrNone(late),
			wording.TimeOrNone(c.decayTime[k]), wording.TimeOrNone(low), wording.TimeOrNone(high), wording.TimeOrNone(c.decayTimeTheory[k]))
		trajectories += c.trajectories[k]
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, `
Two opposite clusters of unequal size are metastable, not stable: overlap -1 is an
entrance boundary, or a reflecting one for d = 2, at which the overlap does not stay. In
all of the %d trajectories the clusters came together. Only clusters of equal size stay
opposite. A passage is seen at whole layers only, which is late by about the time in the
table; the theory is for infinite depth.
`, trajectories)
	return err
}

// lateness is how much later a passage to 0 is seen at whole layers: about the mean time
// from 0 to 0.5826 standard deviations of a layer's step, where 0.5826 is -ζ(½)/√(2π)
// (Broadie, Glasserman and Kou, Math. Finance 7 (1997) 325). It is NaN where that is
// beyond 1.
func (s *Experiment) lateness(c *stabilityCells, k int) (float64, error) {
	const shift = 0.5826
	diffusion, err := s.diffusion(int(c.m1[k]), int(c.m2[k]), int(c.dim[k]), c.beta[k])
	if err != nil {
		return 0, err
	}
	to := shift * math.Sqrt(diffusion.Variance(0)/float64(s.Depth))
	if !(to < 1) {
		return math.NaN(), nil
	}
	late, err := firstpassage.Between(diffusion, 0, to)
	return columns.FiniteOrNaN(late.Value), err
}

func (s *Experiment) diffusion(m1, m2, d int, beta float64) (*overlap.Diffusion, error) {
	return overlap.NewMasses(d, beta, theory.Attention(s.Attention), 1, float64(m1), float64(m2))
}
