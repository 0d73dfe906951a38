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

// Interaction is the matrix B = QᵀK of the attention scores β·xᵀBy of tokens x and y. Alternatively, an
// Interaction is the identity plus random queries and keys in each layer. The zero value is the identity. An
// interaction is written as a text, also in JSON. The text is one of
//
//	identity, gaussian:SCALE, rotation:ANGLE, resampled:S, resampled:S:K
//
// or the name of a text file with d lines of d numbers in ±10^100, with blanks or commas between the numbers.
// In JSON and metadata, the checksum of the file follows its name.
type Interaction struct {
	name       string               // the text without a file; "" for the identity
	number     float64              // SCALE or ANGLE
	resampling sde.Resampling       // random queries and keys; zero if there are none
	file       *input[squareMatrix] // file of B; nil if no file is named
}

// The texts of interactions that need no file. Each prefix is followed by numbers.
const (
	identityName    = "identity"
	gaussianPrefix  = "gaussian:"
	rotationPrefix  = "rotation:"
	resampledPrefix = "resampled:"
)

// mostKeys is the largest number of dimensions of random queries and keys.
const mostKeys = 1 << 20

// ParseInteraction returns the interaction that a text describes. If the text names a file, ParseInteraction
// reads the file.
func ParseInteraction(text string) (Interaction, error) {
	b, err := describedInteraction(text)
	if err == nil && b.file != nil {
		if _, err = b.file.get(readMatrix); err != nil {
			err = fmt.Errorf("%w; must be %s", err, interactions)
		}
	}
	return b, err
}

// describedInteraction returns the interaction that a text describes, but does not read a file that the text
// names.
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

// parseResampling parses the law of random queries and keys: the spread S of the scores and, after a colon,
// the number K of key dimensions.
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

// String returns the text of the interaction. For a file that has been read, the checksum of the file follows
// its name.
func (b Interaction) String() string {
	switch {
	case b.file != nil:
		return b.file.text()
	case b.name == "":
		return identityName
	}
	return b.name
}

// MarshalText implements encoding.TextMarshaler by the method String.
func (b Interaction) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. A file that the text names is read only when its matrix
// is needed.
func (b *Interaction) UnmarshalText(text []byte) error {
	described, err := describedInteraction(string(text))
	if err != nil {
		return parameter.Errorf("interaction", string(text), "%v", err)
	}
	*b = described
	return nil
}

// Identity reports whether the interaction matrix B is the identity, without random queries and keys.
func (b Interaction) Identity() bool { return b.name == "" && b.file == nil }

// Resampling returns the law of the random queries and keys of each layer. Without random queries and keys,
// the result is the zero value.
func (b Interaction) Resampling() sde.Resampling { return b.resampling }

// resampled reports whether the queries and keys of the interaction are random, possibly with spread 0.
func (b Interaction) resampled() bool { return strings.HasPrefix(b.name, resampledPrefix) }

// HasTheory reports whether the overlap of two tokens is a diffusion in the limit of infinite depth. The
// overlap is a diffusion if B is the identity, or if queries and keys are random with infinitely many key
// dimensions.
func (b Interaction) HasTheory() bool {
	return b.Identity() || b.resampled() && b.resampling.Keys == 0
}

// Matrix returns the interaction matrix B (d×d, row-major), or nil for the identity. The result is also nil
// if random queries and keys are added to the identity. The error says why the file of B is invalid.
func (b Interaction) Matrix(d int) ([]float64, error) {
	switch {
	case strings.HasPrefix(b.name, gaussianPrefix):
		return sde.GaussianInteraction(d, b.number), nil
	case strings.HasPrefix(b.name, rotationPrefix):
		return rotation(d, b.number), nil
	case b.file == nil: // the identity, or identity plus resampled scores
		return nil, nil
	}
	m, err := b.file.get(readMatrix)
	if err == nil && m.rows != d {
		err = fmt.Errorf("the matrix has %d rows; must have %d, the dimension", m.rows, d)
	}
	return m.entries, err
}

// Refused returns a *parameter.Error of the parameter interaction, with the given problem.
func (b Interaction) Refused(problem string) error {
	return parameter.Errorf("interaction", namedfile.Name(b.String()), "%s", problem)
}

// Of sets the interaction of the cells. The error is a *parameter.Error of the parameter interaction or of
// the parameter beta.
func (b Interaction) Of(cells []sde.Cell) error {
	matrices := map[int][]float64{} // interaction matrices by dimension
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

// Check returns the error that Of would return for the cells. Check does not read a file: if the file of B
// has not been read yet, there is no error.
func (b Interaction) Check(cells []sde.Cell) error {
	if b.Unread() {
		return nil
	}
	return b.Of(slices.Clone(cells))
}

// Unread reports whether the interaction names a file that has not been read yet. This is the case if the
// interaction comes from the metadata of a table, until its matrix is needed.
func (b Interaction) Unread() bool { return b.file.unread() }

// CheckOverflow returns an error for a cell whose β is so large that its unnormalised attention overflows.
func CheckOverflow(c sde.Cell) error {
	largest := c.LargestBeta()
	if c.Beta <= largest {
		return nil
	}
	return parameter.Errorf("beta", c.Beta, "e^β overflows in unnormalized attention; must be at most %.6g "+
		"here, or use softmax", largest)
}

// Caption returns the text of the interaction matrix B in a caption, after a comma; the text is "" if B is
// the identity. The name of a file, which could be long, is not part of the caption.
func (b Interaction) Caption() string {
	switch {
	case b.Identity():
		return ""
	case b.file != nil:
		return ", B from a file"
	}
	return ", B = " + b.name
}

// WithoutTheory is the sentence of a report that says why a simulation is not compared with a theory.
const WithoutTheory = "With this interaction the overlap alone is no diffusion: its theory, which is for " +
	"B = I and resampled:S, is left out."

// rotation returns the d×d matrix that rotates by an angle in degrees in the plane of axes 1 and 2, in the
// plane of axes 3 and 4, and so on. If d is odd, the rotation fixes the last axis.
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
