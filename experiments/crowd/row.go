package crowd

import (
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/internal/statistics"
	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// Row is a row of the table of experiment crowd: the results for crowds of a number of tokens at a dimension
// and a β.
type Row struct {
	Dim             int32    `column:"dim" meaning:"dimension d of the tokens"`
	Beta            float64  `column:"beta" meaning:"inverse temperature β"`
	Tokens          int32    `column:"tokens" meaning:"number N of tokens"`
	Trajectories    int64    `column:"trajectories" unit:"trajectories" meaning:"simulated trajectories"`
	_               struct{} `meaning:"trajectories whose tokens were one cluster at a unit of time up"`
	_               struct{} `meaning:"to the horizon: all overlaps ≥ 1-τ"`
	Single          int64    `column:"single" unit:"trajectories"`
	_               struct{} `meaning:"trajectories with two opposite clusters at the horizon: all"`
	_               struct{} `meaning:"overlaps ≥ 1-τ or ≤ -1+τ, and some ≤ -1+τ"`
	Antipodal       int64    `column:"antipodal" unit:"trajectories"`
	Unclustered     int64    `column:"unclustered" unit:"trajectories" meaning:"trajectories with neither"`
	PAntipodal      float64  `column:"p_antipodal" meaning:"antipodal / trajectories"`
	_               struct{} `meaning:"lower end of the Wilson 95 % interval of p_antipodal"`
	Low             float64  `column:"p_low"`
	_               struct{} `meaning:"upper end of the Wilson 95 % interval of p_antipodal"`
	High            float64  `column:"p_high"`
	_               struct{} `meaning:"probability of two opposite clusters of tokens that choose sides"`
	_               struct{} `meaning:"like fair coins, as at large β: 1 - 2^(1-N)"`
	Sides           float64  `column:"p_sides"`
	_               struct{} `meaning:"imbalance |n₊-n₋|/N of two opposite clusters of n₊ and n₋ tokens:"`
	_               struct{} `meaning:"mean over the antipodal trajectories; null for none"`
	Imbalance       float64  `column:"imbalance,nullable"`
	ImbalanceStderr float64  `column:"imbalance_stderr,nullable" meaning:"standard error of imbalance"`
	ImbalanceLow    float64  `column:"imbalance_q10,nullable" meaning:"quantile of the imbalance at 10 %"`
	ImbalanceMedian float64  `column:"imbalance_q50,nullable" meaning:"median of the imbalance"`
	ImbalanceHigh   float64  `column:"imbalance_q90,nullable" meaning:"quantile of the imbalance at 90 %"`
	_               struct{} `meaning:"trajectories in which one side had won by the horizon: the"`
	_               struct{} `meaning:"mean token had become longer than 1/2"`
	Won             int64    `column:"won" unit:"trajectories"`
	_               struct{} `meaning:"mean time until one side had won; null unless this"`
	_               struct{} `meaning:"happened in all trajectories"`
	Time            float64  `column:"win_time,nullable" unit:"units of time"`
	_               struct{} `meaning:"standard error of win_time"`
	TimeStderr      float64  `column:"win_time_stderr,nullable" unit:"units of time"`
	_               struct{} `meaning:"growth of win_time from the next smaller number of tokens,"`
	_               struct{} `meaning:"divided by the growth of log N; both have the same value"`
	_               struct{} `meaning:"matrices"`
	Slope           float64  `column:"slope,nullable" unit:"units of time"`
	_               struct{} `meaning:"standard error of slope"`
	SlopeStderr     float64  `column:"slope_stderr,nullable" unit:"units of time"`
	_               struct{} `meaning:"slope of many tokens: 1 / twice the rate at which their mean grows;"`
	_               struct{} `meaning:"null where opposite clusters attract"`
	SlopePredicted  float64  `column:"slope_predicted,nullable" unit:"units of time"`
	_               struct{} `meaning:"energy distance to the largest number of tokens, with the"`
	_               struct{} `meaning:"same value matrices, at the time of comparison: root of"`
	_               struct{} `meaning:"its mean square"`
	Distance        float64  `column:"distance,nullable"`
	DistanceStderr  float64  `column:"distance_stderr,nullable" meaning:"standard error of distance"`
	_               struct{} `meaning:"the same distance for N tokens drawn independently from"`
	_               struct{} `meaning:"the largest number"`
	Independent     float64  `column:"distance_independent,nullable"`
}

// attracts reports whether the state of two opposite clusters of equal size is attracting (Theorem 2).
func attracts(d int, beta float64) bool {
	critical, ok := overlap.CriticalBeta(d)
	return !ok || beta > critical
}

// rows returns the rows of a dimension from the numbers of all its trajectories.
func (e *Experiment) rows(d int, numbers [][]float64) (rows []Row) {
	k := 0
	for _, beta := range e.Beta {
		var fewer []seen
		for i, n := range e.sizes() {
			samples := make([]seen, len(numbers))
			for j := range numbers {
				samples[j] = seenOf(numbers[j][k : k+pieceNumbers])
			}
			k += pieceNumbers
			r := data.NullRow[Row]()
			r.Dim, r.Beta, r.Tokens, r.SlopePredicted = int32(d), beta, int32(n), predictedSlope(d, beta)
			r.count(samples)
			r.weigh(samples)
			r.setDistance(samples)
			layer := 1 / float64(e.Depth)
			r.Time, r.TimeStderr = timeOf(samples, layer)
			if i > 0 {
				ratio := float64(n) / float64(e.sizes()[i-1])
				r.Slope, r.SlopeStderr = slopeOf(fewer, samples, layer/elementary.Log(ratio))
			}
			rows, fewer = append(rows, r), samples
		}
	}
	return rows
}

// count sets the numbers of trajectories with each outcome in the row of a crowd.
func (r *Row) count(samples []seen) {
	var tally outcomes.Tally
	for _, s := range samples {
		tally.Outcomes[s.outcome]++
	}
	r.Trajectories = tally.Trajectories()
	r.Single, r.Antipodal, r.Unclustered = tally.Each()
	r.Won = int64(lists.Count(samples, func(s seen) bool { return !math.IsNaN(s.won) }))
	r.PAntipodal = float64(r.Antipodal) / float64(r.Trajectories)
	r.Low, r.High = outcomes.Wilson(r.Antipodal, r.Trajectories)
	r.Sides = 1 - math.Ldexp(1, 1-int(r.Tokens))
}

// weigh sets the statistics of the imbalance of two opposite clusters in the row of a crowd.
func (r *Row) weigh(samples []seen) {
	var imbalances []float64
	for _, s := range samples {
		if s.outcome == sphere.Antipodal {
			imbalances = append(imbalances, s.imbalance)
		}
	}
	if len(imbalances) == 0 {
		return
	}
	mean := statistics.EstimateOf(imbalances, func(x float64) float64 { return x })
	r.Imbalance, r.ImbalanceStderr = mean.Value, mean.Stderr
	slices.Sort(imbalances)
	r.ImbalanceLow = quantile(imbalances, 0.1)
	r.ImbalanceMedian = quantile(imbalances, 0.5)
	r.ImbalanceHigh = quantile(imbalances, 0.9)
}

// quantile returns a quantile of an ascending sample, interpolated linearly between its values.
func quantile(sample []float64, share float64) float64 {
	at := float64(share * float64(len(sample)-1))
	below := int(at)
	if below+1 >= len(sample) {
		return sample[len(sample)-1]
	}
	return sample[below] + float64((at-float64(below))*(sample[below+1]-sample[below]))
}

// setDistance sets the distance to the largest crowd in the row of a crowd. NaN remains NaN.
func (r *Row) setDistance(samples []seen) {
	square := statistics.EstimateOf(samples, func(s seen) float64 { return s.distance })
	r.Distance = math.Sqrt(square.Value)
	if r.Distance > 0 {
		r.DistanceStderr = square.Stderr / (2 * r.Distance)
	}
	r.Independent = math.Sqrt(statistics.EstimateOf(samples,
		func(s seen) float64 { return s.independent }).Value)
}

// timeOf returns the mean time until one side wins, with its standard error. The argument layer is the time
// of a layer. The mean is NaN unless one side wins in all samples.
func timeOf(samples []seen, layer float64) (mean, stderr float64) {
	e := statistics.EstimateOf(samples, func(s seen) float64 { return s.won * layer })
	return e.Value, e.Stderr
}

// slopeOf returns the mean difference between the layers at which one side wins for many and for few tokens,
// multiplied by unit, with its standard error.
func slopeOf(few, many []seen, unit float64) (mean, stderr float64) {
	growth := lists.Of(len(many), func(k int) float64 { return (many[k].won - few[k].won) * unit })
	e := statistics.EstimateOf(growth, func(x float64) float64 { return x })
	return e.Value, e.Stderr
}
