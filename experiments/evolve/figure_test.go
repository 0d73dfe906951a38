package evolve

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/setting"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sphere/must"
)

// wilson returns the 95 % Wilson interval of a probability.
func wilson(count, n float64) (low, high float64) {
	const z = 1.959963984540054
	p, scale := count/n, 1+z*z/n
	middle := (p + z*z/(2*n)) / scale
	half := z / scale * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return middle - half, middle + half
}

// For two tokens each outcome has dots with Wilson intervals, and a line of its law at times after 0.
func TestFigureShowsFractionsAndTheirLaws(t *testing.T) {
	e := New()
	e.Model, e.Tokens, e.Dim = []setting.Model{"transformer"}, 2, []int{4}
	e.Beta, e.Trajectories = []float64{0.9}, 100
	counts := map[float64][3]int64{0: {0, 0, 100}, 1: {7, 3, 90}, 2: {31, 9, 60}, 5: {52, 13, 35}}
	var rows []Row
	for _, time := range []float64{0, 1, 2, 5} {
		c := counts[time]
		rows = append(rows, Row{Model: "transformer", Tokens: 2, Dim: 4, Beta: 0.9, Time: time,
			Trajectories: 100,
			Single:       c[0], Antipodal: c[1], AntipodalPair: c[1], Unclustered: c[2]})
	}
	drawn := figuretest.Draw(t, e, experimenttest.TableOf(t, e, rows...))
	p := figuretest.Read(t, drawn, 0, "β = 0.9, 2 tokens, d = 4", "time", "fraction of trajectories")

	d := must.Get(overlap.New(4, 0.9, overlap.Softmax, 1))(t)
	laws := func(time float64) (single, antipodal float64) {
		law := must.Get(fokkerplanck.Uniform(d, []float64{time}, 1e-6))(t)
		return law[0].Single(e.Tolerance).Value, law[0].Antipodal(e.Tolerance).Value
	}
	for k, law := range []func(single, antipodal float64) float64{
		func(single, _ float64) float64 { return single },
		func(_, antipodal float64) float64 { return antipodal },
		func(single, antipodal float64) float64 { return 1 - single - antipodal },
	} {
		var dots []float64
		for _, r := range rows {
			count := float64(counts[r.Time][k])
			low, high := wilson(count, 100)
			dots = append(dots, r.Time, count/100, low, high)
		}
		p.Has(figuretest.DotsOf(k, dots...))
		p.Follows(figure.Stroke{Color: figure.SeriesColors[k], Width: 1.3}, 1, 5, 2e-3,
			func(time float64) float64 { return law(laws(time)) })
	}
	p.Count(6)
	figuretest.Key(t, drawn.Key, drawn.Panels, "single", "antipodal", "unclustered")
}

// For three tokens the lines connect the simulated fractions; there is one more event, whose line is dashed.
// Panels for several β have the same range. With several dimensions there is a panel for each outcome, and a
// colour for each dimension.
func TestFigureOfManyTokens(t *testing.T) {
	e := New()
	e.Model, e.Tokens, e.Dim, e.Beta, e.Trajectories = []setting.Model{"transformer"}, 3, []int{4},
		[]float64{1, 2}, 10
	row := func(beta, time float64, dim int32, antipodal int64) Row {
		return Row{Model: "transformer", Tokens: 3, Dim: dim, Beta: beta, Time: time, Trajectories: 10,
			Single: 1, Antipodal: antipodal, AntipodalPair: 5, Unclustered: 9 - antipodal}
	}
	drawn := figuretest.Draw(t, e, experimenttest.TableOf(t, e,
		row(1, 0, 4, 2), row(1, 3, 4, 4), row(2, 0, 4, 3), row(2, 3, 4, 6)))
	for k, antipodal := range [][2]float64{{0.2, 0.4}, {0.3, 0.6}} {
		p := figuretest.Read(t, drawn, k, []string{"β = 1, 3 tokens, d = 4", "β = 2, 3 tokens, d = 4"}[k],
			"time",
			"fraction of trajectories")
		stroke := figure.Stroke{Color: figure.SeriesColors[1], Width: 1.3}
		p.Has(figuretest.LineOf(stroke, 0, antipodal[0], 3, antipodal[1]))
		p.Has(figuretest.LineOf(figure.Stroke{Color: figure.SeriesColors[3], Width: 1.3,
			Dashes: []float64{6, 3}},
			0, 0.5, 3, 0.5))
		_, top := wilson(7, 10) // the largest fraction is unclustered, 7 of 10
		p.Range(p.Y, -0.02*math.Ceil(10*top)/10, 1.02*math.Ceil(10*top)/10)
	}
	figuretest.Key(t, drawn.Key, drawn.Panels, "single", "antipodal", "unclustered", "antipodal pair")

	e.Dim, e.Beta = []int{4, 6}, []float64{1}
	drawn = figuretest.Draw(t, e, experimenttest.TableOf(t, e,
		row(1, 0, 4, 2), row(1, 3, 4, 4), row(1, 0, 6, 3), row(1, 3, 6, 6)))
	above := figuretest.Read(t, drawn, 0, "β = 1, 3 tokens", "time", "P(antipodal)")
	above.Has(figuretest.LineOf(figure.SeriesStroke(1, 1.3), 0, 0.3, 3, 0.6))
	below := figuretest.Read(t, drawn, 1, "β = 1, 3 tokens", "time", "P(unclustered)")
	below.Has(figuretest.LineOf(figure.SeriesStroke(0, 1.3), 0, 0.7, 3, 0.5))
	figuretest.Key(t, drawn.Key, drawn.Panels, "d = 4", "d = 6")
}

// The panels of a row end at the first whole time after which all their lines stay below 0.01, if that is
// before half of the horizon, and later dots are not drawn. They end at the horizon if time is logarithmic,
// and if all lines are below 0.01 at every time after 0.
func TestPanelsEndWhereAllIsDecided(t *testing.T) {
	times := [...]float64{0, 1, 2.5, 20, 40}
	draw := func(t *testing.T, logTime bool, unclustered [2][5]int64) *figure.Figure {
		e := New()
		e.Model, e.Tokens, e.Dim, e.Beta, e.Trajectories = []setting.Model{"transformer"}, 3, []int{4, 6},
			[]float64{1}, 1000
		e.LogTime = logTime
		var rows []Row
		for k, dim := range []int32{4, 6} {
			for j, time := range times {
				rows = append(rows, Row{Model: "transformer", Tokens: 3, Dim: dim, Beta: 1, Time: time,
					Trajectories: 1000, Single: 1000 - unclustered[k][j], Unclustered: unclustered[k][j]})
			}
		}
		return figuretest.Draw(t, e, experimenttest.TableOf(t, e, rows...))
	}
	early := [2][5]int64{{1000, 9, 10, 9, 0}, {1000, 300, 0, 0, 0}}
	for name, c := range map[string]struct {
		logTime     bool
		unclustered [2][5]int64
		end         float64
		dots        [2]int // for each dimension
	}{
		"the later of two lines": {false, early, 3, [2]int{3, 3}},
		"not before half of it":  {false, [2][5]int64{early[0], {1000, 300, 300, 300, 0}}, 40, [2]int{5, 5}},
		"from the start on":      {false, [2][5]int64{{1000}, {1000}}, 40, [2]int{5, 5}},
		"a logarithmic time":     {true, early, 40, [2]int{5, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			drawn := draw(t, c.logTime, c.unclustered)
			p := figuretest.Read(t, drawn, 1, "β = 1, 3 tokens", "time", "P(unclustered)")
			p.Range(p.X, 0, c.end)
			for k, counts := range c.unclustered {
				var dots []float64
				for j, time := range times[:c.dots[k]] {
					low, high := wilson(float64(counts[j]), 1000)
					dots = append(dots, time, float64(counts[j])/1000, low, high)
				}
				p.Has(figuretest.DotsOf(k, dots...))
			}
			above := figuretest.Read(t, drawn, 0, "β = 1, 3 tokens", "time", "P(antipodal)")
			above.Range(above.X, 0, 40) // each row ends by its own lines, and these are 0 throughout
		})
	}
}
