package mlp

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/sphere/activation"
)

// sampleRows returns an experiment of two activations in four dimensions, and rows at the corners of a
// square. In the first corner nothing is antipodal, and in the last no outcome attracts.
func sampleRows() (*Experiment, []Row) {
	m := New()
	m.Activation = []activation.Activation{activation.Linear, activation.ReLU}
	m.Dim, m.Beta, m.Strength, m.Trajectories = []int{3, 5, 7, 9}, []float64{0, 1}, []float64{0, 1}, 10
	var rows []Row
	for _, a := range m.Activation {
		for _, d := range m.Dim {
			for k := range 4 {
				r := data.NullRow[Row]()
				r.Activation, r.Dim, r.Beta, r.Strength = a, int32(d), float64(k/2), float64(k%2)
				r.Trajectories, r.Antipodal, r.Limit = 10, int64(2*k), 0
				r.PAntipodal = 0.2 * float64(k)
				if k == 3 {
					r.LimitMean = 0.5
				}
				if k == 1 && a == activation.Linear {
					r.Limit = 0.25
				}
				rows = append(rows, r)
			}
		}
	}
	return m, rows
}

// Each activation has a row of planes in up to three dimensions. Dots have the colour of their fraction,
// squares show that neither outcome attracts, and a rim that there was no antipodal trajectory. For the
// linear MLP the antipodal outcome attracts above c = (d-3)/2 - (d-1)/2 tanh²β.
func TestFigure(t *testing.T) {
	m, rows := sampleRows()
	drawn := figuretest.Draw(t, m, experimenttest.TableOf(t, m, rows...))
	titles := []string{"linear, d = 3", "linear, d = 5", "linear, d = 9", "relu, d = 3", "relu, d = 5",
		"relu, d = 9"}
	if len(drawn.Panels) != len(titles) {
		t.Fatalf("%d panels", len(drawn.Panels))
	}
	black := figure.Stroke{Color: color.Black, Width: 1.5}
	for k, title := range titles {
		p := figuretest.Read(t, drawn, k, title, "inverse temperature β", "strength c")
		p.Range(p.X, -0.08, 1.08)
		p.Range(p.Y, -0.05*1.16, 1.08)
		for corner := range 4 {
			glyph := figure.Glyph{Color: figure.ProbabilityColor(float64(corner) / 3), Shape: figure.Circle,
				Radius: 5}
			if corner == 3 {
				glyph.Shape = figure.Box
			}
			at := []figure.Point{{X: float64(corner / 2), Y: float64(corner % 2)}}
			p.Has(figure.Dots{Points: at, Glyph: glyph})
			if corner == 0 {
				p.Has(figure.Dots{Points: at, Glyph: figure.Glyph{Color: color.Gray{150}, Shape: figure.Ring,
					Radius: 5}})
			}
		}
		switch title {
		case "linear, d = 5":
			p.Count(6)
			p.Follows(black, 0, 163*1.08/200, 1e-9, func(beta float64) float64 {
				return 1 - 2*math.Pow(math.Tanh(beta), 2)
			})
		case "linear, d = 3": // attracts for all strengths above 0
			p.Count(5)
		}
	}
	if !strings.HasSuffix(drawn.Caption, "; not drawn: d = 7") {
		t.Errorf("%s", drawn.Caption)
	}
	for shape, want := range map[figure.Shape]figure.Shape{figure.Circle: figure.Ring,
		figure.Box: figure.Square} {
		if got := rimOf(figure.Glyph{Shape: shape, Radius: 3}); got.Shape != want || got.Radius != 3 {
			t.Errorf("%+v", got)
		}
	}
	axis := figure.Axis{Low: 2, High: 2}
	if margins(&axis); axis.Low != 1.5 || axis.High != 2.5 {
		t.Errorf("an axis of one value: %g to %g", axis.Low, axis.High)
	}
}

// The report counts the cells in which opposite clusters attract or neither outcome does, where they were
// seen, and names the cell with most of them.
func TestReport(t *testing.T) {
	m, rows := sampleRows()
	var text strings.Builder
	if err := m.Describe(&text, experimenttest.TableOf(t, m, rows...)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"opposite clusters attract in 4 of 32 cells, and opposite clusters were seen in 4 of the cells " +
			"in which they attract.",
		" Opposite clusters were also seen in 20 of the other cells, where the clusters come together later.",
		" No clusters stay opposite with an MLP whose activation relu is not odd.",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	s := summaryOf(rows, activation.Linear, 5)
	if s.cells != 4 || s.attracts != 1 || s.neither != 1 || s.most.Beta != 1 || s.most.Strength != 1 {
		t.Errorf("%+v", s)
	}
	if s := summaryOf(rows[:1], activation.Linear, 3); s.cells != 1 || s.most.Dim != 3 {
		t.Errorf("a single cell without antipodal trajectories: %+v", s)
	}
	m.Activation = m.Activation[:1]
	if got := m.sentences(rows[:1]); strings.Contains(got, "also seen") || strings.Contains(got, "not odd") ||
		!strings.Contains(got, "in 0 of 1 cell, and opposite clusters were seen in 0") {
		t.Errorf("%s", got)
	}
}
