package hybrid

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/sde"
)

// hybridCells are the columns of a table of Hybrid.
type hybridCells struct {
	beta, epsilon                       []float64
	trajectories, single, antipodal     []int64
	pSingle, pAntipodal, limit          []float64
	antipodalHorizon, singleHorizon     []float64 // theory
	singleThreshold, antipodalThreshold []float64
}

func ReadHybrid(t *data.Table) (*hybridCells, error) {
	r := columns.Reader{Table: t}
	c := &hybridCells{
		beta:               columns.Of[float64](&r, "beta"),
		epsilon:            columns.Of[float64](&r, "epsilon"),
		trajectories:       columns.Of[int64](&r, "trajectories"),
		single:             columns.Of[int64](&r, "single"),
		antipodal:          columns.Of[int64](&r, "antipodal"),
		pSingle:            columns.Of[float64](&r, "p_single"),
		pAntipodal:         columns.Of[float64](&r, "p_antipodal"),
		limit:              columns.Of[float64](&r, "p_limit"),
		antipodalHorizon:   columns.Of[float64](&r, "p_antipodal_horizon"),
		singleHorizon:      columns.Of[float64](&r, "p_single_horizon"),
		singleThreshold:    columns.Of[float64](&r, "epsilon_single"),
		antipodalThreshold: columns.Of[float64](&r, "epsilon_antipodal"),
	}
	if r.Err == nil && len(c.beta) == 0 {
		r.Err = columns.ErrNoRows
	}
	return c, r.Err
}

// both reports whether theory says that both outcomes attract.
func (c *hybridCells) both(k int) bool {
	return c.antipodalThreshold[k] < c.epsilon[k] && c.epsilon[k] < c.singleThreshold[k]
}

// difference is how far what was seen in a cell is from the theory at the horizon, in
// standard errors; NaN where there is no theory.
func (c *hybridCells) difference(k int) float64 {
	var larger wording.Difference
	larger.Add(outcomes.Deviation(c.antipodal[k], c.trajectories[k], c.antipodalHorizon[k]))
	larger.Add(outcomes.Deviation(c.single[k], c.trajectories[k], c.singleHorizon[k]))
	return larger.Largest()
}

// Describe implements Experiment: a line a cell, or a β if there are many, and some
// sentences.
func (*Hybrid) Describe(w io.Writer, table *data.Table) error {
	h := New()
	if err := run.ReadParameters(h, table); err != nil {
		return err
	}
	c, err := ReadHybrid(table)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	const fewCells = 24
	if len(c.beta) <= fewCells {
		c.listCells(t)
	} else {
		c.listBetas(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, "\n"+c.sentence(h))
	return err
}

func (c *hybridCells) listCells(t io.Writer) {
	fmt.Fprintln(t, "β\tε\tantipodal\ttheory\tin the limit\tsingle\ttheory\tin the limit\t")
	for k := range c.beta {
		fmt.Fprintf(t, "%g\t%g\t%.4f\t%s\t%.4f\t%.4f\t%s\t%s\t\n", c.beta[k], c.epsilon[k], c.pAntipodal[k], wording.OrNone(c.antipodalHorizon[k]),
			c.limit[k], c.pSingle[k], wording.OrNone(c.singleHorizon[k]), wording.OrNone(c.singleLimit(k)))
	}
}

// singleLimit is the probability of a single cluster in the limit: what is left by the
// antipodal one, unless neither attracts.
func (c *hybridCells) singleLimit(k int) float64 {
	if c.singleThreshold[k] <= c.epsilon[k] {
		return 0
	}
	return 1 - c.limit[k]
}

func (c *hybridCells) listBetas(t io.Writer) {
	fmt.Fprintln(t, "β\tantipodal attracts above ε =\tsingle below\tantipodal dominates from\tsingle up to\t")
	for first := 0; first < len(c.beta); {
		from, upTo, last := math.NaN(), math.NaN(), first
		for ; last < len(c.beta) && c.beta[last] == c.beta[first]; last++ {
			switch {
			case c.antipodal[last] > c.single[last] && !(from <= c.epsilon[last]):
				from = c.epsilon[last]
			case c.single[last] > c.antipodal[last] && !(upTo >= c.epsilon[last]):
				upTo = c.epsilon[last]
			}
		}
		fmt.Fprintf(t, "%g\t%.4f\t%.4f\t%s\t%s\t\n", c.beta[first], c.antipodalThreshold[first], c.singleThreshold[first],
			wording.OrNone(from), wording.OrNone(upTo))
		first = last
	}
}

// sentence says what was predicted and what was seen.
func (c *hybridCells) sentence(h *Hybrid) string {
	var sided, right, between int
	farthest := 0.0
	var difference wording.Difference
	for k := range c.beta {
		difference.Add(c.difference(k))
		switch {
		case c.both(k):
			between++
			farthest = max(farthest, math.Abs(c.pAntipodal[k]-c.limit[k]))
		case c.epsilon[k] != c.antipodalThreshold[k] && c.epsilon[k] != c.singleThreshold[k]:
			sided++
			if (c.antipodal[k] > c.single[k]) == (c.epsilon[k] > c.singleThreshold[k]) && c.antipodal[k] != c.single[k] {
				right++
			}
		}
	}
	text := "Two opposite clusters attract where ε² > 2e^-β, a single one where ε² < 2e^-β."
	if h.Attention == sde.Softmax {
		text = "Two opposite clusters attract where ε² > 1+e^-2β, a single one where ε² < 2; between these both have a chance."
	}
	if sided > 0 {
		text += fmt.Sprintf(" Where only one attracts it is the more frequent in %d of %s.", right, wording.Cells(sided))
	}
	if between > 0 {
		text += fmt.Sprintf(" Where both attract, in %s, the antipodal fraction at time %g is up to %.2f from its limit: outcomes are decided slowly there.",
			wording.Cells(between), h.Horizon, farthest)
	}
	text += outcomes.SentenceOn(difference, ", which is for infinite depth,")
	const suspicious = 4.5
	if difference.Largest() > suspicious {
		text += " The recursion is near its limit where ε times the attention weight of a token is small against √depth."
	}
	return text
}
