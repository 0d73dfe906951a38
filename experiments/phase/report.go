package phase

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/wording"
)

// Describe implements run.Experiment: a line a dimension, or a cell if there are few,
// and a sentence.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	p := New()
	rows, err := run.ReadRows[Row](p, table)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	const fewCells = 16
	if len(rows) <= fewCells {
		listCells(t, rows)
	} else {
		listDimensions(t, rows)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, "\n"+p.sentence(rows))
	return err
}

func listCells(t io.Writer, rows []Row) {
	fmt.Fprintln(t, "d\tβ\tantipodal\t95 % interval\ttheory\tin the limit\tunclustered\tβ_c\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%d\t%g\t%.4f\t%.4f to %.4f\t%s\t%s\t%.4f\t%s\t\n",
			r.Dim, r.Beta, r.PAntipodal, r.Low, r.High, wording.OrNone(r.theory()), wording.OrNone(r.Limit),
			float64(r.Unclustered)/float64(r.Trajectories), wording.OrNone(r.Boundary))
	}
}

func listDimensions(t io.Writer, rows []Row) {
	fmt.Fprintln(t, "d\tβ_c\tat this depth\tantipodal seen from β\tgreatest fraction\tat β\t"+
		"theory there\tin the limit\t")
	for len(rows) > 0 {
		first, most, seen, length := rows[0], rows[0], math.NaN(), 0
		for ; length < len(rows) && rows[length].Dim == first.Dim; length++ {
			r := rows[length]
			if r.PAntipodal > most.PAntipodal {
				most = r
			}
			if r.Antipodal > 0 && !(seen <= r.Beta) {
				seen = r.Beta
			}
		}
		from := "none"
		if seen == seen {
			from = parameter.FormatReal(seen)
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%.4f\t%g\t%s\t%s\t\n",
			first.Dim, wording.OrNone(first.Boundary), wording.OrNone(first.BoundaryDepth), from,
			most.PAntipodal, most.Beta, wording.OrNone(most.theory()), wording.OrNone(most.Limit))
		rows = rows[length:]
	}
}

// sentence says where the boundary was predicted and what was seen.
func (p *Experiment) sentence(rows []Row) string {
	if !p.hasTheory() {
		return setting.WithoutTheory
	}
	var above, aboveSeen, below, belowSeen, atDepth int
	var difference wording.Difference
	for _, r := range rows {
		seen := 0
		if r.Antipodal > 0 {
			seen = 1
		}
		if r.Limit > 0 {
			above, aboveSeen = above+1, aboveSeen+seen
		} else {
			below, belowSeen = below+1, belowSeen+seen
		}
		difference.Add(r.difference())
		if r.atDepth() {
			atDepth++
		}
	}
	text := fmt.Sprintf("Opposite clusters attract where %s.", p.boundaryText(">"))
	if !p.Interaction.Identity() {
		text = "Opposite clusters attract where random queries and keys allow it: see overlap --boundary."
	}
	if above > 0 {
		text += fmt.Sprintf(" They were seen in %d of %s above this boundary.",
			aboveSeen, wording.Count(above, "cell"))
	}
	if below > 0 {
		text += fmt.Sprintf(" They were seen in %d of %s at or below it, where they only take time to leave.",
			belowSeen, wording.Count(below, "cell"))
	}
	return text + outcomes.SentenceOn(difference, outcomes.DepthPhrase(atDepth, len(rows)))
}
