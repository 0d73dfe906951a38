// Package stability is the experiment on the stability of two opposite clusters: on the lifetime of clusters
// of unequal size, and on whether the state of two clusters of equal size is attracting.
//
//	e := stability.New()
//	e.Masses, e.Beta = [][2]int{{1, 2}, {1, 3}}, []float64{0.5, 1}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package stability

import (
	"fmt"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/splitting"
	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/sde"
)

// Experiment measures how long two opposite clusters of unequal size last. Fedorov et al. leave the stability
// of opposite clusters open for more than two tokens and state a conjecture. Experiment measures the time in
// which the overlap of the clusters moves from -1 to 0, and the rate at which the clusters finally merge, by
// simulation of recursion (4) and by the theory of its limit. Clusters of equal size stay opposite; for these
// clusters Experiment measures the exponents of small displacements.
type Experiment struct {
	Masses       [][2]int      `json:"masses"` // numbers of tokens of the two clusters
	Dim          []int         `json:"dim"`
	Beta         []float64     `json:"beta"`
	Attention    sde.Attention `json:"attention"`
	Trajectories int64         `json:"trajectories"` // per cell (masses, d, β)
	Depth        int64         `json:"depth"`        // number of layers per unit of time
	Tolerance    float64       `json:"tolerance"`
	Law          sde.Law       `json:"law"`
	Sigma        float64       `json:"sigma"` // standard deviation of value matrix entries
	Splitting    Splitting     `json:"splitting,omitzero"`
	Repetitions  int64         `json:"repetitions"` // number of repetitions of the splitting
	setting.Sublayers
}

// New returns the experiment stability with its default parameters: three and four tokens, whose lifetimes as
// opposite clusters increase a hundredfold over the range of β.
func New() *Experiment {
	return &Experiment{
		Masses:       [][2]int{{1, 2}, {1, 3}},
		Dim:          []int{4},
		Beta:         setting.Steps(1, 5, 2),
		Attention:    sde.Softmax,
		Trajectories: 400,
		Depth:        100,
		Tolerance:    1e-3,
		Law:          sde.Gaussian,
		Sigma:        1,
		Repetitions:  20,
	}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "stability" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "how long two opposite clusters last, and how fast clusters of equal size attract, simulated " +
			"and in theory",
		`Starts tokens as two exactly opposite clusters, and simulates the normalised Transformer
recursion until the clusters have merged. The table has the time that the overlap of the clusters
takes from -1 to 0, and the mean time by which the slower half of the trajectories end later than
the median, with the lifetime and the decay time by the theory of the limiting diffusion. The mean
time of the slower half is the decay time only where clusters last much longer than the overlap
takes from 0 to 1-τ. Clusters of equal size stay opposite for ever. For clusters of equal size the
table has the exponents at which small displacements of tokens grow or shrink, within the clusters
and between them. With softmax, lifetimes grow like e^2β, and so does the running time.
If an MLP has an activation that is not odd, such as relu, clusters of equal size come apart as
well.

Examples: antipode stability --masses 1,2/1,3/2,3 --beta 2.5 --trajectories 1000
          antipode stability --masses 2,2/4,4/8,8 --beta 0.25:1.5:0.25
          antipode stability --masses 1,1 --mlp relu:0.01`
}

// Parameters implements run.Experiment.
func (s *Experiment) Parameters() []parameter.Parameter {
	own := append([]parameter.Parameter{
		{Name: "masses", Meaning: "numbers m1,m2 of tokens in the two clusters", Value: massPairs{&s.Masses}},
		setting.DimsParameter(&s.Dim),
		setting.BetasParameter(&s.Beta),
		setting.AttentionParameter(&s.Attention),
		setting.TrajectoriesParameter(&s.Trajectories, "cell (masses, d, β)"),
		setting.DepthParameter(&s.Depth),
		{Name: "tolerance", Meaning: "tolerance τ: clusters have merged once their overlap is at least 1-τ",
			Value:        parameter.Real(&s.Tolerance, parameter.Range{Low: 1e-12, High: 0.5}),
			Inapplicable: s.withoutEnd()},
		setting.LawParameter(&s.Law),
		setting.SigmaParameter(&s.Sigma),
	}, s.splitParameters()...)
	return append(own, s.Sublayers.Parameters(setting.SeveralHeadsMatter(s.Law, setting.Interaction{}))...)
}

// withoutEnd returns the reason why the tolerance for merged clusters has no effect. The reason is "" if the
// tolerance has an effect.
func (s *Experiment) withoutEnd() string {
	if s.splits() {
		return "--splitting is for the lifetime alone; must be left out with it"
	}
	return parameter.Unless(slices.ContainsFunc(s.Masses,
		func(m [2]int) bool { return m[0] != m[1] || !s.beside().None() }),
		"clusters of equal size do not come together; must be left out")
}

// beside returns the sublayers beside one head of attention that have an effect.
func (s *Experiment) beside() setting.Sublayers {
	return s.Effective(setting.SeveralHeadsMatter(s.Law, setting.Interaction{}))
}

// stays reports whether opposite clusters stay opposite forever. Clusters of equal size stay opposite unless
// an MLP separates them.
func (s *Experiment) stays(c Clusters) bool { return c.First == c.Second && s.beside().None() }

// Validate implements run.Experiment.
func (s *Experiment) Validate() error {
	return parameter.FirstError(
		func() error { return parameter.Check(s.Parameters()) },
		func() error {
			return setting.CheckCells("beta", len(s.Beta), setting.Axis{Count: len(s.Masses), Many: "masses"},
				setting.Axis{Count: len(s.Dim), Many: "dimensions"})
		},
		func() error { return setting.CheckClock(s.Attention, s.Beta) },
		s.checkSplitting,
		s.checkSublayers,
	)
}

// checkSublayers returns an error for sublayers that do not fit the cells. checkSublayers also returns an
// error for clusters of equal size that stay opposite under additional sublayers, because their exponents are
// known for attention alone.
func (s *Experiment) checkSublayers() error {
	for _, m := range s.Masses {
		if m[0] == m[1] && !s.beside().None() && (s.MLP == setting.MLP{} || s.MLP.Activation.Odd()) {
			return parameter.Errorf("masses", fmt.Sprintf("%d,%d", m[0], m[1]), "clusters of equal size "+
				"stay opposite unless the activation of an MLP is relu or gelu; must differ, or stand "+
				"without --mlp, --heads and --drift")
		}
	}
	return s.beside().Check(s.cells())
}

// cells returns the cells, ordered by cluster sizes, by dimension and then by β.
func (s *Experiment) cells() []sde.Cell {
	var cells []sde.Cell
	for _, m := range s.Masses {
		for _, d := range s.Dim {
			for _, beta := range s.Beta {
				cells = append(cells, sde.Cell{
					Model:     sde.Transformer{Law: s.Law, Sigma: s.Sigma},
					Attention: s.Attention,
					Tokens:    m[0] + m[1], Dim: d, Beta: beta, Depth: int(s.Depth),
					Start:   sde.OppositeStart{First: m[0], Second: m[1]},
					Tangent: s.stays(Clusters{First: int32(m[0]), Second: int32(m[1])}),
				})
			}
		}
	}
	setting.UseChainsWith(cells, s.beside())
	return cells
}

// Columns implements run.Experiment.
func (s *Experiment) Columns() []data.Column {
	if s.splits() {
		return data.ColumnsOf[splitRow]()
	}
	return data.ColumnsOf[Row]()
}

// ShardColumns implements run.Divisible. The table of a shard has a row with the result of each trajectory.
func (s *Experiment) ShardColumns() []data.Column {
	if s.splits() {
		return data.ColumnsOf[splitting.Row]()
	}
	return data.ColumnsOf[shardRow]()
}
