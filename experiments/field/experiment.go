// Package field is the experiment on the attention field on the circle: in which direction attention moves a
// token at each point.
//
//	e := field.New()
//	e.Beta, e.Angles, e.Points = 2, []float64{0, 90}, 36 // degrees
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package field

import (
	"context"
	"fmt"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sde"
	"antipode/sphere"
)

// Experiment computes the attention field on the circle (Fedorov et al., Fig. 1). The field at a point x of
// the circle is the attention of a token at x to itself and to fixed tokens. The field is computed
// unprojected, and projected to the tangent at x. The interaction matrix B is the identity.
type Experiment struct {
	Beta      float64       `json:"beta"`
	Attention sde.Attention `json:"attention"`
	Angles    []float64     `json:"angles"` // angles of the fixed tokens, in degrees
	Points    int64         `json:"points"` // number of points, at equal distances
}

// New returns the experiment with the parameters of Fig. 1. The caption of Fig. 1 states β and the attention,
// but not the positions of the two fixed tokens.
func New() *Experiment {
	return &Experiment{Beta: 1, Attention: sde.Unnormalized, Angles: []float64{20, 110}, Points: 24}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "field" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "the attention field on the circle, and its tangent component (Fig. 1)",
		`Computes the attention field at points of the circle. The field at a point is the
mean of some fixed tokens and of a token at the point itself, weighted by the attention of this
token. Its component tangent to the circle moves a normalised token. Writes a table, and a figure
with an arrow for the field and for its tangent component.

Example: antipode field --beta 4 --angles 0,90,200 --attention softmax`
}

// Parameters implements run.Experiment.
func (f *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "beta", Meaning: "inverse temperature β",
			Value: parameter.Real(&f.Beta, parameter.Range{Low: 0, High: 1e6})},
		setting.AttentionParameter(&f.Attention),
		{Name: "angles", Meaning: "angles of the fixed tokens", Unit: "degrees",
			Value: parameter.Reals(&f.Angles, parameter.Range{Low: -360, High: 360})},
		{Name: "points", Meaning: "number of points, equally spaced on the circle from angle 0",
			Value: parameter.Whole(&f.Points, parameter.Range{Low: 1, High: 100_000})},
	}
}

// mostFixed is the greatest number of fixed tokens. The time for the field is proportional to the number of
// pairs of fixed tokens.
const mostFixed = 100

// Validate implements run.Experiment.
func (f *Experiment) Validate() error {
	if err := parameter.Check(f.Parameters()); err != nil {
		return err
	}
	if n := len(f.Angles); n > mostFixed {
		return parameter.Errorf("angles", fmt.Sprintf("(%d values)", n), "must be at most %d", mostFixed)
	}
	if largest := f.cell().LargestBeta(); f.Beta > largest {
		return parameter.Errorf("beta", f.Beta, "e^β overflows in unnormalized attention; must be at most "+
			"%.6g, or use softmax", largest)
	}
	return f.cell().Validate()
}

// cell returns the simulated cell for the field: the moving token, followed by the fixed tokens.
func (f *Experiment) cell() sde.Cell {
	return sde.Cell{
		Model: sde.Flow{}, Attention: f.Attention,
		Tokens: 1 + len(f.Angles), Dim: 2, Beta: f.Beta, Depth: 1, Start: sde.UniformStart{},
	}
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// Run implements run.Experiment. Run uses neither the seed nor the number of workers of the options.
func (f *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := f.Validate(); err != nil {
		return err
	}
	cell := f.cell()
	tokens := make([]float64, 2*cell.Tokens)
	for i, angle := range f.Angles {
		tokens[2*i+2], tokens[2*i+3] = setting.OnCircle(angle)
	}
	field := make([]float64, len(tokens))
	tangent := make([]float64, 2)
	for k := range f.Points {
		if err := ctx.Err(); err != nil {
			return err
		}
		tokens[0], tokens[1] = setting.OnCircle(360 * float64(k) / float64(f.Points))
		cell.Field(field, tokens)
		sphere.Project(tangent, tokens[:2], field[:2])
		err := data.WriteRows(table, Row{
			X: tokens[0], Y: tokens[1], FieldX: field[0], FieldY: field[1],
			TangentX: tangent[0], TangentY: tangent[1],
		})
		if err != nil {
			return err
		}
		options.Report(run.State{Done: k + 1, Total: f.Points})
	}
	return nil
}
