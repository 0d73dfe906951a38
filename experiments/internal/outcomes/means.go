package outcomes

import (
	"math"

	"antipode/experiments/internal/statistics"
)

// Means holds the columns of means over trajectories of the numbers of clusters and of their sizes. The
// columns of Means are also those of a shard, because the sums over trajectories can be recovered from the
// means.
type Means struct {
	_         struct{} `meaning:"mean number of clusters: sets of tokens connected by overlaps ≥ 1-τ, where"`
	_         struct{} `meaning:"τ is the tolerance"`
	Clusters  float64  `column:"clusters,nullable"`
	Largest   float64  `column:"largest,nullable" unit:"tokens" meaning:"mean size of the largest cluster"`
	_         struct{} `meaning:"imbalance of two opposite clusters (difference of their sizes / N),"`
	_         struct{} `meaning:"averaged over the antipodal trajectories; null if no trajectory is"`
	_         struct{} `meaning:"antipodal"`
	Imbalance float64  `column:"imbalance,nullable"`
	_         struct{} `meaning:"squared imbalance of two opposite clusters (difference of their sizes / N),"`
	_         struct{} `meaning:"averaged over the antipodal trajectories; null if no trajectory is"`
	_         struct{} `meaning:"antipodal"`
	Square    float64  `column:"imbalance_square,nullable"`
}

// Means returns the means over the trajectories of a tally with the given number of tokens.
func (t *Tally) Means(tokens int32) Means {
	all, antipodal, n := float64(t.Trajectories()), float64(t.Antipodal()), float64(tokens)
	m := Means{Clusters: t.Masses.Clusters / all, Largest: t.Masses.Largest / all, Imbalance: math.NaN(),
		Square: math.NaN()}
	if antipodal > 0 {
		m.Imbalance = t.Masses.Excess / (n * antipodal)
		m.Square = t.Masses.Squares / (n * n * antipodal)
	}
	return m
}

// Masses recovers the sums over trajectories from the means, given the numbers of trajectories, of antipodal
// trajectories and of tokens. The sums are integers, so that rounding makes the recovered sums exact.
func (m Means) Masses(trajectories, antipodal int64, tokens int32) Masses {
	if trajectories == 0 {
		return Masses{}
	}
	all, n := float64(trajectories), float64(tokens)
	sums := Masses{Clusters: math.Round(m.Clusters * all), Largest: math.Round(m.Largest * all)}
	if antipodal > 0 {
		sums.Excess = math.Round(m.Imbalance * (n * float64(antipodal)))
		sums.Squares = math.Round(m.Square * (n * n * float64(antipodal)))
	}
	return sums
}

// ImbalanceInterval returns a 95 % confidence interval of the mean imbalance of the two clusters in antipodal
// trajectories, whose number is given. The interval is that of a normal mean, restricted to [0, 1]. The
// interval is NaN for fewer than two antipodal trajectories.
func (m Means) ImbalanceInterval(antipodal int64) (low, high float64) {
	if antipodal < 2 {
		return math.NaN(), math.NaN()
	}
	variance := max(0, m.Square-m.Imbalance*m.Imbalance)
	half := statistics.Quantile95 * math.Sqrt(variance/float64(antipodal-1))
	return max(0, m.Imbalance-half), min(1, m.Imbalance+half)
}
