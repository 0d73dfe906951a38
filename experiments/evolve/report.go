package evolve

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/setting"
	"antipode/experiments/wording"
)

// Describe implements run.Experiment. The report of experiment evolve has a line with the outcomes at the
// horizon for each of the first cells, and a few sentences.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	e := New()
	rows, later, err := readRows(e, table)
	if err != nil {
		return err
	}
	const most = 40
	cells := evolutions(rows)
	listed := cells[:min(len(cells), most)]
	theory, difference, err := e.atHorizon(listed)
	if err != nil {
		return err
	}
	t := wording.NewTable(w)
	fmt.Fprintln(t, "model\td\tβ\tantipodal\ttheory\tsingle\tunclustered\tan antipodal pair\t"+
		"half clustered at time\t")
	for i, c := range listed {
		r := c.last()
		fmt.Fprintf(t, "%s\t%d\t%g\t%.4f\t%s\t%.4f\t%.4f\t%.4f\t%s\t\n", r.Model, r.Dim, r.Beta,
			r.fraction(r.Antipodal), wording.OrNone(theory[i]), r.fraction(r.Single),
			r.fraction(r.Unclustered), r.fraction(r.AntipodalPair), wording.TimeOrNone(c.halfTime()))
	}
	text := fmt.Sprintf("\nThe fractions are those at time %g.", e.Horizon)
	switch {
	case !e.Interaction.Identity() && !e.Interaction.HasTheory():
		text += " There is no theory to compare with, because the theory requires B to be the identity, " +
			"or random with many key dimensions."
	case e.Tokens == 2 || e.threeTokens() && slices.ContainsFunc(listed, e.showsThree):
		text += outcomes.SentenceOn(difference, "")
	}
	if len(cells) > most {
		text += fmt.Sprintf(" The table has %s.", wording.Count(len(cells)-most, "more cell"))
	}
	return t.End(text + e.persistence(cells) + e.expectation(later) + comparison(cells))
}

// whenHalf states in words by what time half of the trajectories of a cell have clustered.
func (c evolution) whenHalf() string {
	if time := c.halfTime(); !math.IsNaN(time) {
		return fmt.Sprintf("by time %.3g", time)
	}
	return fmt.Sprintf("not by time %.3g", c.last().Time)
}

// persistence describes how long two opposite clusters of many tokens last, in the cell with the largest
// fraction of such trajectories.
func (e *Experiment) persistence(cells []evolution) string {
	if e.Tokens < 3 {
		return ""
	}
	var most, end Row
	for _, c := range cells {
		for _, r := range c {
			if r.Antipodal > 0 &&
				(most.Antipodal == 0 || r.fraction(r.Antipodal) > most.fraction(most.Antipodal)) {
				most, end = r, c.last()
			}
		}
	}
	if most.Antipodal == 0 {
		return " No trajectory ever consists of two opposite clusters."
	}
	return fmt.Sprintf(" At most a fraction %.3f of the trajectories consists of two opposite clusters "+
		"(%s, d = %d, β = %g, time %.3g), and %.3f at the end. Clusters of unequal size come together "+
		"later, possibly after decades of time.", most.fraction(most.Antipodal),
		most.Model, most.Dim, most.Beta, most.Time, end.fraction(end.Antipodal))
}

// comparison states for a few cells how fast tokens cluster in the flow and in the models with noise.
func comparison(cells []evolution) string {
	var texts []string
	for _, flow := range cells {
		for _, noisy := range cells {
			f, n := flow.first(), noisy.first()
			if setting.Model(f.Model) == setting.Flow && n.Model != f.Model && f.Dim == n.Dim &&
				f.Beta == n.Beta {
				texts = append(texts, fmt.Sprintf("at d = %d, β = %g in the %s %s, in the flow %s",
					f.Dim, f.Beta, n.Model, noisy.whenHalf(), flow.whenHalf()))
			}
		}
	}
	const most = 6
	if len(texts) == 0 || len(texts) > most {
		return ""
	}
	return " Half of the trajectories have clustered " + strings.Join(texts, "; ") + "."
}
