package measure

import (
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/measure/inference"
	"antipode/experiments/run"
)

// quantityColumn is the name of a column that only tables of an inference have.
const quantityColumn = "quantity"

// inferenceTable holds the rows of the table of an inference by quantity.
type inferenceTable map[inferred][]InferenceRow

func (m *Experiment) inferenceOf(table *data.Table) (inferenceTable, error) {
	rows, err := run.ReadRows[InferenceRow](m, table)
	all := inferenceTable{}
	for _, r := range rows {
		all[r.Quantity] = append(all[r.Quantity], r)
	}
	return all, err
}

// one returns the row of an inferred quantity that has a single row. If the table has no such row, all values
// of the result are unknown.
func (t inferenceTable) one(name inferred) InferenceRow {
	if rows := t[name]; len(rows) > 0 {
		return rows[0]
	}
	return data.NullRow[InferenceRow]()
}

// describeInference reports the inferred parameters, whether the hidden states follow the fitted Markov
// chain, and what this means.
func (m *Experiment) describeInference(w io.Writer, table *data.Table) error {
	t, err := m.inferenceOf(table)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %.0f steps of sequences through layers.\n\n", namedfile.Name(m.File),
		t.one("transitions").Value)
	for _, p := range []struct {
		name    inferred
		meaning string
	}{
		{"sigma2", "σ², the variance of an entry of the values in a layer"},
		{"beta", "β, how much more attention goes to tokens that are alike"},
		{"c", "c, what the MLP adds to a coordinate"},
	} {
		if rows := t[p.name]; len(rows) > 0 {
			fmt.Fprintf(&b, "  %-7s %10.4g ± %-10.2g %s\n", p.name, rows[0].Value, rows[0].Stderr, p.meaning)
		}
	}
	if rows := t["beta"]; len(rows) > 0 && rows[0].Value == 0 {
		b.WriteString("All tokens of a sequence take the same step: each token attends to all tokens " +
			"equally, β = 0, and an MLP adds nothing.\n")
	}
	b.WriteString("\n  overlap                κ₁₁     fitted                κ₁₂     fitted\n")
	for k, own := range t["kappa11"] {
		both := data.NullRow[InferenceRow]()
		if k < len(t["kappa12"]) {
			both = t["kappa12"][k]
		}
		fmt.Fprintf(&b, "  %7.3f  %8s ± %-8s  %7.4g  %8s ± %-8s  %7.4g\n", own.At, shown(own.Value, "%.4g"),
			shown(own.Stderr, "%.2g"), own.Fitted, shown(both.Value, "%.4g"), shown(both.Stderr, "%.2g"),
			both.Fitted)
	}
	b.WriteByte('\n')
	t.inWords(&b)
	_, err = io.WriteString(w, b.String()+m.withoutChecksums())
	return err
}

// inWords writes the verdict of the test of the fit, and what follows from the verdict for a practitioner.
func (t inferenceTable) inWords(b *strings.Builder) {
	c := inference.Check{POverlap: t.one("p_overlap").Value, PLength: t.one("p_length").Value,
		PMemory: t.one("p_memory").Value}
	fmt.Fprintf(b, "Probabilities of deviations as large as these: overlaps %.2g, lengths of steps %.2g, "+
		"memory between layers %.2g; ", c.POverlap, c.PLength, c.PMemory)
	if !c.Rejected() {
		fmt.Fprintf(b, "together %.2g. At the level of %g %% the states may come from random, "+
			"independent layers with these numbers. The commands overlap, phase and simulate show what "+
			"such layers do.\n", c.P(),
			100*inference.Level)
	} else {
		fmt.Fprintf(b, "together %.2g. At the level of %g %% the states do not come from random, "+
			"independent layers with these numbers, so σ², β and c are only a "+
			"summary.", c.P(), 100*inference.Level)
		if c.PMemory < inference.Level/3 {
			b.WriteString(" Successive layers act alike, as layers with shared weights do.")
		}
		if c.PLength < inference.Level/3 {
			b.WriteString(" The steps do not have one size: compare the layers with measure without " +
				"--infer, and infer only from layers that are alike.")
		}
		if c.POverlap < inference.Level/3 {
			b.WriteString(" The overlaps move in a way that attention of this form cannot produce.")
		}
		b.WriteByte('\n')
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, r := range t["drift"] {
		least, most = min(least, r.Value), max(most, r.Value)
	}
	if least <= most {
		fmt.Fprintf(b, "A layer changes the cosine of two tokens by %+.2g to %+.2g on average: ", least, most)
		switch {
		case least >= 0:
			b.WriteString("all layers make tokens more alike; smaller σ² and c, or fewer layers, keep them " +
				"apart.\n")
		case most <= 0:
			b.WriteString("all layers make tokens less alike.\n")
		default:
			b.WriteString("some layers make tokens more alike, others less.\n")
		}
	}
}

// drawInference returns the figure of an inference. The figure shows the inferred function κ against the
// overlap with confidence bands, the drift and the variance of steps by layer, and the residuals.
func (m *Experiment) drawInference(table *data.Table) (*figure.Figure, error) {
	t, err := m.inferenceOf(table)
	if err != nil {
		return nil, err
	}
	key := &figure.Key{}
	kappa := figure.NewPlot("κ₁₁ and κ₁₂ of a layer, with two standard errors", "overlap", "κ")
	drift := figure.NewPlot("Drift of the overlap", "layer", "drift")
	variance := figure.NewPlot("Variance of the overlap", "layer", "variance")
	residual := figure.NewPlot("Quantiles of overlaps in their laws", "place", "share")
	for _, p := range []struct {
		plot   *figure.Plot
		of     inferred
		series int
		name   string
	}{
		{kappa, "kappa11", 0, "κ₁₁ of σ², β, c"}, {kappa, "kappa12", 1, "κ₁₂ of σ², β, c"},
		{drift, "drift", 2, "of σ², β, c"}, {variance, "variance", 2, "of σ², β, c"},
		{residual, "residual", 3, "uniform, as of such a chain"},
	} {
		var dots figure.Intervals
		var x, y []float64
		for _, r := range t[p.of] {
			if !math.IsNaN(r.Value) && !math.IsNaN(r.Stderr) {
				dots.Add(r.At, r.Value, r.Low, r.High)
			}
			x, y = append(x, r.At), append(y, r.Fitted)
		}
		p.plot.Dots(p.series, dots)
		if len(x) > 0 {
			stroke := figure.SeriesStroke(p.series, 1.2)
			p.plot.Line(x, y, stroke)
			key.Add(p.name, stroke)
		}
	}
	residual.Y.Low, residual.X.Low, residual.X.High, variance.Y.Low = 0, 0, 1, 0
	return figure.Pairs([]figure.Panel{{Plot: kappa}, {Plot: drift}, {Plot: variance}, {Plot: residual}}, key,
		"antipode measure --infer "+m.Infer+": "+namedfile.Name(m.File))
}
