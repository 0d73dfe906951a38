package field

import (
	"context"
	"fmt"
	"io"
	"math"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/internal/interaction"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/sde"
	"antipode/sphere"
)

// Field is the attention field on the circle (Fedorov et al., Fig. 1): what a token
// at each point x of the circle attends to, among itself and fixed tokens, as it is
// and projected to the tangent at x. B is the identity.
type Field struct {
	Beta      float64       `json:"beta"`
	Attention sde.Attention `json:"attention"`
	Angles    []float64     `json:"angles"` // of the fixed tokens, in degrees
	Points    int64         `json:"points"` // on the circle, at equal distances
}

// New returns the parameters of Fig. 1. The caption gives β and the attention;
// where the two fixed tokens are it does not say.
func New() *Field {
	return &Field{Beta: 1, Attention: sde.Unnormalized, Angles: []float64{20, 110}, Points: 24}
}

// Name implements Experiment.
func (*Field) Name() string { return "field" }

// Help implements Experiment.
func (*Field) Help() (summary, description string) {
	return "the attention field on the circle, raw and projected (Fig. 1)", `Computes what a token at each of some points of the circle attends to, among itself
and fixed tokens, and its projection to the tangent there, which is all that a
normalised token can follow. Writes a table and a figure with an arrow a point.

Example: antipode field --beta 4 --angles 0,90,200 --attention softmax`
}

// Paper implements Experiment: the default parameters are the figure's.
func (*Field) Paper() {}

// Parameters implements Experiment.
func (f *Field) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "beta", Meaning: "inverse temperature β", Value: parameter.Real(&f.Beta, parameter.Range{Low: 0, High: 1e6})},
		{Name: "attention", Meaning: "kind of attention", Value: f.attention()},
		{Name: "angles", Meaning: "angles of the fixed tokens", Unit: "degrees", Value: parameter.Reals(&f.Angles, parameter.Range{Low: -360, High: 360})},
		{Name: "points", Meaning: "points on the circle, at equal distances from angle 0 on", Value: parameter.Whole(&f.Points, parameter.Range{Low: 1, High: 100_000})},
	}
}

func (f *Field) attention() parameter.Named {
	return parameter.Named{Field: &f.Attention, Names: sde.AttentionNames}
}

// mostFixed is the largest number of fixed tokens: a field takes their pairs.
const mostFixed = 100

// Validate implements Experiment.
func (f *Field) Validate() error {
	if err := parameter.Check(f.Parameters()); err != nil {
		return err
	}
	if n := len(f.Angles); n > mostFixed {
		return &parameter.Error{Parameter: "angles", Value: fmt.Sprintf("(%d values)", n), Problem: fmt.Sprintf("must be at most %d", mostFixed)}
	}
	if largest := f.cell().LargestBeta(); f.Beta > largest {
		return &parameter.Error{Parameter: "beta", Value: parameter.FormatReal(f.Beta),
			Problem: fmt.Sprintf("e^β overflows in unnormalized attention; must be at most %.6g, or use softmax", largest)}
	}
	return f.cell().Validate()
}

// cell has the field's configuration: the moving token, then the fixed ones.
func (f *Field) cell() sde.Cell {
	return sde.Cell{
		Model: sde.Flow{}, Attention: f.Attention,
		Tokens: 1 + len(f.Angles), Dim: 2, Beta: f.Beta, Depth: 1, Start: sde.UniformStart{},
	}
}

// Columns implements Experiment.
func (*Field) Columns() []data.Column {
	real := func(name, meaning string) data.Column {
		return data.Column{Name: name, Kind: data.Float64, Meaning: meaning}
	}
	return []data.Column{
		real("x", "point of the circle, first coordinate"),
		real("y", "point of the circle, second coordinate"),
		real("ax", "attention field there, first coordinate"),
		real("ay", "attention field there, second coordinate"),
		real("px", "its projection to the tangent, first coordinate"),
		real("py", "its projection to the tangent, second coordinate"),
	}
}

// Run implements Experiment; it uses neither seed nor workers.
func (f *Field) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := f.Validate(); err != nil {
		return err
	}
	cell := f.cell()
	tokens := make([]float64, 2*cell.Tokens)
	for i, angle := range f.Angles {
		tokens[2*i+2], tokens[2*i+3] = interaction.OnCircle(angle)
	}
	field := make([]float64, len(tokens))
	tangent := make([]float64, 2)
	for k := range f.Points {
		if err := ctx.Err(); err != nil {
			return err
		}
		tokens[0], tokens[1] = interaction.OnCircle(360 * float64(k) / float64(f.Points))
		cell.Field(field, tokens)
		sphere.Project(tangent, tokens[:2], field[:2])
		err := table.Write(data.Slice[float64](tokens[:1]), data.Slice[float64](tokens[1:2]), data.Slice[float64](field[:1]), data.Slice[float64](field[1:2]), data.Slice[float64](tangent[:1]), data.Slice[float64](tangent[1:]))
		if err != nil {
			return err
		}
		options.Tell(run.State{Done: k + 1, Total: f.Points})
	}
	return nil
}

// Describe implements Experiment: where the projected field is least and greatest.
func (f *Field) Describe(w io.Writer, table *data.Table) error {
	arrows, err := readArrows(table)
	if err != nil {
		return err
	}
	least, greatest := 0, 0
	for k := range arrows.x {
		if arrows.tangent(k) < arrows.tangent(least) {
			least = k
		}
		if arrows.tangent(k) > arrows.tangent(greatest) {
			greatest = k
		}
	}
	_, err = fmt.Fprintf(w, "%d %s of the circle: the projected field is from %.4g (at %.1f°) to %.4g (at %.1f°) long.\n",
		len(arrows.x), wording.Plural("point", "points", int64(len(arrows.x))), arrows.tangent(least), arrows.angle(least), arrows.tangent(greatest), arrows.angle(greatest))
	return err
}

// arrows are the rows of a table of Field.
type arrows struct{ x, y, ax, ay, px, py []float64 }

func readArrows(table *data.Table) (*arrows, error) {
	c := columns.Reader{Table: table}
	a := &arrows{
		x: columns.Of[float64](&c, "x"), y: columns.Of[float64](&c, "y"),
		ax: columns.Of[float64](&c, "ax"), ay: columns.Of[float64](&c, "ay"),
		px: columns.Of[float64](&c, "px"), py: columns.Of[float64](&c, "py"),
	}
	if c.Err == nil && len(a.x) == 0 {
		c.Err = columns.ErrNoRows
	}
	return a, c.Err
}

// tangent is the length of the projected field.
func (a *arrows) tangent(k int) float64 { return math.Hypot(a.px[k], a.py[k]) }

// angle is that of the point, in degrees from 0 to 360.
func (a *arrows) angle(k int) float64 {
	degrees := math.Atan2(a.y[k], a.x[k]) * 180 / math.Pi
	if degrees < 0 {
		degrees += 360
	}
	return degrees
}
