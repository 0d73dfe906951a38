package weak

import (
	"math"
	"slices"
	"strings"

	"antipode/experiments/internal/fit"
	"antipode/sde"
)

// Row is a row of the table of experiment weak: the mean of a statistic of the overlap at one depth, under
// one scheme and law.
type Row struct {
	_         struct{}  `meaning:"recursion over layers, a scheme for its limit in continuous time, or the"`
	_         struct{}  `meaning:"extrapolation of a scheme from this depth and the next"`
	Scheme    Scheme    `column:"scheme"`
	Law       sde.Law   `column:"law" meaning:"law of the random increments"`
	_         struct{}  `meaning:"depth L, the number of layers in a unit of time; the time step is 1/L"`
	Depth     int32     `column:"depth" unit:"layers per unit of time"`
	_         struct{}  `meaning:"function of the overlap z at the horizon: z, its square z2, or the bump"`
	_         struct{}  `meaning:"exp(-z²/(1-z²))"`
	Statistic Statistic `column:"statistic"`
	_         struct{}  `meaning:"mean of the row's statistic of the overlap at the horizon"`
	Value     float64   `column:"value,nullable"`
	_         struct{}  `meaning:"standard error of the column error, or of the column value where error is"`
	_         struct{}  `meaning:"null"`
	Stderr    float64   `column:"stderr,nullable"`
	_         struct{}  `meaning:"mean of the row's statistic in the limit of infinite depth: from the"`
	_         struct{}  `meaning:"Fokker-Planck equation for two tokens, and otherwise the value at the"`
	_         struct{}  `meaning:"largest depth"`
	Reference float64   `column:"reference,nullable"`
	_         struct{}  `meaning:"difference value - reference of the columns value and reference; null at"`
	_         struct{}  `meaning:"the depth from which the reference comes"`
	Error     float64   `column:"error,nullable"`
	_         struct{}  `meaning:"order p of the error in 1/L, from a fit of reference + c·L^-p +"`
	_         struct{}  `meaning:"c'·L^-(p+1) to the column value over all depths of the scheme, law and"`
	_         struct{}  `meaning:"statistic, with the limit fitted where the Fokker-Planck equation does not"`
	_         struct{}  `meaning:"give it; null if the order is lost in the noise"`
	Order     float64   `column:"order,nullable"`
	OrderLow  float64   `column:"order_low,nullable" meaning:"lower end of the 95 % interval of order"`
	OrderHigh float64   `column:"order_high,nullable" meaning:"upper end of the 95 % interval of order"`
}

// shardRow is a row of the table of a shard: the result of one trajectory.
type shardRow struct {
	Trajectory int64     `column:"trajectory" meaning:"number of the trajectory, counted from 0"`
	_          struct{}  `meaning:"values of all statistics at the horizon, by scheme and law, then by"`
	_          struct{}  `meaning:"statistic, then by depth"`
	Values     []float64 `column:"values"`
}

// Scheme is the name of the recursion, of a numerical scheme for its limit, or of the extrapolation of one of
// these.
type Scheme string

// recursionName is the name of the recursion as a Scheme.
const recursionName = "recursion"

// extrapolation is the beginning of the name of an extrapolation.
const extrapolation = "extrapolated-"

// Labels returns the names of the recursion and of all schemes, followed by the names of their extrapolations
// in the same order.
func (Scheme) Labels() []string {
	names := []string{recursionName}
	for _, s := range (sde.TransformerSDE{}).Schemes() {
		names = append(names, s.String())
	}
	for _, name := range slices.Clone(names) {
		names = append(names, extrapolation+name)
	}
	return names
}

// extrapolated returns the name of the Talay-Tubaro extrapolation of a scheme.
func (s Scheme) extrapolated() Scheme { return extrapolation + s }

// plain returns the name of the scheme without the extrapolation, and whether s is the name of an
// extrapolation.
func (s Scheme) plain() (plain Scheme, extrapolated bool) {
	name, extrapolated := strings.CutPrefix(string(s), extrapolation)
	return Scheme(name), extrapolated
}

// rowsOf returns the rows of one scheme, law and statistic, with a row for each depth. The argument limit is
// the mean at infinite depth, or NaN if that is not known.
func rowsOf(scheme Scheme, law sde.Law, statistic Statistic, e fit.Estimates, limit float64) []Row {
	order, low, high := e.Order(limit)
	rows, last := make([]Row, len(e.Means)), len(e.Means)-1
	for i, mean := range e.Means {
		reference, difference, stderr := limit, mean-limit, e.Stderr(i)
		if math.IsNaN(limit) {
			reference, difference = e.Means[last], math.NaN()
			if i < last {
				difference, stderr = e.Difference(i, last)
			}
		}
		rows[i] = Row{
			Scheme: scheme, Law: law, Depth: int32(e.Depths[i]), Statistic: statistic,
			Value: mean, Stderr: stderr, Reference: reference, Error: difference,
			Order: order, OrderLow: low, OrderHigh: high,
		}
	}
	return rows
}
