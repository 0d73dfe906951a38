package evolve

import (
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/invariant"
	"antipode/sphere/must"
)

// Opposite clusters of 1 and 2 tokens decay with the time constant 8.306 of the theory. Equal ones persist
// where cosh 2β > d-2, except those that part from within the tolerance: few for β = 2, and too many for a
// forecast for β = 0.7. Elsewhere their decay time is not known.
func TestForecastOfMasses(t *testing.T) {
	e := New()
	e.Tokens, e.Dim, e.Beta, e.Horizon, e.Forecast = 3, []int{4}, []float64{1.5}, 5, 50
	seen := sizes{}
	for range 30 {
		seen.add(outcomes.Seen{Outcome: sphere.Antipodal, Pair: true, Clusters: 2, Largest: 2})
		seen.add(outcomes.Together(3))
	}
	last := Row{Trajectories: 100, Antipodal: 30, Single: 30, Unclustered: 40}
	rows := e.forecastOf(e.grid()[0], last, seen)
	if len(rows) != 20 || rows[19].Time != 50 || rows[0].Time != 5*math.Pow(10, 0.05) {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		want := 0.3 * math.Exp((5-r.Time)/8.306)
		low, _ := wilson(100*want, 100)
		_, high := wilson(100*(want+0.4), 100)
		if math.Abs(r.PForecast/want-1) > 1e-3 || math.Abs(r.ForecastLow-low) > 1e-4 ||
			math.Abs(r.ForecastHigh-high) > 1e-4 {
			t.Errorf("%+v, want %v", r, want)
		}
	}
	for _, c := range []struct{ beta, want, low, high float64 }{{2, 0.2, 20 * 0.9707728, 20},
		{0.7, math.NaN(), 20 * 0.2156174, 20}, {0.6, math.NaN(), 0, 20}} {
		cell := e.cell(setting.Transformer, 4, c.beta) // β_c is 0.658
		cell.Tokens = 8
		rows := e.forecastOf(cell, Row{Trajectories: 100}, sizes{4: 20})
		low, _ := wilson(c.low, 100)
		_, high := wilson(c.high, 100)
		for _, r := range rows {
			if p := r.PForecast; p != c.want && (p == p || c.want == c.want) ||
				math.Abs(r.ForecastLow-low) > 1e-6 || math.Abs(r.ForecastHigh-high) > 1e-12 {
				t.Errorf("β = %v: %+v, low %v, high %v", c.beta, r, low, high)
			}
		}
	}
}

// The antipodal fraction of three tokens, simulated up to time 40, agrees with the forecast from other
// trajectories up to time 4. With 2000 trajectories each, the fractions at four times differ by less than 4.5
// standard errors, except in one of 4·10^4 seeds.
func TestForecastIsThatOfALongerRun(t *testing.T) {
	e := New()
	e.Tokens, e.Dim, e.Beta, e.Tolerance, e.Depth, e.Trajectories = 3, []int{4}, []float64{1.5}, 0.1, 50, 2000
	e.Horizon, e.Forecast = 4, 40
	forecast := must.Get(data.RowsOf[ForecastRow](experimenttest.Table(t, e, run.Options{Seed: 1})))(t)
	e.Horizon, e.Forecast, e.LogTime = 40, 0, true
	long := must.Get(data.RowsOf[Row](experimenttest.Table(t, e, run.Options{Seed: 2})))(t)
	compared := 0
	for _, f := range forecast[len(forecast)-20:] {
		for _, r := range long {
			if math.Abs(r.Time-f.Time) > 0.02 || compared%5 != 0 && f.Time != 40 {
				continue
			}
			p := (f.PForecast + r.PAntipodal) / 2
			off := (f.PForecast - r.PAntipodal) / math.Sqrt(2*p*(1-p)/2000)
			t.Logf("time %.3g: forecast %.4f, simulated %.4f, %.1f standard errors", f.Time, f.PForecast,
				r.PAntipodal, off)
			if !(math.Abs(off) <= 4.5) {
				t.Errorf("time %v: %v and %v", f.Time, f.PForecast, r.PAntipodal)
			}
		}
		compared++
	}
	if first := forecast[0]; first.Trajectories != 2000 || first.PForecast == first.PForecast {
		t.Errorf("first row %+v", first)
	}
}

func TestForecastIsRefused(t *testing.T) {
	for problem, change := range map[string]func(e *Experiment){
		"must be above the horizon, 50": func(e *Experiment) { e.Forecast = 50 },
		"model transformer":             func(e *Experiment) { e.Model = []setting.Model{setting.Flow} },
		"independent entries": func(e *Experiment) {
			e.Covariance = invariant.Covariance{A: 0.5, B: 0.5}
		},
	} {
		e := New()
		e.Forecast = 1e6
		change(e)
		experimenttest.CheckRefused(t, e.Validate(), "forecast", problem)
	}
	e := New()
	e.Forecast = 1e6
	err := e.Run(t.Context(), run.Options{Part: sde.Part{Number: 1, Of: 2}}, nil)
	experimenttest.CheckRefused(t, err, "forecast", "must be left out in a shard")
}

// The forecast is a dashed line with dotted limits after the simulated fractions, on a logarithmic axis of
// time, and a sentence in the report.
func TestFigureOfAForecast(t *testing.T) {
	e := New()
	e.Model, e.Tokens, e.Dim, e.Beta, e.Horizon, e.Forecast = []setting.Model{"transformer"}, 5, []int{4},
		[]float64{2}, 3, 300
	row := func(time float64, n, antipodal int64) ForecastRow {
		return simulated([]Row{{Model: "transformer", Tokens: 5, Dim: 4, Beta: 2, Time: time, Trajectories: n,
			Antipodal: antipodal, Unclustered: n - antipodal}})[0]
	}
	rows := []ForecastRow{row(1, 40, 10), row(3, 40, 20), row(30, 0, 0), row(300, 0, 0)}
	for k, p := range []float64{0.4, 0.25} {
		f := &rows[2+k]
		f.PForecast, f.ForecastLow, f.ForecastHigh = p, p-0.1, p+0.2
	}
	table := experimenttest.TableOf(t, e, rows...)
	drawn := figuretest.Draw(t, e, table)
	p := figuretest.Read(t, drawn, 0, "β = 2, 5 tokens, d = 4", "time", "fraction of trajectories")
	stroke := figure.Stroke{Color: figure.SeriesColors[1], Width: 1.3, Dashes: []float64{6, 4}}
	p.Has(figuretest.LineOf(stroke, 30, 0.4, 300, 0.25))
	stroke.Width, stroke.Dashes = 0.8, []float64{1.5, 2.5}
	p.Has(figuretest.LineOf(stroke, 30, 0.3, 300, 0.15))
	if !p.X.Logarithmic {
		t.Error("times are not on an axis of logarithms")
	}
	var text strings.Builder
	const want = "Forecast of the antipodal fraction at time 300; d = 4, β = 2: 0.2500 " +
		"(95 % interval 0.1500 to 0.4500)."
	if err := e.Describe(&text, table); err != nil || !strings.Contains(text.String(), want) {
		t.Errorf("%q, error %v", &text, err)
	}
}

// The decay times of several sizes of clusters are in ascending order, so that sums over them have the same
// bits in every run: 3 and 5 of 8 tokens decay after 1 and 7 do, and 4 and 4 last.
func TestDecaysAreInOrder(t *testing.T) {
	cell := New().cell(setting.Transformer, 4, 1.5)
	cell.Tokens = 8
	for range 3 {
		all := sizes{4: 1, 7: 2, 5: 3, 6: 4}.decays(cell, 1e-3)
		var counts []int64
		for k, d := range all {
			counts = append(counts, d.trajectories)
			if k > 0 && !(all[k-1].decayTime < d.decayTime) {
				t.Errorf("%v before %v", all[k-1].decayTime, d.decayTime)
			}
		}
		if !slices.Equal(counts, []int64{2, 4, 3, 1}) || !math.IsInf(all[3].decayTime, 1) {
			t.Fatalf("%+v", all)
		}
	}
}
