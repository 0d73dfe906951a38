package evolve

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/internal/grids"
	"antipode/experiments/internal/interaction"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/internal/theory"
	"antipode/experiments/wording"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sphere"
)

// evolveLine is what a table of Evolve has of one cell.
type evolveLine struct {
	model        string
	dim          int
	beta         float64
	trajectories int64
	time         []float64
	outcomes     [3][]int64
	pair         []int64
	laws         []fokkerplanck.Distribution // theory for the figure, once it is known
}

// readEvolve returns the experiment that wrote a table, and its cells.
func readEvolve(t *data.Table) (*Evolve, []*evolveLine, error) {
	e := New()
	text, _ := t.Schema.Value(data.KeyParameters)
	err := json.Unmarshal([]byte(text), e)
	if err == nil {
		err = e.check()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", data.KeyParameters, err)
	}
	r := columns.Reader{Table: t}
	model, dim, beta, time := columns.Of[int8](&r, "model"), columns.Of[int32](&r, "dim"), columns.Of[float64](&r, "beta"), columns.Of[float64](&r, "time")
	trajectories := columns.Of[int64](&r, "trajectories")
	var outcomes [3][]int64
	for k, name := range sphere.OutcomeNames {
		outcomes[k] = columns.Of[int64](&r, name)
	}
	pair := columns.Of[int64](&r, "antipodal_pair")
	if r.Err == nil && len(time) == 0 {
		r.Err = columns.ErrNoRows
	}
	for row, m := range model {
		if r.Err == nil && (m < 0 || int(m) >= len(evolveModelNames)) {
			r.Err = fmt.Errorf("row %d has no model", row)
		}
	}
	if r.Err != nil {
		return nil, nil, r.Err
	}
	var lines []*evolveLine
	for first := 0; first < len(time); {
		last := first + 1
		for last < len(time) && model[last] == model[first] && dim[last] == dim[first] && beta[last] == beta[first] {
			last++
		}
		line := &evolveLine{
			model: evolveModelNames[model[first]], dim: int(dim[first]), beta: beta[first], trajectories: trajectories[first],
			time: time[first:last], pair: pair[first:last],
		}
		for k := range outcomes {
			line.outcomes[k] = outcomes[k][first:last]
		}
		lines = append(lines, line)
		first = last
	}
	return e, lines, nil
}

// fraction is the fraction of a count at the k-th time.
func (l *evolveLine) fraction(counts []int64, k int) float64 {
	return float64(counts[k]) / float64(l.trajectories)
}

func (l *evolveLine) last() int { return len(l.time) - 1 }

// halfTime is the first time at which half of the trajectories have clustered, NaN if
// they do not.
func (l *evolveLine) halfTime() float64 {
	for k, unclustered := range l.outcomes[sphere.Unclustered] {
		if 2*unclustered <= l.trajectories {
			return l.time[k]
		}
	}
	return math.NaN()
}

// hasTheory reports whether the one-dimensional theory speaks of the tokens.
func (e *Evolve) hasTheory() bool { return e.Tokens == 2 && e.Interaction == interaction.Identity }

// theory is the law of the overlap of a cell's two tokens at some times above 0. It is
// nil if its clock is out of range.
func (e *Evolve) theory(
	l *evolveLine, times []float64, accuracy float64,
) ([]fokkerplanck.Distribution, error) {
	attention := theory.Attention(e.Attention)
	var diffusion *overlap.Diffusion
	var err error
	switch l.model {
	case grids.HybridName:
		diffusion, err = overlap.NewHybrid(l.dim, l.beta, attention, e.Epsilon)
	case grids.FlowName:
		diffusion, err = overlap.NewHybrid(l.dim, l.beta, attention, 0)
	default:
		diffusion, err = overlap.New(l.dim, l.beta, attention, 1)
	}
	if err != nil {
		return nil, err
	}
	laws, err := fokkerplanck.Uniform(diffusion, times, accuracy)
	if err != nil {
		return nil, nil
	}
	return laws, nil
}

// Describe implements Experiment: a line for each of the first cells, at the horizon,
// and some sentences.
func (*Evolve) Describe(w io.Writer, table *data.Table) error {
	e, lines, err := readEvolve(table)
	if err != nil {
		return err
	}
	const most = 40
	listed := lines[:min(len(lines), most)]
	theory, difference, err := e.atHorizon(listed)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "model\td\tβ\tantipodal\ttheory\tsingle\tunclustered\tan antipodal pair\thalf clustered at time\t")
	for i, l := range listed {
		k := l.last()
		fmt.Fprintf(t, "%s\t%d\t%g\t%.4f\t%s\t%.4f\t%.4f\t%.4f\t%s\t\n", l.model, l.dim, l.beta, l.fraction(l.outcomes[sphere.Antipodal], k), wording.OrNone(theory[i]),
			l.fraction(l.outcomes[sphere.Single], k), l.fraction(l.outcomes[sphere.Unclustered], k), l.fraction(l.pair, k), wording.TimeOrNone(l.halfTime()))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	text := fmt.Sprintf("\nFractions at time %g.", e.Horizon)
	switch {
	case e.Interaction != interaction.Identity:
		text += " There is no theory to compare with: it takes B to be the identity."
	case e.Tokens == 2:
		text += outcomes.SentenceOn(difference, "")
	}
	if len(lines) > most {
		text += fmt.Sprintf(" The table has %d more cells.", len(lines)-most)
	}
	_, err = fmt.Fprintln(w, text+persistence(e, lines)+comparison(lines))
	return err
}

// whenHalf is halfTime in words.
func (l *evolveLine) whenHalf() string {
	if time := l.halfTime(); !math.IsNaN(time) {
		return fmt.Sprintf("by time %.3g", time)
	}
	return fmt.Sprintf("not by time %.3g", l.time[l.last()])
}

// atHorizon returns the theory's antipodal probability in cells at the last time, NaN
// where there is none, and the difference of the cells to it.
func (e *Evolve) atHorizon(lines []*evolveLine) (probability []float64, difference wording.Difference, err error) {
	probability = make([]float64, len(lines))
	for i, l := range lines {
		probability[i] = math.NaN()
		if !e.hasTheory() {
			continue
		}
		k := l.last()
		law, err := e.theory(l, l.time[k:], 1e-5)
		if err != nil {
			return nil, difference, err
		}
		if len(law) > 0 {
			probability[i] = theory.Known(law[0].Antipodal(e.Tolerance)).Value
		}
		difference.Add(outcomes.Deviation(l.outcomes[sphere.Antipodal][k], l.trajectories, probability[i]))
	}
	return probability, difference, nil
}

// persistence says what becomes of two opposite clusters of many tokens in the cell
// that has most of them.
func persistence(e *Evolve, lines []*evolveLine) string {
	if e.Tokens < 3 {
		return ""
	}
	var most *evolveLine
	at := 0
	for _, l := range lines {
		for k, n := range l.outcomes[sphere.Antipodal] {
			if n > 0 && (most == nil || l.fraction(l.outcomes[sphere.Antipodal], k) > most.fraction(most.outcomes[sphere.Antipodal], at)) {
				most, at = l, k
			}
		}
	}
	if most == nil {
		return " Two opposite clusters were never all that is there."
	}
	antipodal := most.outcomes[sphere.Antipodal]
	return fmt.Sprintf(" Two opposite clusters are all that is there in at most %.3f of the trajectories (%s, d = %d, β = %g, time %.3g), in %.3f at the end; if they are of unequal size they come together, though it may take decades of time.",
		most.fraction(antipodal, at), most.model, most.dim, most.beta, most.time[at], most.fraction(antipodal, most.last()))
}

// comparison says how fast the flow and noisy models cluster, in a few cells.
func comparison(lines []*evolveLine) string {
	var texts []string
	for _, flow := range lines {
		for _, noisy := range lines {
			if flow.model == grids.FlowName && noisy.model != flow.model && flow.dim == noisy.dim && flow.beta == noisy.beta {
				texts = append(texts, fmt.Sprintf("at d = %d, β = %g in the %s %s, in the flow %s",
					flow.dim, flow.beta, noisy.model, noisy.whenHalf(), flow.whenHalf()))
			}
		}
	}
	const most = 6
	if len(texts) == 0 || len(texts) > most {
		return ""
	}
	return " Half of the trajectories have clustered " + strings.Join(texts, "; ") + "."
}
