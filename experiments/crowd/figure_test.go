package crowd

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere"
)

// sampleRows returns an experiment in three dimensions and a row for each number of tokens. In dimension 3 no
// side wins and nothing is compared; in 5 the predicted slope is small, and in 7 it is large.
func sampleRows() (*Experiment, []Row) {
	e := New()
	e.Dim, e.Beta, e.Tokens, e.Horizon, e.Time = []int{3, 5, 7}, []float64{0.4}, []int{3, 30, 300}, 30, 2
	var rows []Row
	for k, d := range e.Dim {
		for i, n := range e.Tokens {
			r := data.NullRow[Row]()
			r.Dim, r.Beta, r.Tokens, r.Trajectories = int32(d), 0.4, int32(n), 10
			r.PAntipodal, r.Sides = 0.1*float64(k+i), 0.2*float64(i+1)
			r.Low, r.High = r.PAntipodal-0.05, r.PAntipodal+0.1
			rows = append(rows, r)
		}
	}
	for k, r := range rows[4:6] { // d = 5, 30 and 300 tokens
		r.Time, r.TimeStderr, r.SlopePredicted = 2+2*float64(k), 0.1, 0.5
		r.ImbalanceMedian, r.ImbalanceLow, r.ImbalanceHigh = 0.5, 0.25, 0.75
		rows[4+k] = r
	}
	rows[3].SlopePredicted, rows[5].TimeStderr = 0.5, math.NaN()
	for k, r := range rows[6:] { // d = 7
		r.Time, r.TimeStderr, r.SlopePredicted = 2+float64(k), 4, 4
		r.Distance, r.DistanceStderr, r.Independent = 0.5/float64(k+1), 0.01, 0.25/float64(k+1)
		rows[6+k] = r
	}
	rows[4].Distance = 0.125 // without one for independent tokens
	rows[7].Distance, rows[8].Distance, rows[8].Independent = 0, math.NaN(), math.NaN()
	return e, rows
}

// The figure has the fractions of the rows, the times with lines of the predicted slope down to the first
// number of tokens or to the time 0, imbalances, and distances above 0.
func TestFigure(t *testing.T) {
	e, rows := sampleRows()
	drawn := figuretest.Draw(t, e, experimenttest.TableOf(t, e, rows...))
	const x, half = "number N of tokens", 1.959963984540054
	read := func(
		number int, title, y string, marks int, logarithmic bool, low, high float64,
	) figuretest.Panel {
		t.Helper()
		p := figuretest.Read(t, drawn, number, title, x, y)
		p.Count(marks)
		p.Logarithmic(true, logarithmic)
		p.Range(p.X, 3/1.3, 390)
		p.Range(p.Y, low, high)
		return p
	}
	p := read(0, "Two opposite clusters at time 30", "P(antipodal)", 7, false, 0, 1.03)
	for k := range 3 {
		y := 0.1 * float64(k)
		p.Has(figuretest.LineOf(figure.SeriesStroke(k, 1), 3, y, 30, y+0.1, 300, y+0.2))
		p.Has(figuretest.DotsOf(k, 3, y, y-0.05, y+0.1, 30, y+0.1, y+0.05, y+0.2, 300, y+0.2, y+0.15, y+0.3))
	}
	coins := figure.Stroke{Color: color.Black, Width: 1, Dashes: figure.Dotted}
	p.Has(figuretest.LineOf(coins, 3, 0.2, 30, 0.4, 300, 0.6))
	p = read(1, "Time until one side wins", "mean time", 6, false, 0, 1.05*(4+4*half))
	p.Has(figuretest.DotsOf(1, 30, 2, 2-half/10, 2+half/10, 300, 4, 4, 4))
	p.Has(figuretest.DotsOf(2, 3, 2, 0.2, 2+4*half, 30, 3, 0.3, 3+4*half, 300, 4, 0.4, 4+4*half))
	p.Has(figuretest.LineOf(figure.SeriesStroke(1, 1), 30, 2, 300, 4))
	slope := func(k int) figure.Stroke {
		return figure.Stroke{Color: figure.SeriesColors[k], Width: 1.4, Dashes: figure.Dotted}
	}
	p.Has(figuretest.LineOf(slope(1), 30, 4-0.5*math.Log(10), 300, 4))
	p.Has(figuretest.LineOf(slope(2), 300/math.E, 0, 300, 4))
	p = read(2, "Imbalance of two opposite clusters at time 30", "imbalance", 6, false, -0.02, 1.02)
	p.Has(figuretest.DotsOf(1, 30, 0.5, 0.25, 0.75, 300, 0.5, 0.25, 0.75))
	p = read(3, "Distance to the largest crowd at time 2", "energy distance", 2, true, 0.25, 0.5+0.01*half)
	p.Has(figuretest.DotsOf(2, 3, 0.5, 0.5-0.01*half, 0.5+0.01*half))
	independent := figure.Stroke{Color: figure.SeriesColors[2], Width: 1, Dashes: figure.Dashed}
	p.Has(figuretest.LineOf(independent, 3, 0.25))
	figuretest.Key(t, drawn.Key, drawn.Panels, "d = 3, β = 0.4", "d = 5, β = 0.4", "d = 7, β = 0.4",
		"fair coins", "predicted slope", "independent tokens")
	if strings.Contains(drawn.Caption, "the first") {
		t.Errorf("%s", drawn.Caption)
	}
}

// Without times and distances the axes show what they could have shown. Of more than six series the first six
// are drawn, and the caption says so.
func TestFigureOfLittleAndOfMuch(t *testing.T) {
	e, rows := sampleRows()
	e.Dim, rows = e.Dim[:1], rows[:3]
	drawn := figuretest.Draw(t, e, experimenttest.TableOf(t, e, rows...))
	p := figuretest.Read(t, drawn, 1, "Time until one side wins", numberOfTokens, "mean time")
	p.Range(p.Y, 0, 30)
	p.Count(0)
	p = figuretest.Read(t, drawn, 3, "Distance to the largest crowd at time 2", numberOfTokens,
		"energy distance")
	p.Range(p.Y, 0, 1)
	p.Logarithmic(true, false)
	for count, want := range map[int]string{6: "", 7: "; the first 6 of 7 pairs of d and β"} {
		e.Dim = nil
		var many []Row
		for d := range count {
			e.Dim = append(e.Dim, d+2)
			for _, r := range rows {
				r.Dim = int32(d + 2)
				many = append(many, r)
			}
		}
		drawn := figuretest.Draw(t, e, experimenttest.TableOf(t, e, many...))
		if got := strings.Contains(drawn.Caption, "the first"); got != (want != "") ||
			!strings.HasSuffix(drawn.Caption, want) || len(drawn.Panels[0].Plot.Marks) != 13 {
			t.Errorf("%d series: %s", count, drawn.Caption)
		}
	}
}

// A table of another experiment or without rows is an error of the report and of the figure.
func TestOtherTables(t *testing.T) {
	e, rows := sampleRows()
	whole := experimenttest.TableOf(t, e, rows...)
	other := &data.Table{Columns: whole.Columns[1:], Schema: data.Schema{Columns: whole.Schema.Columns[1:],
		Metadata: whole.Schema.Metadata}}
	for name, table := range map[string]*data.Table{"no rows": whole.Slice(0, 0), "no column": other} {
		if _, err := e.Draw(table); err == nil {
			t.Errorf("%s: a figure", name)
		}
		if err := e.Describe(new(strings.Builder), table); err == nil {
			t.Errorf("%s: a report", name)
		}
	}
}

// The table has a row for each cell. Of each trajectory, five numbers of eight bytes are kept for each cell
// of its dimension. Each worker has the tokens of all crowds, and those of the largest once more; a shard
// needs its part.
func TestNeeds(t *testing.T) {
	e := New()
	e.Dim, e.Beta, e.Tokens, e.Trajectories = []int{3, 40}, []float64{0, 1, 2}, []int{10, 1000, 200}, 50
	small := e.cell(3, 2, 1000).Memory()*1210/1000 + 8*3*1000
	large := e.cell(40, 2, 1000).Memory()*1210/1000 + 8*40*1000
	for workers, busy := range map[int]float64{1: 1, 8: 8, 100: 100, 1000: 100} {
		memory, needs := e.needs(run.Options{Workers: workers}, 7)
		const kept = 8 * 5 * 3 * 3 * 2 * 50
		if needs.Rows != 2*3*3 || needs.Kept != kept {
			t.Errorf("%d workers: %+v", workers, needs)
		}
		if want := busy*max(small, large) + kept; !(math.Abs(memory-want) <= 1e-6*want) {
			t.Errorf("%d workers: %g bytes of memory, want %g", workers, memory, want)
		}
		if !(needs.Seconds > 0) {
			t.Errorf("%d workers: %g seconds", workers, needs.Seconds)
		}
	}
	_, whole := e.needs(run.Options{Workers: 1}, 7)
	_, shard := e.needs(run.Options{Workers: 1, Part: sde.Part{Number: 2, Of: 10}}, 7)
	if shard.Kept != whole.Kept/10 {
		t.Errorf("a tenth keeps %g of %g bytes", shard.Kept, whole.Kept)
	}
}

// Crowds may be compared at any time up to the horizon, and at the horizon itself.
func TestTimeOfComparison(t *testing.T) {
	for time, good := range map[float64]bool{16: true, 16.125: false, 15.875: true, 1e-9: false} {
		e := New()
		e.Depth, e.Horizon, e.Time = 8, 16, time
		if err := e.Validate(); (err == nil) != good {
			t.Errorf("time %g: %v", time, err)
		}
	}
}

// The distance to the largest crowd has an error unless the distance is 0 or unknown.
func TestErrorOfTheDistance(t *testing.T) {
	for _, test := range []struct {
		squares         [2]float64
		value, stderr   float64
		valued, withErr bool
	}{{[2]float64{0.16, 0.36}, math.Sqrt(0.26), 0.1 / (2 * math.Sqrt(0.26)), true, true},
		{[2]float64{0, 0}, 0, 0, true, false}, {[2]float64{math.NaN(), 0.25}, 0, 0, false, false}} {
		r := data.NullRow[Row]()
		r.setDistance([]seen{{distance: test.squares[0]}, {distance: test.squares[1]}})
		if got := !math.IsNaN(r.Distance); got != test.valued ||
			got && math.Abs(r.Distance-test.value) > 1e-15 {
			t.Errorf("%v: distance %g", test.squares, r.Distance)
		}
		if got := !math.IsNaN(r.DistanceStderr); got != test.withErr ||
			got && math.Abs(r.DistanceStderr-test.stderr) > 1e-15 {
			t.Errorf("%v: error %g", test.squares, r.DistanceStderr)
		}
	}
}

// Equal tokens are one cluster, and this is looked for once their mean is long.
func TestSingleOnceOneSideHasWon(t *testing.T) {
	c := crowd{tokens: make([]float64, 3*20), classifier: sphere.NewClassifier(20, 1e-3)}
	for k := range 20 {
		c.tokens[3*k+1] = -1
	}
	if c.won = math.NaN(); c.isSingle(3) {
		t.Error("before one side has won")
	}
	if c.look(3, 4); c.won != 4 || !c.isSingle(3) {
		t.Errorf("won %v, single %v", c.won, c.isSingle(3))
	}
	if c.look(3, 5); c.won != 4 {
		t.Errorf("won later: %v", c.won)
	}
	c.tokens[1] = 1
	if c.isSingle(3) {
		t.Error("two opposite clusters are single")
	}
}
