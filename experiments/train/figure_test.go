package train

import (
	"image/color"
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
)

// lossLine returns the line of a setting whose runs have these losses at steps 0, 10 and 20.
func lossLine(series int, name string, runs ...[]float64) line {
	c := &learningCurve{}
	for _, losses := range runs {
		var evaluations []evaluation
		for k, loss := range losses {
			evaluations = append(evaluations, evaluation{Row: Row{Step: int64(10 * k), ValidationLoss: loss}})
		}
		c.runs = append(c.runs, evaluations)
	}
	return line{c, series, name}
}

// The mean over seeds is a line, with a band behind it from the smallest to the largest value. A loss that
// explodes has a logarithmic axis, any other a linear axis from 0.
func TestGraph(t *testing.T) {
	e := New()
	e.Steps = 20
	loss := graph{"validation loss", 1.5, func(m evaluation) float64 { return m.ValidationLoss }}
	for _, c := range []struct {
		last        float64
		logarithmic bool
		low, high   float64
	}{{4, false, 0, 8}, {31, true, 1, 31}} {
		key := &figure.Key{}
		plot := loss.plot(e, key, []line{
			lossLine(0, "five layers", []float64{8, 4, 1}, []float64{6, 2, c.last}),
			lossLine(2, "ten layers", []float64{3, 3, 2})})
		f, err := figure.Pairs([]figure.Panel{{Plot: plot}}, key, "")
		if err != nil {
			t.Fatal(err)
		}
		p := figuretest.Read(t, f, 0, "validation loss", "step", "")
		p.Logarithmic(false, c.logarithmic)
		p.Range(p.X, 0, 20)
		p.Range(p.Y, c.low, c.high)
		p.Has(figure.Band{X: []float64{0, 10, 20}, Low: []float64{6, 2, 1}, High: []float64{8, 4, c.last},
			Color: figure.SeriesColors[0]})
		p.Has(figuretest.LineOf(figure.SeriesStroke(0, 1.5), 0, 7, 10, 3, 20, (1+c.last)/2))
		p.Has(figuretest.LineOf(figure.SeriesStroke(2, 1.5), 0, 3, 10, 3, 20, 2))
		p.Has(figuretest.LineOf(figure.Stroke{Color: color.Gray{110}, Width: 1, Dashes: []float64{1, 2}},
			0, 1.5, 20, 1.5))
		p.Count(4)
		if _, is := p.Marks[0].(figure.Band); !is {
			t.Error("the band hides a line")
		}
		figuretest.Key(t, key, f.Panels, "five layers", "ten layers", "best possible")
	}
}

// For tasks with classes the figure shows the accuracy, and in families the loss and the cosine. For other
// tasks the training loss takes the place of the accuracy.
func TestGraphs(t *testing.T) {
	e := New()
	m := evaluation{Row: Row{ValidationLoss: 1, Accuracy: 2, Loss: 3}, cosine: 4, entropy: 5}
	without := m
	without.Accuracy = math.NaN()
	for _, c := range []struct {
		m           evaluation
		all, family []float64
	}{{m, []float64{1, 2, 4, 5}, []float64{1, 4}}, {without, []float64{1, 3, 4, 5}, []float64{3, 1}}} {
		curves := []*learningCurve{{runs: [][]evaluation{{c.m}}}}
		for name, numbers := range map[string][]float64{"all": c.all, "family": c.family} {
			graphs := e.graphs(curves)
			if name == "family" {
				graphs = e.familyGraphs(curves)
			}
			for k, g := range graphs {
				if got := g.number(c.m); got != numbers[k] {
					t.Errorf("%s: %q is number %v, want %v", name, g.title, got, numbers[k])
				}
			}
			if len(graphs) != len(numbers) {
				t.Errorf("%s: %d graphs", name, len(graphs))
			}
		}
	}
}

// The colour of a cell of the map is the learned fraction. Lines show both kinds of failure, and crosses the
// cells in which theory and training disagree.
func TestMapFigure(t *testing.T) {
	e := New()
	e.AlphaSA, e.Beta, e.Steps, e.Layers = []float64{1, 2}, []float64{0.5, 1.5}, 30, []int{4}
	p := &plane{start: 0.3, alphaC: 1.25, cells: []cell{
		{alpha: 1, beta: 0.5, learned: 0.9, betaC: 0.75}, {alpha: 1, beta: 1.5, learned: 0.1, betaC: 0.75},
		{alpha: 2, beta: 0.5, learned: 0.2, betaC: 1.25, verdict: 0},
		{alpha: 2, beta: 1.5, learned: 0.8, betaC: 1.25, verdict: 1}}}
	f, err := p.figure(e, &data.Table{})
	if err != nil {
		t.Fatal(err)
	}
	picture := figuretest.Read(t, f, 0, "Learned fraction, 4 post-norm layers, 30 steps",
		"scale of query and key weights, β", "strength of attention's residual connection, α_SA")
	for _, c := range p.cells {
		picture.Has(figure.Tile{Low: figure.Point{X: c.beta - 0.5, Y: c.alpha - 0.5},
			High: figure.Point{X: c.beta + 0.5, Y: c.alpha + 0.5}, Color: figure.ProbabilityColor(c.learned)})
	}
	black := figure.Stroke{Color: color.Black, Width: 1.6}
	critical := figuretest.LineOf(black, 0.75, 0.5, 1.25, 2.5)
	critical.Rim = true
	picture.Has(critical)
	black.Dashes = []float64{6, 4}
	level := figuretest.LineOf(black, 0, 1.25, 2, 1.25)
	level.Rim = true
	picture.Has(level)
	names := []string{"β_c", "α_c at β = 0"}
	for _, kind := range []struct {
		name  string
		learn bool
		shape figure.Shape
	}{{"learns, against theory", true, figure.Plus}, {"does not, against theory", false, figure.Cross}} {
		dots := figure.Dots{Glyph: figure.Glyph{Color: figure.SeriesColors[1], Shape: kind.shape, Radius: 5}}
		for _, c := range p.cells {
			if p.disagree(c) && p.learns(c) == kind.learn {
				dots.Points = append(dots.Points, figure.Point{X: c.beta, Y: c.alpha})
			}
		}
		if dots.Points != nil {
			picture.Has(dots)
			names = append(names, kind.name)
		}
	}
	if len(names) == 2 {
		t.Error("theory and training agree everywhere")
	}
	figuretest.Key(t, f.Panels[0].Key, f.Panels, names...)
}

// The theory of a map treats the value matrix and the projection after it as one matrix, whose variance is
// the product of both variances.
func TestBlockOfAMap(t *testing.T) {
	e := New()
	e.SigmaV2 = []float64{0.6}
	if got := e.block(1, 2).SigmaV2; got != 0.6 {
		t.Errorf("without a projection the variance is %v", got)
	}
	projection := 0.25
	e.Projection = &projection
	if got := e.block(1, 2).SigmaV2; !(math.Abs(got-0.15) <= 1e-15) {
		t.Errorf("with a projection the variance is %v, want 0.15", got)
	}
}
