package evolve

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/overlap/firstpassage"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
	"antipode/sphere/invariant"
)

// ForecastRow is a row of the table with a forecast of the antipodal fraction. In rows with times beyond the
// horizon, the number of simulated trajectories is 0.
type ForecastRow struct {
	Row
	_            struct{} `meaning:"antipodal fraction to be expected at this time, from the clusters at the"`
	_            struct{} `meaning:"horizon and the decay times of such clusters at infinite depth; null up"`
	_            struct{} `meaning:"to the horizon, where a decay time is not known, and where clusters of"`
	_            struct{} `meaning:"equal size and overlap -1+τ are more likely to part than to last"`
	PForecast    float64  `column:"p_forecast,nullable"`
	_            struct{} `meaning:"lower end of the 95 % interval of the expected antipodal fraction, if"`
	_            struct{} `meaning:"clusters with an unknown decay time are gone, and as many clusters of"`
	_            struct{} `meaning:"equal size part as would from overlap -1+τ; null up to the horizon"`
	ForecastLow  float64  `column:"forecast_low,nullable"`
	_            struct{} `meaning:"upper end of the 95 % interval of the expected antipodal fraction, if"`
	_            struct{} `meaning:"clusters with an unknown decay time last, and all trajectories that are"`
	_            struct{} `meaning:"unclustered at the horizon become antipodal; null up to the horizon"`
	ForecastHigh float64  `column:"forecast_high,nullable"`
}

// simulated converts simulated rows up to the horizon to rows of a table with a forecast.
func simulated(rows []Row) (all []ForecastRow) {
	for _, r := range rows {
		f := data.NullRow[ForecastRow]()
		f.Row = r
		all = append(all, f)
	}
	return all
}

func (e *Experiment) forecast() parameter.Parameter {
	return parameter.Parameter{Name: "forecast", Unit: "units of time",
		Meaning: "forecasts the antipodal fraction from the horizon up to this later time; all times, also " +
			"the simulated ones, are then at equal ratios; 0 for no forecast",
		Value: parameter.Real(&e.Forecast, parameter.Range{Low: 0, High: 1e12})}
}

// checkForecast returns an error if the forecast does not end after the horizon, or if no theory tells how
// long opposite clusters last.
func (e *Experiment) checkForecast() error {
	problem := ""
	switch {
	case e.Forecast == 0:
		return nil
	case e.Forecast <= e.Horizon:
		problem = fmt.Sprintf("must be above the horizon, %g, or 0 for none", e.Horizon)
	case !slices.Equal(e.Model, []setting.Model{setting.Transformer}) || !e.Interaction.Identity() ||
		e.Covariance != invariant.Ginibre || !e.beside().None():
		problem = "decay times are known for the model transformer with independent entries and the " +
			"identity as interaction, with nothing beside attention; must be 0 here"
	default:
		return setting.CheckClock(e.Attention, e.Beta)
	}
	return parameter.Errorf("forecast", e.Forecast, "%s", problem)
}

// sizes counts the antipodal trajectories of a cell at the horizon by the number of tokens in the larger
// cluster.
type sizes map[int32]int64

func (s sizes) add(last outcomes.Seen) {
	if last.Outcome == sphere.Antipodal {
		s[last.Largest]++
	}
}

// decaying is a number of antipodal trajectories whose clusters have the same decay time. The decay time is
// +Inf if the clusters last forever, which they do with at least the probability lasting, and NaN if it is
// not known.
type decaying struct {
	trajectories       int64
	decayTime, lasting float64
}

// decays returns the antipodal trajectories of a cell with the decay times of their clusters.
func (s sizes) decays(c sde.Cell, tolerance float64) (all []decaying) {
	for largest, n := range s {
		decayTime, lasting := decayTime(c, largest, tolerance)
		all = append(all, decaying{n, decayTime, lasting})
	}
	slices.SortFunc(all, func(a, b decaying) int {
		return cmp.Or(cmp.Compare(a.decayTime, b.decayTime), cmp.Compare(a.trajectories, b.trajectories))
	})
	return all
}

// decayTime returns the decay time of two opposite clusters of the tokens of a cell. The argument largest is
// the number of tokens in the larger cluster. If the antipodal outcome is attracting, clusters of equal size
// last forever with a probability that increases with how nearly opposite the clusters are. The second result
// is this probability for clusters that are only just within the tolerance, and 1 for others. If the
// antipodal outcome is not attracting, the decay time of clusters of equal size is NaN.
func decayTime(c sde.Cell, largest int32, tolerance float64) (time, lasting float64) {
	smallest := c.Tokens - int(largest)
	diffusion, err := overlap.NewMasses(c.Dim, c.Beta, theory.Attention(c.Attention),
		c.Model.(sde.Transformer).Sigma, float64(largest), float64(smallest))
	if err != nil {
		return math.NaN(), 1
	}
	if int(largest) == smallest {
		antipodal, err := diffusion.AntipodalFrom(tolerance - 1)
		if err != nil || diffusion.MinusOne() != overlap.Attracting {
			return math.NaN(), 1
		}
		return math.Inf(1), antipodal.Value
	}
	decay, err := firstpassage.DecayTime(diffusion)
	if err != nil { // a continuous spectrum is near
		return math.NaN(), 1
	}
	return decay.Value, 1
}

// leastLasting is the least probability with which clusters that are only just within the tolerance last, if
// the forecast takes all clusters of equal size to last. Most clusters are much nearer to opposite.
const leastLasting = 0.5

// forecastOf returns the rows of a cell at times beyond the horizon. The argument last is the row of the cell
// at the horizon, and seen counts the cluster sizes at the horizon.
func (e *Experiment) forecastOf(c sde.Cell, last Row, seen sizes) (rows []ForecastRow) {
	decays := seen.decays(c, e.Tolerance)
	for _, time := range e.laterTimes() {
		r := data.NullRow[ForecastRow]()
		r.Model, r.Tokens, r.Dim, r.Beta, r.Time = last.Model, last.Tokens, last.Dim, last.Beta, time
		var sum, least, unknown float64
		known := true
		for _, d := range decays {
			n := float64(d.trajectories)
			if d.decayTime != d.decayTime {
				unknown, known = unknown+n, false
				continue
			}
			n *= elementary.Exp(-(time - e.Horizon) / d.decayTime)
			sum += n
			least += float64(n * d.lasting)
			known = known && d.lasting >= leastLasting
		}
		all := float64(last.Trajectories)
		if known {
			r.PForecast = sum / all
		}
		r.ForecastLow, _ = outcomes.WilsonOfMean(least, all)
		_, r.ForecastHigh = outcomes.WilsonOfMean(min(all, sum+unknown+float64(last.Unclustered)), all)
		rows = append(rows, r)
	}
	return rows
}

// laterTimes returns the times of the forecast, from after the horizon up to its end. The times have equal
// ratios, with at least 20 times per decade.
func (e *Experiment) laterTimes() (times []float64) {
	const perDecade = 20
	decades := elementary.Log(e.Forecast/e.Horizon) / math.Ln10
	n := int(math.Ceil(decades * perDecade))
	for k := 1; k < n; k++ {
		times = append(times, e.Horizon*elementary.Exp(math.Ln10*decades*float64(k)/float64(n)))
	}
	return append(times, e.Forecast)
}
