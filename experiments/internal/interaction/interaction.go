// Package interaction has the matrices B = QᵀK of scores that a user may choose by name or
// from a file.
package interaction

import (
	"fmt"
	"math"
	"strings"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
	"antipode/sde"
	"antipode/sphere/elementary"
)

// The matrices B = QᵀK that need no file.
const (
	Identity      = "identity"
	gaussianStart = "gaussian:" // and the standard deviation of an entry
	rotationStart = "rotation:" // and the angle in degrees
)

var (
	interactionScale = parameter.Range{Low: 0, High: 1e6}
	interactionAngle = parameter.Range{Low: -360, High: 360}
)

// choice names a matrix B = QᵀK: a constant, or a file, with the checksum of its
// numbers once they have been read.
type choice struct{ field *string }

func (v choice) Set(text string) error {
	if isNamedMatrix(text) {
		switch {
		case namedMatrix(text):
		case isResampled(text):
			return mustBeResampled()
		default:
			return parameter.MustBe(v)
		}
		*v.field = text
		return nil
	}
	file, sum := namedfile.Split(text)
	matrix, _, err := ReadMatrix(file, sum)
	if err != nil {
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	}
	*v.field = file + namedfile.Mark + sde.Checksum(matrix)
	return nil
}
func (v choice) NamesFile(text string) (name string, is bool) {
	return namedfile.Name(text), !isNamedMatrix(text)
}
func (v choice) String() string { return *v.field }
func (v choice) Allowed() string {
	return "identity, gaussian:SCALE (independent normal entries, SCALE is their standard deviation), " +
		"rotation:ANGLE (by so many degrees in the planes of axes 1 and 2, 3 and 4, …), " + resampledHelp +
		", " +
		"or a text file of d lines with d numbers, with blanks or commas between them"
}
func (v choice) Placeholder() string { return "MATRIX" }
func (v choice) Check() error {
	return parameter.CheckThat(*v.field != "" && (!isNamedMatrix(*v.field) || namedMatrix(*v.field)), v)
}

// isNamedMatrix reports whether a text can only mean a matrix without a file.
func isNamedMatrix(text string) bool {
	return text == Identity || strings.HasPrefix(text, gaussianStart) ||
		strings.HasPrefix(text, rotationStart) ||
		isResampled(text)
}

// namedMatrix reports whether it does.
func namedMatrix(text string) bool {
	_, allowed := matrixNumber(text)
	if isResampled(text) {
		_, allowed = parseResampled(text)
	}
	return allowed || text == Identity
}

// matrixNumber is the number in the name of a gaussian or a rotation, and whether it is
// allowed.
func matrixNumber(text string) (x float64, allowed bool) {
	bounds := interactionScale
	rest, found := strings.CutPrefix(text, gaussianStart)
	if !found {
		bounds = interactionAngle
		if rest, found = strings.CutPrefix(text, rotationStart); !found {
			return 0, false
		}
	}
	x, err := parameter.ParseNumber(rest)
	return x, err == nil && bounds.Contains(x)
}

// Matrix returns the matrix (d×d, row-major) that a text names, nil for
// the identity, beside which there may be a Resampling.
func Matrix(text string, d int) ([]float64, error) {
	x, _ := matrixNumber(text)
	switch {
	case text == Identity || isResampled(text):
		return nil, nil
	case strings.HasPrefix(text, gaussianStart):
		return sde.GaussianInteraction(d, x), nil
	case strings.HasPrefix(text, rotationStart):
		return rotation(d, x), nil
	}
	matrix, size, err := ReadMatrix(namedfile.Split(text))
	if err == nil && size != d {
		err = fmt.Errorf("the matrix has %d rows; must have %d, the dimension", size, d)
	}
	return matrix, err
}

// rotation is the matrix that turns by an angle in degrees in the planes of axes 1 and
// 2, 3 and 4, …, and leaves the last axis as it is if d is odd.
func rotation(d int, degrees float64) []float64 {
	cos, sin := OnCircle(degrees)
	matrix := make([]float64, d*d)
	for i := 0; i+1 < d; i += 2 {
		matrix[i*d+i], matrix[i*d+i+1] = cos, -sin
		matrix[(i+1)*d+i], matrix[(i+1)*d+i+1] = sin, cos
	}
	if d%2 == 1 {
		matrix[d*d-1] = 1
	}
	return matrix
}

// SetInteractions gives cells the matrices that a text names. Errors are those of the
// parameters interaction and beta.
func SetInteractions(cells []sde.Cell, text string) error {
	matrices := map[int][]float64{} // of each dimension
	for k := range cells {
		cell := &cells[k]
		matrix, known := matrices[cell.Dim]
		if !known {
			var err error
			if matrix, err = Matrix(text, cell.Dim); err != nil {
				return &parameter.Error{Parameter: "interaction", Value: namedfile.Name(text),
					Problem: err.Error()}
			}
			matrices[cell.Dim] = matrix
		}
		cell.Interaction, cell.Resampling = matrix, Resampling(text)
		if err := cell.Validate(); err != nil && isResampled(text) {
			return &parameter.Error{Parameter: "interaction", Value: text, Problem: err.Error()}
		}
		if largest := cell.LargestBeta(); cell.Beta > largest {
			return &parameter.Error{Parameter: "beta", Value: parameter.FormatReal(cell.Beta),
				Problem: fmt.Sprintf("e^β overflows in unnormalized attention; "+
					"must be at most %.6g here, or use softmax", largest)}
		}
	}
	return nil
}

// Parameter is the parameter of the matrix B: "identity", "gaussian:SCALE", "rotation:ANGLE", "resampled:S",
// "resampled:S:K" or the name of a text file, d lines of d numbers in ±10^100 with blanks or commas between
// them.
func Parameter(field *string) parameter.Parameter {
	return parameter.Parameter{Name: "interaction",
		Meaning: "matrix B = QᵀK of the scores β·xᵀBy; gaussian is the same matrix for every seed",
		Value:   choice{field}}
}

// Text names a matrix B in a caption if it is not the identity; the name of a
// file would be too long.
func Text(text string) string {
	switch {
	case text == Identity:
		return ""
	case isNamedMatrix(text):
		return ", B = " + text
	}
	return ", B from a file"
}

// WithoutTheory says why there is no theory beside a simulation.
const WithoutTheory = "With this interaction the overlap alone is no diffusion: its theory, which is for " +
	"B = I and resampled:S, is left out."

// OnCircle is the point of the circle at an angle in degrees.
func OnCircle(degrees float64) (x, y float64) {
	sin, cos := elementary.SinCos(float64(degrees * (math.Pi / 180)))
	return cos, sin
}
