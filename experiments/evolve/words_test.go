package evolve

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/sde"
	"antipode/sphere/must"
)

// seenAt returns the rows of a cell with ten trajectories: for each time the numbers of single and of
// antipodal ones.
func seenAt(model string, dim int32, beta float64, outcomes map[float64][2]int64) (rows []Row) {
	for time, n := range outcomes {
		rows = append(rows, Row{Model: Model(model), Tokens: 3, Dim: dim, Beta: beta, Time: time,
			Trajectories: 10, Single: n[0], Antipodal: n[1], Unclustered: 10 - n[0] - n[1]})
	}
	slices.SortFunc(rows, func(a, b Row) int { return int(a.Time - b.Time) })
	return rows
}

// The report names the cell in which most trajectories were two opposite clusters, with the time, and what
// was left of them at the end; of several the first.
func TestWordsOfPersistence(t *testing.T) {
	e := New()
	e.Tokens = 3
	few := evolution(seenAt("transformer", 4, 1, map[float64][2]int64{0: {0, 0}, 1: {0, 2}, 2: {8, 1}}))
	many := evolution(seenAt("transformer", 5, 2, map[float64][2]int64{0: {0, 0}, 3: {0, 6}, 4: {1, 6},
		5: {8, 2}}))
	none := evolution(seenAt("flow", 6, 3, map[float64][2]int64{0: {0, 0}, 1: {9, 0}}))
	const found = "At most a fraction 0.600 of the trajectories consists of two opposite clusters " +
		"(transformer, d = 5, β = 2, time 3), and 0.200 at the end."
	for _, test := range []struct {
		tokens int64
		cells  []evolution
		want   string
	}{
		{3, []evolution{few, many, none}, found}, {3, []evolution{none, many, few}, found},
		{3, []evolution{few}, "0.200 of the trajectories consists of two opposite clusters (transformer, " +
			"d = 4, β = 1, time 1), and 0.100 at"},
		{3, []evolution{none}, "No trajectory ever consists of two opposite clusters."},
		{2, []evolution{many}, ""},
	} {
		e.Tokens = test.tokens
		got := e.persistence(test.cells)
		if !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// The flow is compared with each noisy model of the same dimension and β, in up to six pairs.
func TestWordsOfTheFlow(t *testing.T) {
	flow := func(dim int32, beta float64) evolution {
		return seenAt("flow", dim, beta, map[float64][2]int64{0: {0, 0}, 4: {5, 0}, 8: {9, 0}})
	}
	noisy := func(model string, dim int32, beta float64) evolution {
		return seenAt(model, dim, beta, map[float64][2]int64{0: {0, 0}, 2: {1, 1}, 8: {1, 1}})
	}
	for _, test := range []struct {
		cells []evolution
		want  string
	}{
		{[]evolution{noisy("transformer", 4, 1), flow(4, 1)}, " Half of the trajectories have clustered at " +
			"d = 4, β = 1 in the transformer not by time 8, in the flow by time 4."},
		{[]evolution{noisy("transformer", 4, 1), flow(5, 1), flow(4, 2)}, ""},
		{[]evolution{flow(4, 1)}, ""}, {[]evolution{noisy("transformer", 4, 1), noisy("hybrid", 4, 1)}, ""},
	} {
		if got := comparison(test.cells); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	for pairs, silent := range map[int]bool{1: false, 6: false, 7: true} {
		var cells []evolution
		for dim := range int32(pairs) {
			cells = append(cells, flow(dim+2, 1), noisy("hybrid", dim+2, 1))
		}
		got := comparison(cells)
		if (got == "") != silent || !silent && strings.Count(got, "by time 4") != pairs {
			t.Errorf("%d pairs: %q", pairs, got)
		}
	}
}

// The forecast at its last time is given for up to six cells, and the number of others.
func TestWordsOfAForecast(t *testing.T) {
	e := New()
	e.Forecast = 1000
	for cells := range 9 {
		var later []ForecastRow
		for k := range cells {
			f := data.NullRow[ForecastRow]()
			f.Dim, f.Beta, f.Time, f.ForecastLow, f.ForecastHigh = int32(k+3), 2, 1000, 0.125, 0.5
			if k == 1 {
				f.PForecast = 0.25
			}
			earlier := f
			earlier.Time = 999
			later = append(later, earlier, f)
		}
		got := e.expectation(later)
		if cells == 0 {
			if got != "" {
				t.Errorf("no forecast: %q", got)
			}
			continue
		}
		if strings.Count(got, "; d = ") != min(cells, 6) || !strings.HasPrefix(got,
			" Forecast of the antipodal fraction at time 1000; d = 3, β = 2: ") ||
			cells > 1 && !strings.Contains(got, "; d = 4, β = 2: 0.25 (95 % interval 0.1250 to 0.5000)") &&
				!strings.Contains(got, "; d = 4, β = 2: 0.2500 (95 % interval 0.1250 to 0.5000)") {
			t.Errorf("%d cells: %q", cells, got)
		}
		if more := map[int]string{7: "; and 1 more cell.", 8: "; and 2 more cells."}[cells]; cells > 6 !=
			strings.Contains(got, "more") || !strings.HasSuffix(got, more) {
			t.Errorf("%d cells: %q", cells, got)
		}
	}
}

// A forecast is drawn as a dashed line between two dotted ones.
func TestLinesOfAForecast(t *testing.T) {
	c := &drawnCell{}
	for k, p := range []float64{0.5, 0.375, 0.25} {
		f := data.NullRow[ForecastRow]()
		f.Time, f.PForecast, f.ForecastLow, f.ForecastHigh = float64(10*(k+1)), p, p-0.125, p+0.25
		c.later = append(c.later, f)
	}
	p := figure.NewPlot("", "", "")
	addForecast(p, c, 1)
	stroke := figure.Stroke{Color: figure.SeriesColors[1], Width: 1.3, Dashes: figure.Dashed}
	dotted := figure.Stroke{Color: figure.SeriesColors[1], Width: 0.8, Dashes: figure.Dotted}
	got := figuretest.Read(t, &figure.Figure{Panels: []figure.Panel{{Plot: p}}}, 0, "", "", "")
	got.Has(figuretest.LineOf(stroke, 10, 0.5, 20, 0.375, 30, 0.25))
	got.Has(figuretest.LineOf(dotted, 10, 0.375, 20, 0.25, 30, 0.125))
	got.Has(figuretest.LineOf(dotted, 10, 0.75, 20, 0.625, 30, 0.5))
	got.Count(3)
}

// The forecast begins after the horizon, in steps of at most a twentieth of a decade, and ends at its time.
func TestTimesOfAForecast(t *testing.T) {
	for forecast, count := range map[float64]int{100: 20, 1000: 40, 10.5: 1, 99.9: 20, 100.1: 21} {
		e := New()
		e.Horizon, e.Forecast = 10, forecast
		times := e.laterTimes()
		if len(times) != count || times[count-1] != forecast {
			t.Errorf("until %g: %d times, %v", forecast, len(times), times)
		}
		ratio := math.Pow(forecast/10, 1/float64(count))
		for k, time := range times {
			if want := 10 * math.Pow(ratio, float64(k+1)); !(math.Abs(time/want-1) <= 1e-12) {
				t.Errorf("until %g: time %d is %g, want %g", forecast, k, time, want)
			}
		}
	}
	for forecast, good := range map[float64]bool{0: true, 49.9: false, 50: false, 50.1: true, 1e12: true} {
		e := New() // with horizon 50
		e.Forecast = forecast
		if err := e.Validate(); (err == nil) != good {
			t.Errorf("forecast until %g after the horizon %g: %v", forecast, e.Horizon, err)
		}
	}
}

// Setting the models or the figure sets the law that they have by default.
func TestDefaultLaws(t *testing.T) {
	for _, test := range []struct {
		models []setting.Model
		want   sde.Law
	}{{[]setting.Model{setting.Transformer}, sde.Gaussian}, {[]setting.Model{setting.Flow}, sde.Gaussian},
		{[]setting.Model{setting.Hybrid}, sde.Rademacher},
		{[]setting.Model{setting.Hybrid, setting.Flow}, sde.Rademacher},
		{[]setting.Model{setting.Hybrid, setting.Transformer}, sde.Gaussian}} {
		var names []string
		for _, m := range test.models {
			names = append(names, m.String())
		}
		e := New()
		must.Do(t, parameter.ByName(e.Parameters(), "model").Set(strings.Join(names, ",")))
		if e.Law != test.want {
			t.Errorf("%v: %v", names, e.Law)
		}
		must.Do(t, e.figure().Set("8"))
		if e.Law != sde.Gaussian || e.Tokens != 2 {
			t.Errorf("figure 8 after %v: law %v, %d tokens", names, e.Law, e.Tokens)
		}
	}
	e := New()
	if err := parameter.ByName(e.Parameters(), "model").Set("none"); err == nil {
		t.Error("a model that does not exist")
	}
}

// The figure has a column for each of up to three β and a line for each of up to six dimensions; the caption
// says what is not drawn, and the size follows from the number of plots.
func TestSizeOfTheFigure(t *testing.T) {
	for _, test := range []struct {
		dims, betas   int
		width, height float64
		want          string
	}{{1, 1, 680, 440, ""}, {1, 2, 870, 440, ""}, {2, 1, 680, 650, ""}, {6, 3, 870, 650, ""},
		{1, 4, 870, 440, "; not drawn: β = 3"}, {7, 1, 680, 650, "; not drawn: d = 7"}} {
		e := New()
		e.Model, e.Tokens, e.Dim, e.Beta = []setting.Model{setting.Transformer}, 3, nil, nil
		var rows []Row
		for d := range test.dims {
			e.Dim = append(e.Dim, d+2)
			for beta := range test.betas {
				rows = append(rows, seenAt("transformer", int32(d+2), float64(beta+1),
					map[float64][2]int64{0: {0, 0}, 1: {1, 2}, 2: {3, 4}})...)
			}
		}
		for beta := range test.betas {
			e.Beta = append(e.Beta, float64(beta+1))
		}
		drawn := figuretest.Draw(t, e, experimenttest.TableOf(t, e, rows...))
		if got := fmt.Sprint(drawn.Width, drawn.Height); got != fmt.Sprint(test.width, test.height) {
			t.Errorf("%+v: size %s", test, got)
		}
		if !strings.HasSuffix(drawn.Caption, test.want) ||
			strings.Contains(drawn.Caption, "not drawn") != (test.want != "") {
			t.Errorf("%+v: %s", test, drawn.Caption)
		}
	}
}
