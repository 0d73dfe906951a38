package trainability

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap/propagation"
)

// verdictColors are the colours of the verdicts in the phase diagram, in the order of propagation.Verdict.
// The colours also differ in brightness.
var verdictColors = []color.Color{
	color.RGBA{205, 226, 244, 255}, color.RGBA{236, 188, 72, 255}, color.RGBA{158, 58, 38, 255},
}

// Draw implements run.Experiment. The figure is the phase diagram over β and α_SA with the verdicts, and with
// the lines of the two failures.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	t := New()
	rows, err := run.ReadRows[Row](t, table)
	if err != nil {
		return nil, err
	}
	alpha := lists.Map(rows, func(r Row) float64 { return r.AlphaSA })
	beta := lists.Map(rows, func(r Row) float64 { return r.Beta })
	title := "Trainability of " + wording.Count(t.Depth, t.Block+" layer")
	p := figure.NewPlot(title, "scale of query and key weights, β",
		"strength of attention's residual connection, α_SA")
	columns := figure.Cells{Grid: figure.Distinct(beta), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: figure.Distinct(alpha), Low: 0, High: math.Inf(1)}
	p.X.Low, p.X.High = columns.Ends()
	p.Y.Low, p.Y.High = lines.Ends()
	addVerdicts(p, columns, lines, rows)
	key := &figure.Key{}
	for v, name := range propagation.VerdictNames {
		if slices.ContainsFunc(rows, func(r Row) bool { return int(r.Verdict) == v }) {
			key.Add(name, figure.Swatch{Color: verdictColors[v]})
		}
	}
	critical := make([]float64, len(lines.Grid)) // least critical β of each α_SA
	for k, a := range lines.Grid {
		critical[k] = rows[slices.Index(alpha, a)].BetaC
	}
	networks.AddFailures(p, key, lines.Grid, critical, rows[0].AlphaC)
	parameters := fmt.Sprintf("α_MLP = %s, σ_w² = %s, σ_b² = %s, σ_v² = %s, "+
		"%s, start %s, alike above cosine %s, T → ∞",
		parameter.FormatReal(t.AlphaMLP), parameter.FormatReal(t.SigmaW2), parameter.FormatReal(t.SigmaB2),
		parameter.FormatReal(t.SigmaV2), t.Activation, parameter.FormatReal(t.Start),
		parameter.FormatReal(t.Collapse))
	return figure.Single(760, 440, figure.Panel{Plot: p, Key: key}, "antipode trainability: "+parameters)
}

// addVerdicts fills the cells of the phase diagram. Neighbouring cells of the same strength that have the
// same verdict are filled as one rectangle.
func addVerdicts(p *figure.Plot, columns, lines figure.Cells, rows []Row) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.AlphaSA, b.AlphaSA), cmp.Compare(a.Beta, b.Beta))
	})
	for first := 0; first < len(rows); {
		from, last := rows[first], first
		for last+1 < len(rows) && rows[last+1].AlphaSA == from.AlphaSA &&
			rows[last+1].Verdict == from.Verdict {
			last++
		}
		x0, _ := columns.Edges(from.Beta)
		_, x1 := columns.Edges(rows[last].Beta)
		y0, y1 := lines.Edges(from.AlphaSA)
		p.Add(figure.Tile{Low: figure.Point{X: x0, Y: y0}, High: figure.Point{X: x1, Y: y1},
			Color: verdictColors[from.Verdict]})
		first = last + 1
	}
}
