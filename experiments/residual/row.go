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
	_           struct{}  `meaning:"differential equation (extrapolated from the two greatest depths), or of"`
	_           struct{}  `meaning:"the start; null where there is no limit"`
	Limit       float64   `column:"limit,nullable"`
	_           struct{}  `meaning:"difference value - limit of the columns value and limit, on common"`
	_           struct{}  `meaning:"starts and paths; null where there is no limit"`
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
				at := func(depth int) func([]float64) float64 {
					return func(v []float64) float64 { return v[(2+i*n+depth)*len(s.Labels())+int(s)] }
				}
				row := Row{Values: r.Values, Scaling: r.Scaling, Depth: int32(depth), Statistic: s}
				value := statistics.EstimateOf(samples, at(j))
				limit := r.limit(s, at(n-2), at(n-1))
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

// limit returns a function that gives the statistic of a sample in the limit of infinite depth. The functions
// coarse and fine give the statistic at the two greatest depths, from which the limit of the stochastic
// differential equation is extrapolated.
func (r regime) limit(s Statistic, coarse, fine func([]float64) float64) func([]float64) float64 {
	k := int(s)
	switch r {
	case regime{Identity, Inverse}:
		return func(v []float64) float64 { return v[kinds+k] }
	case regime{Gaussian, Inverse}:
		return func(v []float64) float64 { return v[k] }
	case regime{Gaussian, InverseRoot}:
		return func(v []float64) float64 { return 2*fine(v) - coarse(v) }
	}
	return func([]float64) float64 { return math.NaN() }
}
