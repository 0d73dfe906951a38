package setting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/elementary"
)

// Interaction is the matrix B = QᵀK of the scores β·xᵀBy, or the identity plus random queries and keys in
// each layer. The zero value is the identity. An interaction is written as a text, also in JSON. The text is
// one of
//
//	identity, gaussian:SCALE, rotation:ANGLE, resampled:S, resampled:S:K
//
// or the name of a text file with d lines of d numbers in ±10^100, with blanks or commas between the numbers.
// In JSON and metadata, the checksum of the file follows its name.
type Interaction struct {
	name       string               // if there is no file; "" for the identity
	number     float64              // SCALE or ANGLE
	resampling sde.Resampling       // of resampled
	file       *input[squareMatrix] // nil if there is none
}

// The names of interactions that need no file. A prefix is followed by numbers.
const (
	identityName    = "identity"
	gaussianPrefix  = "gaussian:"
	rotationPrefix  = "rotation:"
	resampledPrefix = "resampled:"
)

// mostKeys is the largest number of key dimensions.
const mostKeys = 1 << 20

// ParseInteraction returns the interaction of a text. If the text names a file, the file is read.
func ParseInteraction(text string) (Interaction, error) {
	b, err := describedInteraction(text)
	if err == nil && b.file != nil {
		if _, err = b.file.get(readMatrix); err != nil {
			err = fmt.Errorf("%w; must be %s", err, interactions)
		}
	}
	return b, err
}

// describedInteraction returns the interaction of a text without reading its file.
func describedInteraction(text string) (b Interaction, err error) {
	prefix, number, numbered := strings.Cut(text, ":")
	prefix += ":"
	b.name = text
	switch {
	case text == identityName:
		return Interaction{}, nil
	case text == "":
		return b, fmt.Errorf("must be %s", interactions)
	case numbered && prefix == resampledPrefix:
		b.resampling, err = parseResampling(number)
		return b, err
	case numbered && prefix == gaussianPrefix:
		b.number, err = numberWithin(number, parameter.Range{Low: 0, High: 1e6})
		return b, err
	case numbered && prefix == rotationPrefix:
		b.number, err = numberWithin(number, parameter.Range{Low: -360, High: 360})
		return b, err
	}
	return Interaction{file: newInput[squareMatrix](text)}, nil
}

func numberWithin(text string, allowed parameter.Range) (float64, error) {
	x, err := parameter.ParseNumber(text)
	if err != nil || !allowed.Contains(x) {
		return 0, fmt.Errorf("must be %s", interactions)
	}
	return x, nil
}

// parseResampling reads the spread of the scores and, after a colon, the number of key dimensions.
func parseResampling(text string) (r sde.Resampling, err error) {
	spread, keys, finite := strings.Cut(text, ":")
	r.Spread, err = parameter.ParseNumber(spread)
	if err == nil && finite {
		var k int64
		k, err = parameter.ParseWithin(keys, 1, mostKeys)
		r.Keys = int(k)
	}
	if err != nil || !(parameter.Range{Low: 0, High: overlap.MaxSpread}).Contains(r.Spread) {
		return sde.Resampling{}, fmt.Errorf("must be resampled:S or resampled:S:K, S a number from 0 to %d "+
			"and K a whole number from 1 to %d", overlap.MaxSpread, mostKeys)
	}
	return r, nil
}

// String returns the text, with the checksum of a file that has been read.
func (b Interaction) String() string {
	switch {
	case b.file != nil:
		return b.file.text()
	case b.name == "":
		return identityName
	}
	return b.name
}

// MarshalText implements encoding.TextMarshaler by String.
func (b Interaction) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. A file is read only when its matrix is needed.
func (b *Interaction) UnmarshalText(text []byte) error {
	described, err := describedInteraction(string(text))
	if err != nil {
		return parameter.Errorf("interaction", string(text), "%v", err)
	}
	*b = described
	return nil
}

// Identity reports whether B is the identity.
func (b Interaction) Identity() bool { return b.name == "" && b.file == nil }

// Resampling returns the law of the random queries and keys of each layer; the zero value if there are none.
func (b Interaction) Resampling() sde.Resampling { return b.resampling }

// resampled reports whether queries and keys are random, possibly with spread 0.
func (b Interaction) resampled() bool { return strings.HasPrefix(b.name, resampledPrefix) }

// HasTheory reports whether the overlap of two tokens is a diffusion: B is the identity, or queries and keys
// are random with infinitely many key dimensions.
func (b Interaction) HasTheory() bool {
	return b.Identity() || b.resampled() && b.resampling.Keys == 0
}

// Matrix returns B (d×d, row-major), or nil for the identity. Resampling may add random queries and keys to
// the identity. An error says why a file is invalid.
func (b Interaction) Matrix(d int) ([]float64, error) {
	switch {
	case strings.HasPrefix(b.name, gaussianPrefix):
		return sde.GaussianInteraction(d, b.number), nil
	case strings.HasPrefix(b.name, rotationPrefix):
		return rotation(d, b.number), nil
	case b.file == nil: // the identity
		return nil, nil
	}
	m, err := b.file.get(readMatrix)
	if err == nil && m.rows != d {
		err = fmt.Errorf("the matrix has %d rows; must have %d, the dimension", m.rows, d)
	}
	return m.entries, err
}

// Refused returns an error of the parameter interaction.
func (b Interaction) Refused(problem string) error {
	return parameter.Errorf("interaction", namedfile.Name(b.String()), "%s", problem)
}

// Of sets the interaction of cells. Errors are those of the parameters interaction and beta.
func (b Interaction) Of(cells []sde.Cell) error {
	matrices := map[int][]float64{} // by dimension
	for k := range cells {
		cell := &cells[k]
		matrix, known := matrices[cell.Dim]
		if !known {
			var err error
			if matrix, err = b.Matrix(cell.Dim); err != nil {
				return b.Refused(err.Error())
			}
			matrices[cell.Dim] = matrix
		}
		cell.Interaction, cell.Resampling = matrix, b.resampling
		if b.resampled() {
			if err := cell.Validate(); err != nil {
				return b.Refused(err.Error())
			}
		}
		if err := CheckOverflow(*cell); err != nil {
			return err
		}
	}
	return nil
}

// Check returns the errors that Of would return, but does not read a file that has not been read yet.
func (b Interaction) Check(cells []sde.Cell) error {
	if b.file != nil && !b.file.known.Load() {
		return nil
	}
	return b.Of(slices.Clone(cells))
}

// CheckOverflow returns an error for a β at which the unnormalised attention of a cell overflows.
func CheckOverflow(c sde.Cell) error {
	largest := c.LargestBeta()
	if c.Beta <= largest {
		return nil
	}
	return parameter.Errorf("beta", c.Beta, "e^β overflows in unnormalized attention; must be at most %.6g "+
		"here, or use softmax", largest)
}

// Caption names B after a comma if B is not the identity. It does not give the name of a file, which could be
// long.
func (b Interaction) Caption() string {
	switch {
	case b.Identity():
		return ""
	case b.file != nil:
		return ", B from a file"
	}
	return ", B = " + b.name
}

// WithoutTheory says why there is no theory to compare a simulation with.
const WithoutTheory = "With this interaction the overlap alone is no diffusion: its theory, which is for " +
	"B = I and resampled:S, is left out."

// rotation returns the matrix that rotates by an angle in degrees in the plane of axes 1 and 2, in the plane
// of axes 3 and 4, and so on. If d is odd, the last axis stays fixed.
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

// OnCircle returns the point of the unit circle at an angle in degrees.
func OnCircle(degrees float64) (x, y float64) {
	sin, cos := elementary.SinCos(float64(degrees * (math.Pi / 180)))
	return cos, sin
}
