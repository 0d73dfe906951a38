package hybrid

import (
	"context"
	"fmt"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/internal/grids"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/internal/theory"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
)

// Hybrid is the noise-induced transition of two tokens in the hybrid model, whose value
// matrix is the identity plus a random scalar of amplitude ε (Fedorov et al., Fig. 4):
// outcomes over β and ε, by simulation of recursion (7) and from the theory of its
// limit (8).
type Hybrid struct {
	Beta         []float64     `json:"beta"`
	Epsilon      []float64     `json:"epsilon"`
	Attention    sde.Attention `json:"attention"`
	Dim          int64         `json:"dim"`
	Trajectories int64         `json:"trajectories"` // of each cell (β, ε)
	Depth        int64         `json:"depth"`        // layers per unit of time
	Horizon      float64       `json:"horizon"`      // units of time
	Tolerance    float64       `json:"tolerance"`
	Law          sde.Law       `json:"law"` // of the random scalar
}

// New returns the default parameters: coarse, but both outcomes are there on
// their sides of the threshold. The horizon is the figure's.
func New() *Hybrid {
	return &Hybrid{
		Beta:         grids.Steps(0, 8, 4),
		Epsilon:      grids.Steps(0, 17, 10),
		Attention:    sde.Unnormalized,
		Dim:          3,
		Trajectories: 100,
		Depth:        50,
		Horizon:      50,
		Tolerance:    1e-3,
		Law:          sde.Rademacher,
	}
}

// Paper sets the scale of Fig. 4, which Section 6 gives: d = 3, depth 100, time 50 and
// 1000 trajectories a cell. The paper prints neither the grid nor the law of the
// noise; here the grid holds the whole threshold from β = 0 to 4, and the law is the
// bounded one that its Lemma 3 asks for.
func (h *Hybrid) Paper() {
	h.Beta, h.Epsilon = grids.Steps(0, 21, 5), grids.Steps(1, 20, 10)
	h.Trajectories, h.Depth = 1000, 100
}

// Name implements Experiment.
func (*Hybrid) Name() string { return "hybrid" }

// Help implements Experiment.
func (*Hybrid) Help() (summary, description string) {
	return "outcomes of two tokens over β and the noise amplitude of the hybrid model, simulated and from theory (Fig. 4)", `Simulates two tokens of the hybrid recursion, whose value matrix is the identity plus
a random scalar, from independent uniform starts, for each β and noise amplitude ε;
beside each cell stand the probabilities of the limiting diffusion, at the horizon and
in the end. With unnormalized attention one threshold, ε² = 2e^-β, divides the two
outcomes. With softmax there are two, and both outcomes are possible between them.
A recursion follows its limit where depth is large against (ε e^β)².

Example: antipode hybrid --attention softmax --beta 1 --epsilon 1:1.5:0.05 --depth 100 --trajectories 1000`
}

// Parameters implements Experiment.
func (h *Hybrid) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "beta", Meaning: "inverse temperatures β", Value: parameter.Reals(&h.Beta, parameter.Range{Low: 0, High: overlap.MaxBeta})},
		{Name: "epsilon", Meaning: "noise amplitudes ε", Value: parameter.Reals(&h.Epsilon, parameter.Range{Low: 0, High: overlap.MaxEpsilon})},
		{Name: "attention", Meaning: "kind of attention", Value: h.attention()},
		h.dim(),
		h.trajectories(),
		grids.DepthParameter(&h.Depth),
		grids.HorizonParameter(&h.Horizon),
		grids.ToleranceParameter(&h.Tolerance),
		{Name: "law", Meaning: "law of the random scalar of a layer", Value: h.law()},
	}
}

func (h *Hybrid) dim() parameter.Parameter {
	return parameter.Parameter{Name: "dim", Meaning: "dimension d of the tokens", Value: parameter.Whole(&h.Dim, parameter.Range{Low: 2, High: 10_000})}
}

func (h *Hybrid) trajectories() parameter.Parameter {
	return grids.TrajectoriesParameter(&h.Trajectories, "cell (β, ε)")
}
func (h *Hybrid) attention() parameter.Named {
	return parameter.Named{Field: &h.Attention, Names: sde.AttentionNames}
}
func (h *Hybrid) law() parameter.Named { return parameter.Named{Field: &h.Law, Names: sde.LawNames} }

// Validate implements Experiment.
func (h *Hybrid) Validate() error {
	if err := parameter.Check(h.Parameters()); err != nil {
		return err
	}
	if cells := len(h.Beta) * len(h.Epsilon); cells > parameter.LargestGrid {
		return &parameter.Error{Parameter: "epsilon", Value: fmt.Sprintf("(%d values)", len(h.Epsilon)),
			Problem: fmt.Sprintf("with %d β these are %d cells; must be at most %d", len(h.Beta), cells, parameter.LargestGrid)}
	}
	if _, err := grids.Layers(h.Depth, h.Horizon); err != nil {
		return err
	}
	return grids.CheckClock(h.Attention, h.Beta)
}

// cells are the cells of the grid, by β and then by ε.
func (h *Hybrid) cells() []sde.Cell {
	var cells []sde.Cell
	for _, beta := range h.Beta {
		for _, epsilon := range h.Epsilon {
			cells = append(cells, sde.Cell{
				Model:     sde.Hybrid{Law: h.Law, Epsilon: epsilon},
				Attention: h.Attention,
				Tokens:    2, Dim: int(h.Dim), Beta: beta, Depth: int(h.Depth),
				Start: sde.UniformStart{},
			})
		}
	}
	grids.UseChains(cells)
	return cells
}

// Columns implements Experiment.
func (*Hybrid) Columns() []data.Column {
	return []data.Column{
		outcomes.BetaColumn,
		{Name: "epsilon", Kind: data.Float64, Meaning: "noise amplitude ε"},
		outcomes.TrajectoriesColumn,
		outcomes.CountColumn("single", "trajectories with overlap ≥ 1-τ at the horizon"),
		outcomes.CountColumn("antipodal", "trajectories with overlap ≤ -1+τ at the horizon"),
		outcomes.CountColumn("unclustered", "trajectories with neither at the horizon"),
		columns.Nullable("p_single", "", "single / trajectories"),
		columns.Nullable("p_antipodal", "", "antipodal / trajectories"),
		columns.Nullable("p_limit", "", "probability of the antipodal outcome at infinite depth and horizon, from the scale function"),
		columns.Nullable("p_antipodal_horizon", "", "probability of the antipodal outcome within τ at infinite depth and this horizon, from the Fokker-Planck equation; null where it is not known to 1e-3"),
		columns.Nullable("p_single_horizon", "", "probability of a single cluster within τ at infinite depth and this horizon, from the Fokker-Planck equation; null where it is not known to 1e-3"),
		theory.HorizonErrorColumn,
		columns.Nullable("epsilon_single", "", "ε below which a single cluster attracts at infinite depth"),
		columns.Nullable("epsilon_antipodal", "", "ε above which the antipodal outcome attracts at infinite depth"),
	}
}

// Run implements Experiment: a row as soon as a cell is done.
func (h *Hybrid) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := h.Validate(); err != nil {
		return err
	}
	horizon, err := grids.Layers(h.Depth, h.Horizon)
	if err != nil {
		return err
	}
	ensemble := &sde.Ensemble[[]outcomes.Seen]{Cells: h.cells(), Trajectories: h.Trajectories, Layers: horizon}
	return outcomes.Run(ctx, ensemble, h.Tolerance, options, h.dim(), h.trajectories(), func(cell int, tallies []outcomes.Tally) error {
		c, t := ensemble.Cells[cell], &tallies[0]
		estimates := outcomes.Nulls(8)
		if options.Part.Of == 0 {
			var err error
			if estimates, err = h.estimates(c, t); err != nil {
				return err
			}
		}
		return table.Write(append([]data.Values{
			data.Slice[float64]{c.Beta}, data.Slice[float64]{c.Model.(sde.Hybrid).Epsilon}, data.Slice[int64]{t.Trajectories()},
			data.Slice[int64]{t.Outcomes[sphere.Single]}, data.Slice[int64]{t.Outcomes[sphere.Antipodal]}, data.Slice[int64]{t.Outcomes[sphere.Unclustered]},
		}, estimates...)...)
	})
}

// ShardColumns implements run.Divisible.
func (h *Hybrid) ShardColumns() []data.Column { return h.Columns() }

// estimates are the columns behind the counts of a cell: fractions of what was counted, and
// the theory.
func (h *Hybrid) estimates(cell sde.Cell, t *outcomes.Tally) ([]data.Values, error) {
	attention := theory.Attention(h.Attention)
	diffusion, err := theory.Diffusion(cell)
	if err != nil {
		return nil, err
	}
	horizon := theory.Unknown
	const accuracy = 1e-5
	// Where the law is not available, its clock is out of range.
	if law, err := fokkerplanck.Uniform(diffusion, []float64{h.Horizon}, accuracy); err == nil {
		horizon = theory.HorizonOf(law[0], h.Tolerance)
	}
	single, antipodal := overlap.HybridThresholds(cell.Beta, attention)
	return outcomes.Reals(t.Fraction(sphere.Single), t.Fraction(sphere.Antipodal), diffusion.AntipodalUniform().Value,
		horizon.Antipodal, horizon.Single, horizon.Error, single, antipodal), nil
}
