package hybrid

import (
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/sde"
)

// Describe implements run.Experiment. The report of experiment hybrid has a line for each cell, or for each β
// if there are many cells, and a few sentences.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	h := New()
	blocks, err := run.ReadRows[BlockRow](h, table)
	if err != nil {
		return err
	}
	rows := lists.Map(blocks, func(b BlockRow) Row { return b.Row })
	t := wording.NewTable(w)
	const fewCells = 24
	if len(rows) <= fewCells {
		listCells(t, blocks)
	} else {
		listBetas(t, rows)
	}
	if !h.beside().None() {
		return t.End("\n" + h.blockSentence(blocks))
	}
	return t.End("\n" + h.sentence(rows))
}

// blockSentence states for experiments with an MLP in how many cells each outcome is attracting.
func (h *Experiment) blockSentence(rows []BlockRow) string {
	if !h.hasTheory() {
		return setting.WithoutTheory
	}
	var single, antipodal, neither int
	var difference wording.Difference
	for _, r := range rows {
		difference.Add(r.difference())
		switch {
		case r.LimitSingle > 0 || r.Limit > 0:
			if r.LimitSingle > 0 {
				single++
			}
			if r.Limit > 0 {
				antipodal++
			}
		default:
			neither++
		}
	}
	return fmt.Sprintf("With %s a single cluster attracts in %d of %s, opposite clusters in %d, "+
		"and neither in %d.", strings.TrimPrefix(h.beside().Caption(), ", "), single,
		wording.Count(len(rows), "cell"), antipodal, neither) +
		outcomes.SentenceOn(difference, outcomes.DepthPhrase(0, len(rows)))
}

func listCells(t io.Writer, rows []BlockRow) {
	fmt.Fprintln(t, "β\tε\tantipodal\ttheory\tin the limit\tsingle\ttheory\tin the limit\t")
	for _, r := range rows {
		antipodal, single := r.theory()
		fmt.Fprintf(t, "%g\t%g\t%.4f\t%s\t%s\t%.4f\t%s\t%s\t\n", r.Beta, r.Epsilon,
			r.PAntipodal, wording.OrNone(antipodal), wording.OrNone(r.Limit),
			r.PSingle, wording.OrNone(single), wording.OrNone(r.singleLimit()))
	}
}

func listBetas(t io.Writer, rows []Row) {
	fmt.Fprintln(t, "β\tantipodal attracts above ε =\tsingle below\tantipodal dominates from\tsingle up to\t")
	for _, rows := range run.Groups(rows, func(r Row) float64 { return r.Beta }) {
		first, from, upTo := rows[0], math.NaN(), math.NaN()
		for _, r := range rows {
			switch {
			case r.Antipodal > r.Single && !(from <= r.Epsilon):
				from = r.Epsilon
			case r.Single > r.Antipodal && !(upTo >= r.Epsilon):
				upTo = r.Epsilon
			}
		}
		fmt.Fprintf(t, "%g\t%s\t%s\t%s\t%s\t\n", first.Beta, wording.OrNone(first.EpsilonAntipodal),
			wording.OrNone(first.EpsilonSingle), wording.OrNone(from), wording.OrNone(upTo))
	}
}

// sentence states how well the predicted outcomes agree with the simulated outcomes.
func (h *Experiment) sentence(rows []Row) string {
	if !h.hasTheory() {
		return setting.WithoutTheory
	}
	var sided, right, between, atDepth int
	farthest := 0.0
	var difference wording.Difference
	for _, r := range rows {
		difference.Add(r.difference())
		if r.atDepth() {
			atDepth++
		}
		switch {
		case r.both():
			between++
			farthest = max(farthest, math.Abs(r.PAntipodal-r.Limit))
		case r.Epsilon != r.EpsilonAntipodal && r.Epsilon != r.EpsilonSingle:
			sided++
			antipodal := r.Epsilon > r.EpsilonSingle
			if (r.Antipodal > r.Single) == antipodal && r.Antipodal != r.Single {
				right++
			}
		}
	}
	text := "Two opposite clusters attract where ε² > 2e^-β, and a single cluster attracts where ε² < 2e^-β."
	if h.Attention == sde.Softmax {
		text = "Two opposite clusters attract where ε² > 1+e^-2β, and a single cluster attracts where ε² " +
			"< 2. Between these values both are possible."
	}
	if sided > 0 {
		text += fmt.Sprintf(" Where only one outcome attracts, it is the more frequent one in %d of %s.",
			right, wording.Count(sided, "cell"))
	}
	if between > 0 {
		text += fmt.Sprintf(" Where both attract, in %s, the antipodal fraction at time %g differs from "+
			"its limit by up to %.2f, because outcomes are decided slowly "+
			"there.", wording.Count(between, "cell"),
			h.Horizon, farthest)
	}
	text += outcomes.SentenceOn(difference, outcomes.DepthPhrase(atDepth, len(rows)))
	const suspicious = 4.5
	if difference.Largest() > suspicious && atDepth < len(rows) {
		text += " The recursion is close to its limit if ε times the attention weight of a token is " +
			"small compared with √depth."
	}
	return text
}
