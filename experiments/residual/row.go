package residual

import (
	"math"

	"antipode/experiments/internal/statistics"
)

// Row is a row of the table of experiment residual: the mean of a statistic of the tokens in one regime at
// one depth.
type Row struct {
	_           struct{}  `meaning:"value matrices V: the identity, or matrices of independent standard"`
	_           struct{}  `meaning:"normal entries"`
	Values      Values    `column:"values"`
	_           struct{}  `meaning:"factor α that multiplies a residual branch, as a function of the depth L"`
	Scaling     Scaling   `column:"scaling"`
	_           struct{}  `meaning:"depth L, the number of layers in a unit of time"`
	Depth       int32     `column:"depth" unit:"layers per unit of time"`
	_           struct{}  `meaning:"function of the tokens at the horizon whose mean the row has: the mean"`
	_           struct{}  `meaning:"logarithm of the norms of the tokens, or the mean cosine of pairs"`
	Statistic   Statistic `column:"statistic"`
	_           struct{}  `meaning:"mean of the row's statistic over the samples; null if norms went beyond"`
	_           struct{}  `meaning:"the range of float64"`
	Value       float64   `column:"value,nullable"`
	Stderr      float64   `column:"stderr,nullable" meaning:"standard error of the column value"`
	_           struct{}  `meaning:"mean of the row's statistic in the limit of infinite depth: of the"`
	_           struct{}  `meaning:"limiting ordinary differential equation, of the limiting stochastic"`
	_           struct{}  `meaning:"differential equation (extrapolated from the two greatest depths; null"`
	_           struct{}  `meaning:"if they are too small for it), or of the start; null where there is no"`
	_           struct{}  `meaning:"limit"`
	Limit       float64   `column:"limit,nullable"`
	_           struct{}  `meaning:"difference value - limit of the columns value and limit, on common"`
	_           struct{}  `meaning:"starts and paths; null where limit is null"`
	Error       float64   `column:"error,nullable"`
	ErrorStderr float64   `column:"error_stderr,nullable" meaning:"standard error of the column error"`
}

// Values is the kind of value matrices.
type Values int8

// The kinds of value matrices: the identity, and matrices of independent standard normal entries.
const (
	Identity Values = iota
	Gaussian
)

// Labels returns the names of the kinds of value matrices.
func (Values) Labels() []string { return []string{"identity", "gaussian"} }

// Scaling is the factor α of a residual branch as a function of the depth L.
type Scaling int8

// The scalings of a residual branch at depth L: the factors 1/L and 1/√L.
const (
	Inverse Scaling = iota
	InverseRoot
)

// Labels returns the names of the scalings.
func (Scaling) Labels() []string { return []string{"1/L", "1/√L"} }

func (s Scaling) of(depth int) float64 {
	if s == Inverse {
		return 1 / float64(depth)
	}
	return 1 / math.Sqrt(float64(depth))
}

// Statistic is a function of the tokens whose mean over samples is in the table.
type Statistic int8

// The statistics of the tokens: the mean logarithm of their norms, and the mean cosine of two tokens.
const (
	LogNorm Statistic = iota
	Cosine
)

// Labels returns the names of the statistics.
func (Statistic) Labels() []string { return []string{"log_norm", "cosine"} }

// rows returns the rows of the table from all samples. A single token has no cosines.
func (e *Experiment) rows(samples [][]float64) (rows []Row) {
	depths := e.depths()
	n := len(depths)
	for i, r := range regimes {
		for j, depth := range depths {
			for s := range Statistic(min(kinds, e.Tokens)) {
				at := func(depth int) number {
					return func(v []float64) float64 { return v[(2+i*n+depth)*len(s.Labels())+int(s)] }
				}
				row := Row{Values: r.Values, Scaling: r.Scaling, Depth: int32(depth), Statistic: s}
				value := statistics.EstimateOf(samples, at(j))
				limit := r.limit(s, func() number {
					last := [3]number{at(n - 3), at(n - 2), at(n - 1)}
					return extrapolated(samples, [3]int(depths[n-3:]), last)
				})
				difference := statistics.EstimateOf(samples,
					func(v []float64) float64 { return at(j)(v) - limit(v) })
				row.Value, row.Stderr = value.Value, value.Stderr
				row.Limit = statistics.EstimateOf(samples, limit).Value
				row.Error, row.ErrorStderr = difference.Value, difference.Stderr
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// number is a function of the numbers of a sample.
type number func(sample []float64) float64

// limit returns the statistic of a sample in the limit of infinite depth. The function extrapolated gives it
// for the stochastic differential equation.
func (r regime) limit(s Statistic, extrapolated func() number) number {
	k := int(s)
	switch r {
	case regime{Identity, Inverse}:
		return func(v []float64) float64 { return v[kinds+k] }
	case regime{Gaussian, Inverse}:
		return func(v []float64) float64 { return v[k] }
	case regime{Gaussian, InverseRoot}:
		return extrapolated()
	}
	return unknown
}

func unknown([]float64) float64 { return math.NaN() }

// leastDepth is the least depth L from which a limit is extrapolated. A layer of random matrices reverses a
// token with a probability of about e^(-L/2). In smaller depths such tokens have a part in the error that is
// not of order 1/L.
const leastDepth = 8

// extrapolated returns the limit of a statistic that has an error of order 1/L at depth L, extrapolated from
// the last two of the given depths. The limit is unknown if these depths are too small for this order: if one
// is below leastDepth, or if the limit extrapolated from the first two depths differs by more than half of
// the last correction and more than four standard errors.
func extrapolated(samples [][]float64, depths [3]int, at [3]number) number {
	from := func(k int) number {
		ratio := float64(depths[k+1]) / float64(depths[k])
		return func(v []float64) float64 {
			return (float64(ratio*at[k+1](v)) - at[k](v)) / (ratio - 1)
		}
	}
	before, limit := from(0), from(1)
	change := statistics.EstimateOf(samples, func(v []float64) float64 { return limit(v) - before(v) })
	correction := statistics.EstimateOf(samples, func(v []float64) float64 { return limit(v) - at[2](v) })
	size := math.Abs(change.Value)
	if depths[1] < leastDepth || size > 4*change.Stderr && size > 0.5*math.Abs(correction.Value) {
		return unknown
	}
	return limit
}
