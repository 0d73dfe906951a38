package experiments

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode"

	"antipode/sde"
)

// identity is the name of the matrix B = QᵀK that needs no file.
const identity = "identity"

// matrixFile is the identity or the name of a file with a matrix, with the
// checksum of its numbers once they have been read.
type matrixFile struct{ field *string }

func (v matrixFile) Set(text string) error {
	if text != identity {
		file, sum := splitChecksum(text)
		matrix, _, err := readMatrix(file, sum)
		if err != nil {
			return fmt.Errorf("%w; must be %s", err, v.Allowed())
		}
		text = file + checksumMark + sde.Checksum(matrix)
	}
	*v.field = text
	return nil
}
func (v matrixFile) String() string { return *v.field }
func (v matrixFile) Allowed() string {
	return identity + " or a text file of d lines with d numbers, with blanks or commas between them"
}
func (v matrixFile) Placeholder() string { return "MATRIX" }
func (v matrixFile) Check() error        { return checkThat(*v.field != "", v) }

// interactionMatrix returns the matrix (d×d, row-major) that a text names, nil for
// the identity.
func interactionMatrix(text string, d int) ([]float64, error) {
	if text == identity {
		return nil, nil
	}
	matrix, size, err := readMatrix(splitChecksum(text))
	if err == nil && size != d {
		err = fmt.Errorf("the matrix has %d rows; must have %d, the dimension", size, d)
	}
	return matrix, err
}

const (
	largestMatrix = 10_000 // rows
	largestEntry  = 1e100
)

// readMatrix reads a square matrix from a text file: a line for each row, its
// numbers between blanks or commas, in ±10^100. Empty lines do not count. It
// returns the numbers, row-major, and how many rows there are. The numbers must have
// the checksum, if it is not "".
func readMatrix(path, sum string) (matrix []float64, rows int, err error) {
	if err := mustBeRegular(path); err != nil {
		return nil, 0, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, withoutPath(err)
	}
	defer file.Close()
	columns := 0
	lines := bufio.NewScanner(file)
	const longestLine = 1 << 20
	lines.Buffer(nil, longestLine)
	for number := 1; lines.Scan(); number++ {
		fields := strings.FieldsFunc(lines.Text(), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
		if len(fields) == 0 {
			continue
		}
		if rows++; rows == 1 {
			columns = len(fields)
		}
		switch {
		case len(fields) != columns:
			return nil, 0, fmt.Errorf("line %d has %d numbers, those before have %d", number, len(fields), columns)
		case rows > columns || columns > largestMatrix:
			return nil, 0, fmt.Errorf("the matrix is not square, or has more than %d rows", largestMatrix)
		}
		for _, field := range fields {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil || !(math.Abs(x) <= largestEntry) {
				return nil, 0, fmt.Errorf("line %d: %.40q is not a number in ±%g", number, field, largestEntry)
			}
			matrix = append(matrix, x)
		}
	}
	switch {
	case lines.Err() != nil:
		return nil, 0, fmt.Errorf("not a matrix: %w", lines.Err())
	case rows == 0:
		return nil, 0, errors.New("the file has no numbers")
	case rows != columns:
		return nil, 0, fmt.Errorf("the matrix is not square: %d lines of %d numbers", rows, columns)
	}
	return matrix, rows, compareChecksum(sum, sde.Checksum(matrix))
}
