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
	_               struct{} `meaning:"number of simulated trajectories"`
	Trajectories    int64    `column:"trajectories" unit:"trajectories"`
	_               struct{} `meaning:"mean time at which the overlap of two clusters of unequal size, from"`
	_               struct{} `meaning:"-1, is first ≥ 0 after a layer; null for clusters of equal size"`
	Lifetime        float64  `column:"lifetime,nullable" unit:"units of time"`
	_               struct{} `meaning:"lower end of the 95 % interval of lifetime; null for clusters of"`
	_               struct{} `meaning:"equal size, and for one trajectory"`
	LifetimeLow     float64  `column:"lifetime_low,nullable" unit:"units of time"`
	_               struct{} `meaning:"upper end of the 95 % interval of lifetime; null for clusters of"`
	_               struct{} `meaning:"equal size, and for one trajectory"`
	LifetimeHigh    float64  `column:"lifetime_high,nullable" unit:"units of time"`
	_               struct{} `meaning:"mean passage time of the overlap of two clusters of unequal size from"`
	_               struct{} `meaning:"-1 to 0, at infinite depth; null for clusters of equal size, and"`
	_               struct{} `meaning:"beyond 1.8e308"`
	LifetimeTheory  float64  `column:"lifetime_theory,nullable" unit:"units of time"`
	_               struct{} `meaning:"mean time by which two opposite clusters of unequal size come"`
	_               struct{} `meaning:"together (overlap ≥ 1-τ) later than the median, in the slower half of"`
	_               struct{} `meaning:"the trajectories; comparable with decay_time_theory only where this"`
	_               struct{} `meaning:"time is much longer than the overlap takes from 0 to 1-τ; null for"`
	_               struct{} `meaning:"clusters of equal size, and for one trajectory"`
	DecayTime       float64  `column:"decay_time,nullable" unit:"units of time"`
	_               struct{} `meaning:"inverse of the rate at which the probability of two opposite clusters"`
	_               struct{} `meaning:"of unequal size decays in the end, at infinite depth; null for"`
	_               struct{} `meaning:"clusters of equal size, and where the rate is not known"`
	DecayTimeTheory float64  `column:"decay_time_theory,nullable" unit:"units of time"`
	_               struct{} `meaning:"exponential rate of growth of the distance between two tokens of one"`
	_               struct{} `meaning:"cluster, beside an opposite cluster of equal size, in simulation;"`
	_               struct{} `meaning:"null for clusters of unequal size, and for single tokens"`
	Within          float64  `column:"exponent_within,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"standard error of exponent_within; null where exponent_within is"`
	_               struct{} `meaning:"null, and for one trajectory"`
	WithinError     float64  `column:"exponent_within_error,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"exponential rate of growth of the distance between two tokens of one"`
	_               struct{} `meaning:"cluster, beside an opposite cluster of equal size, at infinite depth;"`
	_               struct{} `meaning:"null for clusters of unequal size, and for single tokens"`
	WithinTheory    float64  `column:"exponent_within_theory,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"exact exponential rate of growth of the distance between two tokens"`
	_               struct{} `meaning:"of one cluster, beside an opposite cluster of equal size, at this"`
	_               struct{} `meaning:"depth; null for clusters of unequal size, for single tokens, and for"`
	_               struct{} `meaning:"value matrices whose entries are not gaussian"`
	WithinDepth     float64  `column:"exponent_within_depth,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"exponential rate of growth of the distance of two clusters of equal"`
	_               struct{} `meaning:"size from exact opposition, in simulation; null for clusters of"`
	_               struct{} `meaning:"unequal size"`
	Between         float64  `column:"exponent_between,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"standard error of exponent_between; null for clusters of unequal"`
	_               struct{} `meaning:"size, and for one trajectory"`
	BetweenError    float64  `column:"exponent_between_error,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"exponential rate of growth of the distance of two clusters of equal"`
	_               struct{} `meaning:"size from exact opposition, at infinite depth, which is the Lyapunov"`
	_               struct{} `meaning:"exponent of two opposite tokens; null for clusters of unequal size"`
	BetweenTheory   float64  `column:"exponent_between_theory,nullable" unit:"per unit of time"`
	_               struct{} `meaning:"exact exponential rate of growth of the distance of two clusters of"`
	_               struct{} `meaning:"equal size from exact opposition, at this depth; null for clusters of"`
	_               struct{} `meaning:"unequal size, and for value matrices whose entries are not gaussian"`
	BetweenDepth    float64  `column:"exponent_between_depth,nullable" unit:"per unit of time"`
}

// shardRow is a row of the table of a shard: the result of one trajectory.
type shardRow struct {
	Clusters
	Trajectory int64 `column:"trajectory" meaning:"number of the trajectory, counted from 0"`
	passage
}

// passage holds the first layer at which the overlap of the clusters of a trajectory was at least 0 (Zero),
// and the first layer at which it was at least 1-τ (End). The field Zero or End is 0 if the overlap did not
// reach the value, or if the clusters have equal sizes.
type passage struct {
	_    struct{} `meaning:"first layer at whose end the overlap of the two clusters is ≥ 0; 0 if there is"`
	_    struct{} `meaning:"none, and for clusters of equal size"`
	Zero int64    `column:"zero" unit:"layers"`
	_    struct{} `meaning:"first layer after which the two clusters have come together, with an overlap ≥"`
	_    struct{} `meaning:"1-τ; 0 if there is none, and for clusters of equal size"`
	End  int64    `column:"end" unit:"layers"`
	// The following fields are exponents of clusters of equal size, per unit of time.
	_       struct{} `meaning:"exponential rate of growth of the distance between two tokens of one cluster;"`
	_       struct{} `meaning:"null for clusters of unequal size, and for single tokens"`
	Within  float64  `column:"exponent_within,nullable" unit:"per unit of time"`
	_       struct{} `meaning:"exponential rate of growth of the distance of the two clusters from exact"`
	_       struct{} `meaning:"opposition; null for clusters of unequal size"`
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
