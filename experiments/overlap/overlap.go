package overlap

import (
	"context"
	"math"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/internal/grids"
	"antipode/experiments/internal/theory"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/sde"
)

// Experiment is the theory of the overlap of two tokens, or of two clusters, without any
// simulation (Fedorov et al., Theorem 2 and Proposition 1): which ends attract, with
// what probability, and how long it takes.
type Experiment struct {
	Dim       []int         `json:"dim"`
	Beta      []float64     `json:"beta"`
	Attention sde.Attention `json:"attention"`
	Masses    [2]float64    `json:"masses"`  // tokens of the two clusters
	Epsilon   *float64      `json:"epsilon"` // noise amplitude of the hybrid; nil for random value matrices
	Z0        *float64      `json:"z0"`      // overlap at time 0; nil for independent uniform tokens
	Depth     *int64        `json:"depth"`   // layers per unit of time; nil for the limit
	Horizon   *float64      `json:"horizon"` // units of time; nil for the limit
	Tolerance float64       `json:"tolerance"`
}

// New returns the default parameters: a cell with both outcomes.
func New() *Experiment {
	return &Experiment{Dim: []int{4}, Beta: []float64{1}, Attention: sde.Softmax, Masses: [2]float64{1, 1}, Tolerance: 1e-3}
}

// Name implements Experiment.
func (*Experiment) Name() string { return "overlap" }

// Help implements Experiment.
func (*Experiment) Help() (summary, description string) {
	return "the theory of two clusters: what attracts, with what probability, and for how long", `Prints what the theory says of the overlap of two tokens, or of two clusters:
which ends attract and why, the probability of each outcome from the scale
function, at a horizon from the Fokker-Planck equation, the boundary in β, and how
long unequal clusters stay antipodal. Nothing is simulated, so --seed and --workers
change nothing. With --json an object for one point, a list of them for a grid; null
is what was not asked or is not defined. With --out the table too.

Examples: antipode overlap --dim 8 --beta 3 --json
          antipode overlap --masses 1,2 --beta 2.5
          antipode overlap --dim 3 --epsilon 1.2 --horizon 50`
}

// Paper implements Experiment; the paper has no figure of this.
func (*Experiment) Paper() {}

// Parameters implements Experiment.
func (o *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "dim", Meaning: "dimensions d of the tokens", Value: parameter.Wholes(&o.Dim, parameter.Range{Low: 2, High: 10_000})},
		{Name: "beta", Meaning: "inverse temperatures β", Value: parameter.Reals(&o.Beta, parameter.Range{Low: 0, High: overlap.MaxBeta})},
		{Name: "attention", Meaning: "kind of attention", Value: o.attention()},
		{Name: "masses", Meaning: "tokens m1,m2 of the two clusters", Value: masses{&o.Masses, parameter.Range{Low: 1, High: overlap.MaxMass}}},
		{Name: "epsilon", Meaning: "noise amplitude ε of the hybrid model; none for random value matrices", Value: parameter.OptionalReal(&o.Epsilon, "none", parameter.Range{Low: 0, High: overlap.MaxEpsilon})},
		{Name: "z0", Meaning: "overlap at time 0; uniform for independent uniform tokens", Value: parameter.OptionalReal(&o.Z0, grids.UniformStart, parameter.Range{Low: -1, High: 1})},
		{Name: "depth", Meaning: "depth L of the boundary and the Lyapunov exponent; none for the limit", Unit: "layers per unit of time",
			Value: parameter.OptionalWhole(&o.Depth, "none", parameter.Range{Low: 1, High: 1e6}),
			Idle: parameter.IdleUnless(o.Epsilon == nil && o.equalMasses(),
				"boundary and exponent at a depth are those of two equal clusters under random value matrices; must be left out beside --epsilon and unequal masses")},
		{Name: "horizon", Meaning: "horizon T of the probabilities at a time; none for the limit alone", Unit: "units of time",
			Value: parameter.OptionalReal(&o.Horizon, "none", parameter.Range{Low: 0, High: 1e6, Open: true})},
		{Name: "tolerance", Meaning: "tolerance τ of an outcome at the horizon: overlaps within τ of ±1", Value: parameter.Real(&o.Tolerance, parameter.Range{Low: 1e-12, High: 0.5}),
			Idle: parameter.IdleUnless(o.Horizon != nil, "there is no horizon; must be left out without --horizon")},
	}
}

func (o *Experiment) attention() parameter.Named {
	return parameter.Named{Field: &o.Attention, Names: sde.AttentionNames}
}

func (o *Experiment) equalMasses() bool { return o.Masses[0] == o.Masses[1] }

// Validate implements Experiment.
func (o *Experiment) Validate() error {
	if err := grids.Check(o.Parameters(), o.Dim, o.Beta); err != nil {
		return err
	}
	if o.Epsilon != nil && !o.equalMasses() {
		return &parameter.Error{Parameter: "masses", Value: parameter.FormatList(o.Masses[:]), Problem: "must be equal in the hybrid model"}
	}
	if o.Depth == nil && o.Horizon == nil && o.equalMasses() {
		return nil
	}
	return grids.CheckClock(o.Attention, o.Beta)
}

// boundaryNames are the labels of an end, in the order of overlap.Boundary.
var boundaryNames = []string{
	overlap.Attracting.String(), overlap.NonAttracting.String(), overlap.Entrance.String(), overlap.Reflecting.String(),
}

// Columns implements Experiment.
func (*Experiment) Columns() []data.Column {
	end := func(name, meaning string) data.Column {
		return data.Column{Name: name, Kind: data.Label, Labels: boundaryNames, Meaning: meaning}
	}
	return []data.Column{
		{Name: "dim", Kind: data.Int32, Meaning: "dimension d of the tokens"},
		{Name: "beta", Kind: data.Float64, Meaning: "inverse temperature β"},
		columns.Nullable("z0", "", "overlap at time 0; null for independent uniform tokens"),
		columns.Nullable("beta_c", "", "β above which overlap -1 attracts, arccosh(d-2)/2; null for d = 2, where it always does, for unequal masses, where it never does, and for the hybrid"),
		columns.Nullable("beta_c_depth", "", "the same at the given depth; null where none is given"),
		columns.Nullable("lyapunov", "", "Lyapunov exponent of the antipodal pair, per layer at the given depth, else per unit of time; null for unequal masses"),
		end("plus_one", "Feller class of overlap 1"),
		end("minus_one", "Feller class of overlap -1"),
		columns.Nullable("p_antipodal", "", "probability of the antipodal outcome"),
		columns.Nullable("p_single", "", "probability of a single cluster"),
		columns.Nullable("lifetime", "units of time", "mean passage time of the overlap from -1 to 0; null for equal masses, and beyond 1.8e308"),
		columns.Nullable("log_lifetime", "", "natural logarithm of the lifetime; null for equal masses"),
		columns.Nullable("decay_time", "units of time", "inverse of the final decay rate of the antipodal state; null for equal masses, beyond 1.8e308, and where it is not found to 1e-6"),
		columns.Nullable("p_antipodal_horizon", "", "probability of an overlap ≤ -1+τ at the horizon; null where none is given, or where it is not known to 1e-3"),
		columns.Nullable("p_single_horizon", "", "probability of an overlap ≥ 1-τ at the horizon; null where none is given, or where it is not known to 1e-3"),
		theory.HorizonErrorColumn,
	}
}

// Run implements Experiment; it uses neither seed nor workers.
func (o *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := o.Validate(); err != nil {
		return err
	}
	total := int64(len(o.Dim) * len(o.Beta))
	done := int64(0)
	for _, d := range o.Dim {
		for _, beta := range o.Beta {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := o.writePoint(table, d, beta); err != nil {
				return err
			}
			done++
			options.Tell(run.State{Done: done, Total: total})
		}
	}
	return nil
}

func (o *Experiment) writePoint(table data.Sink, d int, beta float64) error {
	theory, err := o.point(d, beta)
	if err != nil {
		return err
	}
	columns := []data.Values{data.Slice[int32]{int32(d)}, data.Slice[float64]{beta}, data.Slice[float64]{orNaN(o.Z0)},
		data.Slice[float64]{theory.boundary}, data.Slice[float64]{theory.boundaryDepth}, data.Slice[float64]{theory.lyapunov},
		data.Slice[int8]{int8(theory.diffusion.PlusOne())}, data.Slice[int8]{int8(theory.diffusion.MinusOne())}}
	for _, x := range []float64{theory.antipodal, theory.single, theory.lifetime, theory.logLifetime, theory.decayTime,
		theory.horizon.Antipodal, theory.horizon.Single, theory.horizon.Error} {
		columns = append(columns, data.Slice[float64]{x})
	}
	return table.Write(columns...)
}

func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}
