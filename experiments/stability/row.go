package stability

import (
	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/sde"
)

// Clusters are the sizes of two opposite clusters, with the dimension and β: the cell that a row is about.
type Clusters struct {
	First  int32   `column:"m1" unit:"tokens" meaning:"size of the first cluster"`
	Second int32   `column:"m2" unit:"tokens" meaning:"size of the second cluster"`
	Dim    int32   `column:"dim" meaning:"dimension d of the tokens"`
	Beta   float64 `column:"beta" meaning:"inverse temperature β"`
}

// Row is a row of the table of experiment stability, with simulation and theory. A row of clusters of unequal
// size has times, and a row of clusters of equal size has exponents.
type Row struct {
	Clusters
	Trajectories    int64    `column:"trajectories" unit:"trajectories" meaning:"simulated trajectories"`
	_               struct{} `meaning:"mean time at which the overlap, from -1, is first ≥ 0 after a layer;"`
	_               struct{} `meaning:"null for clusters of equal size, as all times are"`
	Lifetime        float64  `column:"lifetime,nullable" unit:"units of time"`
	_               struct{} `meaning:"lower end of the 95 % interval of lifetime"`
	LifetimeLow     float64  `column:"lifetime_low,nullable" unit:"units of time"`
	_               struct{} `meaning:"upper end of the 95 % interval of lifetime"`
	LifetimeHigh    float64  `column:"lifetime_high,nullable" unit:"units of time"`
	_               struct{} `meaning:"mean passage time of the overlap from -1 to 0 at infinite depth; null"`
	_               struct{} `meaning:"beyond 1.8e308"`
	LifetimeTheory  float64  `column:"lifetime_theory,nullable" unit:"units of time"`
	_               struct{} `meaning:"inverse of the rate at which the clusters of the slower half of the"`
	_               struct{} `meaning:"trajectories come together; null for one trajectory"`
	DecayTime       float64  `column:"decay_time,nullable" unit:"units of time"`
	_               struct{} `meaning:"inverse of the final decay rate at infinite depth; null where it is"`
	_               struct{} `meaning:"not known"`
	DecayTimeTheory float64  `column:"decay_time_theory,nullable" unit:"units of time"`
	_               struct{} `meaning:"exponent of the distance of two tokens of one cluster, for clusters"`
	_               struct{} `meaning:"of equal size; null for others, and for single tokens"`
	Within          float64  `column:"exponent_within,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"standard error of exponent_within"`
	WithinError     float64  `column:"exponent_within_error,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"the same at infinite depth"`
	WithinTheory    float64  `column:"exponent_within_theory,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"the same at this depth, exactly; null for entries that are not"`
	_               struct{} `meaning:"gaussian"`
	WithinDepth     float64  `column:"exponent_within_depth,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"exponent of the distance of the two clusters from opposition, for"`
	_               struct{} `meaning:"clusters of equal size; null for others"`
	Between         float64  `column:"exponent_between,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"standard error of exponent_between"`
	BetweenError    float64  `column:"exponent_between_error,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"the same at infinite depth, the Lyapunov exponent of the antipodal"`
	_               struct{} `meaning:"pair"`
	BetweenTheory   float64  `column:"exponent_between_theory,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"the same at this depth, exactly; null for entries that are not"`
	_               struct{} `meaning:"gaussian"`
	BetweenDepth    float64  `column:"exponent_between_depth,nullable" unit:"per unit of time"`
}

// shardRow is a row of the table of a shard: the result of one trajectory.
type shardRow struct {
	Clusters
	Trajectory int64 `column:"trajectory" meaning:"number of the trajectory, from 0"`
	passage
}

// passage holds the first layer at which the overlap of the clusters of a trajectory was at least 0 (Zero),
// and the first layer at which it was at least 1-τ (End). The field Zero or End is 0 if the overlap did not
// reach the value, or if the clusters have equal sizes.
type passage struct {
	Zero int64 `column:"zero" unit:"layers" meaning:"first layer at whose end the overlap is ≥ 0"`
	End  int64 `column:"end" unit:"layers" meaning:"layer after which the clusters have come together"`
	// The fields below are exponents of clusters of equal size, per unit of time.
	_       struct{} `meaning:"exponent within clusters of equal size; null for others"`
	Within  float64  `column:"exponent_within,nullable" unit:"per unit of time"`
	_       struct{} `meaning:"exponent between clusters of equal size; null for others"`
	Between float64  `column:"exponent_between,nullable" unit:"per unit of time"`
}

// clustersOf returns the sizes of the two opposite clusters of a cell, with the dimension and β.
func clustersOf(cell sde.Cell) Clusters {
	start := cell.Start.(sde.OppositeStart)
	return Clusters{int32(start.First), int32(start.Second), int32(cell.Dim), cell.Beta}
}

// diffusion returns the diffusion of the overlap of two opposite clusters at infinite depth.
func (s *Experiment) diffusion(c Clusters) (*overlap.Diffusion, error) {
	d, err := overlap.NewMasses(int(c.Dim), c.Beta, theory.Attention(s.Attention), s.Sigma, float64(c.First),
		float64(c.Second))
	if err != nil {
		return nil, err
	}
	return theory.Beside(d, s.MLP.InTheory(), s.Drift)
}
