package experiments

import (
	"context"
	"math"

	"antipode/data"
	"antipode/overlap"
	"antipode/sde"
)

// Overlap is the theory of the overlap of two tokens, or of two clusters, without any
// simulation (Fedorov et al., Theorem 2 and Proposition 1): which ends attract, with
// what probability, and how long it takes.
type Overlap struct {
	Dim       []int      `json:"dim"`
	Beta      []float64  `json:"beta"`
	Attention string     `json:"attention"`
	Masses    [2]float64 `json:"masses"`  // tokens of the two clusters
	Epsilon   *float64   `json:"epsilon"` // noise amplitude of the hybrid; nil for random value matrices
	Z0        *float64   `json:"z0"`      // overlap at time 0; nil for independent uniform tokens
	Depth     *int64     `json:"depth"`   // layers per unit of time; nil for the limit
	Horizon   *float64   `json:"horizon"` // units of time; nil for the limit
	Tolerance float64    `json:"tolerance"`
}

// NewOverlap returns the default parameters: a cell with both outcomes.
func NewOverlap() *Overlap {
	return &Overlap{Dim: []int{4}, Beta: []float64{1}, Attention: sde.Softmax.String(), Masses: [2]float64{1, 1}, Tolerance: 1e-3}
}

// Name implements Experiment.
func (*Overlap) Name() string { return "overlap" }

// Help implements Experiment.
func (*Overlap) Help() (summary, description string) {
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
func (*Overlap) Paper() {}

// Parameters implements Experiment.
func (o *Overlap) Parameters() []Parameter {
	return []Parameter{
		{"dim", "dimensions d of the tokens", "", wholeGrid{&o.Dim, number{low: 2, high: 10_000}}},
		{"beta", "inverse temperatures β", "", realGrid{&o.Beta, number{low: 0, high: overlap.MaxBeta}}},
		{"attention", "kind of attention", "", o.attention()},
		{"masses", "tokens m1,m2 of the two clusters", "", masses{&o.Masses, number{low: 1, high: overlap.MaxMass}}},
		{"epsilon", "noise amplitude ε of the hybrid model; none for random value matrices", "",
			optionalReal(&o.Epsilon, "none", number{low: 0, high: overlap.MaxEpsilon})},
		{"z0", "overlap at time 0; uniform for independent uniform tokens", "", optionalReal(&o.Z0, uniformStart, number{low: -1, high: 1})},
		{"depth", "depth L of the boundary and the Lyapunov exponent; none for the limit", "layers per unit of time",
			optionalWhole(&o.Depth, "none", number{low: 1, high: 1e6})},
		{"horizon", "horizon T of the probabilities at a time; none for the limit alone", "units of time",
			optionalReal(&o.Horizon, "none", number{low: 0, high: 1e6, open: true})},
		{"tolerance", "tolerance τ of an outcome at the horizon: overlaps within τ of ±1", "", realNumber{&o.Tolerance, number{low: 1e-12, high: 0.5}}},
	}
}

func (o *Overlap) attention() choice { return choice{&o.Attention, sde.AttentionNames} }

func (o *Overlap) equalMasses() bool { return o.Masses[0] == o.Masses[1] }

// Validate implements Experiment.
func (o *Overlap) Validate() error {
	if err := checkCells(o.Parameters(), o.Dim, o.Beta); err != nil {
		return err
	}
	if o.Epsilon != nil && !o.equalMasses() {
		return &ParameterError{"masses", formatList(o.Masses[:]), "must be equal in the hybrid model"}
	}
	if o.Depth == nil && o.Horizon == nil && o.equalMasses() {
		return nil
	}
	return checkClock(o.Attention, o.Beta)
}

// boundaryNames are the labels of an end, in the order of overlap.Boundary.
var boundaryNames = []string{
	overlap.Attracting.String(), overlap.NonAttracting.String(), overlap.Entrance.String(), overlap.Reflecting.String(),
}

// Columns implements Experiment.
func (*Overlap) Columns() []data.Column {
	end := func(name, meaning string) data.Column {
		return data.Column{Name: name, Kind: data.Label, Labels: boundaryNames, Meaning: meaning}
	}
	return []data.Column{
		{Name: "dim", Kind: data.Int32, Meaning: "dimension d of the tokens"},
		{Name: "beta", Kind: data.Float64, Meaning: "inverse temperature β"},
		nullable("z0", "", "overlap at time 0; null for independent uniform tokens"),
		nullable("beta_c", "", "β above which overlap -1 attracts, arccosh(d-2)/2; null for d = 2, where it always does, for unequal masses, where it never does, and for the hybrid"),
		nullable("beta_c_depth", "", "the same at the given depth; null where none is given"),
		nullable("lyapunov", "", "Lyapunov exponent of the antipodal pair, per layer at the given depth, else per unit of time; null for unequal masses, and at a depth for the hybrid"),
		end("plus_one", "Feller class of overlap 1"),
		end("minus_one", "Feller class of overlap -1"),
		nullable("p_antipodal", "", "probability of the antipodal outcome"),
		nullable("p_single", "", "probability of a single cluster"),
		nullable("lifetime", "units of time", "mean passage time of the overlap from -1 to 0; null for equal masses, and beyond 1.8e308"),
		nullable("log_lifetime", "", "natural logarithm of the lifetime; null for equal masses"),
		nullable("decay_time", "units of time", "inverse of the final decay rate of the antipodal state; null for equal masses, beyond 1.8e308, and where it is not found to 1e-6"),
		nullable("p_antipodal_horizon", "", "probability of an overlap ≤ -1+τ at the horizon; null where none is given, or where it is not known to 1e-3"),
		nullable("p_single_horizon", "", "probability of an overlap ≥ 1-τ at the horizon; null where none is given, or where it is not known to 1e-3"),
	}
}

// Run implements Experiment; it uses neither seed nor workers.
func (o *Overlap) Run(ctx context.Context, options Options, write func(columns ...any) error) error {
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
			if err := o.writePoint(write, d, beta); err != nil {
				return err
			}
			done++
			if options.Progress != nil {
				options.Progress(done, total)
			}
		}
	}
	return nil
}

func (o *Overlap) writePoint(write func(columns ...any) error, d int, beta float64) error {
	theory, err := o.point(d, beta)
	if err != nil {
		return err
	}
	columns := []any{[]int32{int32(d)}, []float64{beta}, []float64{orNaN(o.Z0)},
		[]float64{theory.boundary}, []float64{theory.boundaryDepth}, []float64{theory.lyapunov},
		[]int8{int8(theory.diffusion.PlusOne())}, []int8{int8(theory.diffusion.MinusOne())}}
	for _, x := range []float64{theory.antipodal, theory.single, theory.lifetime, theory.logLifetime, theory.decayTime,
		theory.antipodalHorizon, theory.singleHorizon} {
		columns = append(columns, []float64{x})
	}
	return write(columns...)
}

func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}
