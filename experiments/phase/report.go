package phase

import (
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap/firstpassage"
)

// Describe implements run.Experiment. The report of experiment phase has a line for each dimension, or for
// each cell if there are few cells, and a few sentences.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	p := New()
	derived, err := run.ReadRows[DerivedRow](p, table)
	if err != nil {
		return err
	}
	blocks := lists.Map(derived, func(r DerivedRow) BlockRow { return r.BlockRow })
	rows := plainRows(blocks)
	t := wording.NewTable(w)
	const fewCells = 16
	if len(rows) <= fewCells {
		listCells(t, rows)
	} else {
		listDimensions(t, rows)
	}
	text := "\n" + p.sentence(rows) + stationarySentence(blocks) + derivativeSentence(derived)
	if len(rows) <= fewCells {
		text += p.criticalSentence(rows)
	}
	return t.End(text)
}

func listCells(t io.Writer, rows []Row) {
	fmt.Fprintln(t, "d\tβ\tantipodal\t95 % interval\ttheory\tlimit\tunclustered\tβ_c\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%d\t%g\t%.4f\t%.4f to %.4f\t%s\t%s\t%.4f\t%s\t\n",
			r.Dim, r.Beta, r.PAntipodal, r.Low, r.High, wording.OrNone(r.theory()), wording.OrNone(r.Limit),
			float64(r.Unclustered)/float64(r.Trajectories), wording.OrNone(r.Boundary))
	}
}

func listDimensions(t io.Writer, rows []Row) {
	fmt.Fprintln(t, "d\tβ_c\tat this depth\tsimulated\tgreatest\tat β\ttheory\tlimit\t")
	for _, rows := range run.Groups(rows, func(r Row) int32 { return r.Dim }) {
		first, most := rows[0], rows[0]
		for _, r := range rows {
			if r.PAntipodal > most.PAntipodal {
				most = r
			}
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%.4f\t%g\t%s\t%s\t\n",
			first.Dim, wording.OrNone(first.Boundary), wording.OrNone(first.BoundaryDepth),
			first.criticalText(), most.PAntipodal, most.Beta, wording.OrNone(most.theory()),
			wording.OrNone(most.Limit))
	}
}

// criticalSentence states the simulated critical β of each dimension. The sentence is "" if no critical β is
// simulated.
func (p *Experiment) criticalSentence(rows []Row) string {
	var found []string
	for k, r := range rows {
		if !math.IsNaN(r.Critical) && (k == 0 || rows[k-1].Dim != r.Dim) {
			found = append(found, fmt.Sprintf("%.4f (%.4f to %.4f) for d = %d", r.Critical, r.CriticalLow,
				r.CriticalHigh, r.Dim))
		}
	}
	if found == nil {
		return ""
	}
	return fmt.Sprintf(" From the growth of simulated displacements, β_c at depth %d is %s, with 95 %% "+
		"intervals.", p.Depth,
		strings.Join(found, ", "))
}

// criticalText returns the 95 % confidence interval of the simulated critical β of a row.
func (r Row) criticalText() string {
	if math.IsNaN(r.Critical) {
		return wording.OrNone(r.Critical)
	}
	return fmt.Sprintf("%.4f to %.4f", r.CriticalLow, r.CriticalHigh)
}

// sentence states how often the predicted boundary agrees with the simulated outcomes.
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
	inside, outside := "above this boundary", "at or below the boundary"
	switch {
	case !p.beside().None():
		text, inside, outside = p.blockSentence(rows, above), "in which they attract",
			"in which they do not attract"
	case !p.Interaction.Identity():
		text = "Random queries and keys change where opposite clusters attract: see overlap --boundary."
	}
	if above > 0 {
		text += fmt.Sprintf(" Opposite clusters were seen in %d of %s %s.",
			aboveSeen, wording.Count(above, "cell"),
			inside)
	}
	if below > 0 {
		text += fmt.Sprintf(" Opposite clusters were seen in %d of %s %s, where the clusters come "+
			"together later.",
			belowSeen, wording.Count(below, "cell"), outside)
	}
	return text + outcomes.SentenceOn(difference, outcomes.DepthPhrase(atDepth, len(rows)))
}

// blockSentence states in how many cells opposite clusters are attracting with an MLP or a drift.
func (p *Experiment) blockSentence(rows []Row, attracting int) string {
	if p.MLP.Strength > 0 && !p.MLP.Activation.Odd() {
		return fmt.Sprintf("With an MLP whose activation %v is not odd, no clusters stay opposite at any "+
			"β.%s", p.MLP.Activation, p.lifetimeSentence(rows))
	}
	return fmt.Sprintf("With %s opposite clusters attract in %d of %s.",
		strings.TrimPrefix(p.beside().Caption(), ", "), attracting, wording.Count(len(rows), "cell"))
}

// lifetimeSentence states the mean time in which the overlap of two tokens goes from -1 to 0, in the cell
// with the longest such time: that of the smallest dimension and the greatest β. The sentence is "" if the
// time is not known.
func (p *Experiment) lifetimeSentence(rows []Row) string {
	longest := rows[0]
	for _, r := range rows {
		if r.Dim < longest.Dim || r.Dim == longest.Dim && r.Beta > longest.Beta {
			longest = r
		}
	}
	diffusion, err := theory.Diffusion(p.cell(int(longest.Dim), longest.Beta))
	if err != nil {
		return ""
	}
	lifetime, err := firstpassage.Lifetime(diffusion)
	if err != nil || math.IsInf(lifetime.Value, 1) {
		return ""
	}
	return fmt.Sprintf(" At d = %d, β = %s two opposite tokens reach overlap 0 after a mean time of "+
		"%.4g.", longest.Dim, parameter.FormatReal(longest.Beta), lifetime.Value)
}

// stationarySentence states in how many cells neither outcome is attracting, and how many trajectories of
// these cells are a single cluster nevertheless. With few layers or hidden units, most trajectories of cells
// in which neither outcome is attracting may be a single cluster. The sentence is "" if in every cell some
// outcome is attracting.
func stationarySentence(rows []BlockRow) string {
	count, low, high := 0, math.Inf(1), math.Inf(-1)
	var single, trajectories int64
	for _, r := range rows {
		if !math.IsNaN(r.LimitMean) {
			count, low, high = count+1, min(low, r.LimitMean), max(high, r.LimitMean)
			single, trajectories = single+r.Single, trajectories+r.Trajectories
		}
	}
	if count == 0 {
		return ""
	}
	mean := fmt.Sprintf("mean %.4f", low)
	if count > 1 {
		mean = fmt.Sprintf("means from %.4f to %.4f", low, high)
	}
	return fmt.Sprintf(" In %d of %s neither outcome attracts. At this depth and horizon a fraction %.3f "+
		"of the trajectories is nevertheless a single cluster. As depth and horizon grow, the overlap "+
		"has a stationary law of "+
		"%s.", count, wording.Count(len(rows), "cell"), float64(single)/float64(trajectories), mean)
}
