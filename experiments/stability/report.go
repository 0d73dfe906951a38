package stability

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/wording"
	"antipode/overlap/firstpassage"
)

// readRows sets the experiment to the parameters of a table and returns the rows of the table. The cluster
// sizes of the rows have the order of the parameter masses.
func (s *Experiment) readRows(table *data.Table) ([]Row, error) {
	rows, err := run.ReadRows[Row](s, table)
	place := func(r Row) int { return slices.Index(s.Masses, [2]int{int(r.First), int(r.Second)}) }
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(place(a), place(b)) })
	return rows, err
}

// Describe implements run.Experiment. The report of experiment stability has a line for each cell, and says
// whether the simulation agrees with the conjecture.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	s := New()
	rows, err := s.readRows(table)
	if err != nil {
		return err
	}
	if s.splits() {
		return s.describeSplitting(w, table)
	}
	lives, equal := s.divide(rows)
	if len(lives) > 0 {
		if err := s.describeLives(w, lives); err != nil {
			return err
		}
	}
	if len(lives) > 0 && len(equal) > 0 {
		fmt.Fprintln(w)
	}
	if len(equal) > 0 {
		return describeEqualClusters(w, equal)
	}
	return nil
}

// divide separates the rows of clusters that merge (lives) from those of clusters that stay opposite (equal).
func (s *Experiment) divide(rows []Row) (lives, equal []Row) {
	for _, r := range rows {
		if s.stays(r.Clusters) {
			equal = append(equal, r)
		} else {
			lives = append(lives, r)
		}
	}
	return lives, equal
}

// describeLives writes a line for each row of clusters of unequal size, and says whether they agree with the
// conjecture.
func (s *Experiment) describeLives(w io.Writer, rows []Row) error {
	t := wording.NewTable(w)
	fmt.Fprintln(t, "masses\td\tβ\tlifetime\t95 % interval\ttheory\tlate by\t"+
		"decay time\t95 % interval\ttheory\t")
	trajectories, outside := int64(0), 0
	for _, r := range rows {
		late, err := s.lateness(r.Clusters)
		if err != nil {
			return err
		}
		low, high := decayInterval(r.DecayTime, r.Trajectories)
		times := make([]any, 0, 9)
		for _, time := range []float64{r.Lifetime, r.LifetimeLow, r.LifetimeHigh, r.LifetimeTheory, late,
			r.DecayTime, low, high, r.DecayTimeTheory} {
			times = append(times, wording.TimeOrNone(time))
		}
		fmt.Fprintf(t, "%d,%d\t%d\t%g", r.First, r.Second, r.Dim, r.Beta)
		fmt.Fprintf(t, "\t%s\t%s to %s\t%s\t%s\t%s\t%s to %s\t%s\t\n", times...)
		trajectories += r.Trajectories
		if r.DecayTimeTheory < low || r.DecayTimeTheory > high {
			outside++
		}
	}
	metastable, stable := "unequal size", "Only clusters of equal size stay opposite."
	if s.MLP != (setting.MLP{}) && !s.MLP.Activation.Odd() {
		metastable, stable = fmt.Sprintf("any size beside an MLP with %v", s.MLP.Activation),
			"No two clusters stay opposite."
	}
	return t.End(fmt.Sprintf("\nTwo opposite clusters of %s are metastable, not stable: overlap -1 is an "+
		"entrance boundary, or a reflecting boundary for d = 2, and the overlap does not stay there. The "+
		"clusters came together in all of %s. %s A passage is only observed after the next whole layer. "+
		"The column \"late by\" is the mean delay; the theory is for infinite depth, without this delay.%s",
		metastable, wording.Count(trajectories, "trajectory"), stable,
		decaySentence(outside, len(rows))))
}

// decaySentence says why the theoretical decay time is outside the interval of the simulation in a number of
// cells. The sentence is "" if it is outside in none.
func decaySentence(outside, cells int) string {
	if outside == 0 {
		return ""
	}
	return fmt.Sprintf(" In %d of %s the decay time of the theory is outside the interval. The simulated "+
		"one is the mean time by which the slower half of the trajectories come together later than the "+
		"median. It is the decay time only of clusters that last much longer than the overlap takes from 0 "+
		"to 1-τ.",
		outside, wording.Count(cells, "cell"))
}

// lateness returns by how much later than in continuous time the overlap is observed at 0, because only whole
// layers are observed. The delay is about the mean time in which the overlap moves from 0 to a level of
// 0.5826 standard deviations of a layer's step. The number 0.5826 is -ζ(½)/√(2π) (Broadie, Glasserman and
// Kou, Math. Finance 7 (1997) 325). The result is NaN if the level is beyond 1.
func (s *Experiment) lateness(c Clusters) (float64, error) {
	const shift = 0.5826
	diffusion, err := s.diffusion(c)
	if err != nil {
		return 0, err
	}
	to := shift * math.Sqrt(diffusion.Variance(0)/float64(s.Depth))
	if !(to < 1) {
		return math.NaN(), nil
	}
	late, err := firstpassage.Between(diffusion, 0, to)
	return data.FiniteOrNaN(late.Value), err
}
