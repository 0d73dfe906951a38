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
	_               struct{} `meaning:"number of simulated trajectories"`
	Trajectories    int64    `column:"trajectories" unit:"trajectories"`
	_               struct{} `meaning:"number of trajectories whose tokens form one cluster (all overlaps ≥"`
	_               struct{} `meaning:"1-τ, where τ is the tolerance) at the horizon or at an earlier whole"`
	_               struct{} `meaning:"unit of time"`
	Single          int64    `column:"single" unit:"trajectories"`
	_               struct{} `meaning:"number of trajectories with two opposite clusters at the horizon: all"`
	_               struct{} `meaning:"overlaps within the tolerance τ of ±1, at least one of them near -1"`
	Antipodal       int64    `column:"antipodal" unit:"trajectories"`
	_               struct{} `meaning:"number of trajectories with neither one cluster nor two opposite"`
	_               struct{} `meaning:"clusters at the horizon"`
	Unclustered     int64    `column:"unclustered" unit:"trajectories"`
	_               struct{} `meaning:"fraction of the trajectories that are antipodal: antipodal /"`
	_               struct{} `meaning:"trajectories"`
	PAntipodal      float64  `column:"p_antipodal"`
	_               struct{} `meaning:"lower end of the Wilson 95 % interval of p_antipodal"`
	Low             float64  `column:"p_low"`
	_               struct{} `meaning:"upper end of the Wilson 95 % interval of p_antipodal"`
	High            float64  `column:"p_high"`
	_               struct{} `meaning:"probability that N tokens form two opposite clusters if each chooses"`
	_               struct{} `meaning:"its side like a fair coin, as at large β: 1 - 2^(1-N)"`
	Sides           float64  `column:"p_sides"`
	_               struct{} `meaning:"imbalance |n₊-n₋|/N of two opposite clusters of n₊ and n₋ tokens,"`
	_               struct{} `meaning:"averaged over the antipodal trajectories; null if no trajectory is"`
	_               struct{} `meaning:"antipodal"`
	Imbalance       float64  `column:"imbalance,nullable"`
	_               struct{} `meaning:"standard error of the mean imbalance in the column imbalance"`
	ImbalanceStderr float64  `column:"imbalance_stderr,nullable"`
	_               struct{} `meaning:"10 % quantile of the imbalance |n₊-n₋|/N over the antipodal"`
	_               struct{} `meaning:"trajectories"`
	ImbalanceLow    float64  `column:"imbalance_q10,nullable"`
	_               struct{} `meaning:"median of the imbalance |n₊-n₋|/N over the antipodal trajectories"`
	ImbalanceMedian float64  `column:"imbalance_q50,nullable"`
	_               struct{} `meaning:"90 % quantile of the imbalance |n₊-n₋|/N over the antipodal"`
	_               struct{} `meaning:"trajectories"`
	ImbalanceHigh   float64  `column:"imbalance_q90,nullable"`
	_               struct{} `meaning:"number of trajectories in which one side won by the horizon: the mean"`
	_               struct{} `meaning:"of all tokens became longer than 1/2"`
	Won             int64    `column:"won" unit:"trajectories"`
	_               struct{} `meaning:"mean time until one side won (the mean of all tokens became longer"`
	_               struct{} `meaning:"than 1/2); null unless one side won in every trajectory"`
	Time            float64  `column:"win_time,nullable" unit:"units of time"`
	_               struct{} `meaning:"standard error of the mean time in the column win_time"`
	TimeStderr      float64  `column:"win_time_stderr,nullable" unit:"units of time"`
	_               struct{} `meaning:"increase of win_time from the next smaller number of tokens, divided"`
	_               struct{} `meaning:"by the increase of log N, with equal value matrices for both numbers"`
	_               struct{} `meaning:"of tokens"`
	Slope           float64  `column:"slope,nullable" unit:"units of time"`
	_               struct{} `meaning:"standard error of the column slope"`
	SlopeStderr     float64  `column:"slope_stderr,nullable" unit:"units of time"`
	_               struct{} `meaning:"predicted slope of win_time against log N for many tokens: 1 / twice"`
	_               struct{} `meaning:"the rate at which the mean of the tokens grows; null where opposite"`
	_               struct{} `meaning:"clusters attract"`
	SlopePredicted  float64  `column:"slope_predicted,nullable" unit:"units of time"`
	_               struct{} `meaning:"root mean square energy distance between the N tokens and the largest"`
	_               struct{} `meaning:"number of tokens under equal value matrices, at the time of"`
	_               struct{} `meaning:"comparison; null for the largest number"`
	Distance        float64  `column:"distance,nullable"`
	_               struct{} `meaning:"standard error of the column distance; null for the largest number"`
	DistanceStderr  float64  `column:"distance_stderr,nullable"`
	_               struct{} `meaning:"root mean square energy distance between the largest number of tokens"`
	_               struct{} `meaning:"and N tokens drawn from them without replacement, at the time of"`
	_               struct{} `meaning:"comparison; null for the largest number"`
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
