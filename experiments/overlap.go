package experiments

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"antipode/data"
	"antipode/overlap"
	"antipode/sde"
)

// Overlap is the theory of the overlap of two tokens (Fedorov et al., Theorem 2),
// without any simulation: which ends attract, and with what probability.
type Overlap struct {
	Dim       []int     `json:"dim"`
	Beta      []float64 `json:"beta"`
	Attention string    `json:"attention"`
	Z0        *float64  `json:"z0"` // overlap at time 0; nil for independent uniform tokens
}

// NewOverlap returns the default parameters: a cell with both outcomes.
func NewOverlap() *Overlap {
	return &Overlap{Dim: []int{4}, Beta: []float64{1}, Attention: sde.Softmax.String()}
}

// Name implements Experiment.
func (*Overlap) Name() string { return "overlap" }

// Paper implements Experiment; the paper has no figure of this.
func (*Overlap) Paper() {}

// Parameters implements Experiment.
func (o *Overlap) Parameters() []Parameter {
	return []Parameter{
		{"dim", "dimensions d of the tokens", "", wholeGrid{&o.Dim, number{low: 2, high: 10_000}}},
		{"beta", "inverse temperatures β", "", realGrid{&o.Beta, number{low: 0, high: overlap.MaxBeta}}},
		{"attention", "kind of attention", "", o.attention()},
		{"z0", "overlap of the tokens at time 0, or uniform for independent uniform tokens", "", startOverlap{&o.Z0}},
	}
}

func (o *Overlap) attention() choice { return choice{&o.Attention, sde.AttentionNames} }

// startOverlap is an overlap in [-1, 1], or nil for uniform tokens.
type startOverlap struct{ field **float64 }

const uniformStart = "uniform"

func (v startOverlap) Set(text string) error {
	if text == uniformStart {
		*v.field = nil
		return nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(math.Abs(x) <= 1) {
		return mustBe(v)
	}
	*v.field = &x
	return nil
}

func (v startOverlap) String() string {
	if *v.field == nil {
		return uniformStart
	}
	return formatReal(**v.field)
}

func (v startOverlap) Allowed() string { return "uniform or a number from -1 to 1" }

func (v startOverlap) Placeholder() string { return "OVERLAP" }

func (v startOverlap) Check() error {
	return checkThat(*v.field == nil || math.Abs(**v.field) <= 1, v)
}

// Validate implements Experiment.
func (o *Overlap) Validate() error { return checkCells(o.Parameters(), o.Dim, o.Beta) }

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
		nullable("beta_c", "", "β above which the antipodal outcome is possible, arccosh(d-2)/2; null for d = 2, where it always is"),
		nullable("beta_c_depth", "", "the same at finite depth; null: not computed"),
		nullable("lyapunov", "", "Lyapunov exponent of the antipodal pair; null: not computed"),
		end("plus_one", "Feller class of overlap 1"),
		end("minus_one", "Feller class of overlap -1"),
		nullable("p_antipodal", "", "probability of the antipodal outcome"),
		nullable("p_single", "", "probability of a single cluster"),
		nullable("lifetime", "units of time", "mean passage time of the overlap from -1 to 0; null: not computed"),
		nullable("log_lifetime", "", "its logarithm; null: not computed"),
		nullable("decay_time", "units of time", "inverse of the final decay rate of the antipodal state; null: not computed"),
		nullable("p_antipodal_horizon", "", "probability of the antipodal outcome at the horizon; null: not computed"),
		nullable("p_single_horizon", "", "probability of a single cluster at the horizon; null: not computed"),
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
	diffusion, err := overlap.New(d, beta, overlap.Attention(o.attention().index()), 1)
	if err != nil {
		return err
	}
	z0, antipodal := math.NaN(), diffusion.AntipodalUniform()
	if o.Z0 != nil {
		z0 = *o.Z0
		if antipodal, err = diffusion.AntipodalFrom(z0); err != nil {
			return err
		}
	}
	null := []float64{math.NaN()}
	return write(
		[]int32{int32(d)}, []float64{beta}, []float64{z0}, []float64{criticalBeta(d)}, null, null,
		[]int8{int8(diffusion.PlusOne())}, []int8{int8(diffusion.MinusOne())},
		[]float64{antipodal.Value}, []float64{1 - antipodal.Value}, null, null, null, null, null)
}

// criticalBeta is NaN where there is no threshold, for d = 2.
func criticalBeta(d int) float64 {
	if beta, exists := overlap.CriticalBeta(d); exists {
		return beta
	}
	return math.NaN()
}

// criticalBetaDepth is the same at finite depth, for Gaussian value matrices.
func criticalBetaDepth(d int, attention overlap.Attention, depth int64) (float64, error) {
	beta, exists, err := overlap.CriticalBetaDepth(d, attention, 1, int(depth))
	if err != nil || exists {
		return beta, err
	}
	return math.NaN(), nil
}

// Describe implements Experiment: a paragraph for each point.
func (o *Overlap) Describe(w io.Writer, table *data.Table) error {
	r := columns{table: table}
	dim, beta, z0 := column[int32](&r, "dim"), column[float64](&r, "beta"), column[float64](&r, "z0")
	boundary, antipodal := column[float64](&r, "beta_c"), column[float64](&r, "p_antipodal")
	if r.err != nil {
		return r.err
	}
	for k := range dim {
		start := "for independent uniform tokens"
		if z0[k] == z0[k] {
			start = "from overlap " + formatReal(z0[k])
		}
		_, err := fmt.Fprintf(w, "d = %d, β = %s: overlap 1 attracts; %s.\n  P(antipodal) = %.12g, P(single) = %.12g, %s.\n",
			dim[k], formatReal(beta[k]), minusOneSentence(int(dim[k]), beta[k], boundary[k]), antipodal[k], 1-antipodal[k], start)
		if err != nil {
			return err
		}
	}
	return nil
}

// minusOneSentence says whether the antipodal pair attracts, with the inequality.
func minusOneSentence(d int, beta, boundary float64) string {
	inequality := fmt.Sprintf("cosh 2β = %.6g, d-2 = %d", math.Cosh(2*beta), d-2)
	switch {
	case math.IsNaN(boundary):
		return fmt.Sprintf("overlap -1 attracts at every β, as there is no threshold for d = 2 (%s)", inequality)
	case beta > boundary:
		return fmt.Sprintf("overlap -1 attracts, as cosh 2β > d-2 (%s; from β_c = %.6g on)", inequality, boundary)
	}
	return fmt.Sprintf("overlap -1 does not attract, as cosh 2β ≤ d-2 (%s; β_c = %.6g)", inequality, boundary)
}

// Draw implements Experiment.
func (*Overlap) Draw(*data.Table) (*Figure, error) {
	return nil, ErrNoFigure
}
