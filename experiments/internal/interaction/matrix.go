package interaction

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"unicode"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
	"antipode/sde"
)

const (
	largestMatrix = 10_000 // rows
	largestEntry  = 1e100
)

// ReadMatrix reads a square matrix from a text file: a line for each row, its
// numbers between blanks or commas, in ±10^100. Empty lines do not count. It
// returns the numbers, row-major, and how many rows there are. The numbers must have
// the checksum, if it is not "".
func ReadMatrix(path, sum string) (matrix []float64, rows int, err error) {
	if err := namedfile.MustBeRegular(path); err != nil {
		return nil, 0, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, namedfile.WithoutPath(err)
	}
	defer file.Close()
	columns := 0
	lines := bufio.NewScanner(file)
	const longestLine = 1 << 20
	lines.Buffer(nil, longestLine)
	for number := 1; lines.Scan(); number++ {
		fields := strings.FieldsFunc(lines.Text(),
			func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
		if len(fields) == 0 {
			continue
		}
		if rows++; rows == 1 {
			columns = len(fields)
		}
		switch {
		case len(fields) != columns:
			return nil, 0, fmt.Errorf("line %d has %d numbers, those before have %d", number, len(fields),
				columns)
		case rows > columns || columns > largestMatrix:
			return nil, 0, fmt.Errorf("the matrix is not square, or has more than %d rows", largestMatrix)
		}
		for _, field := range fields {
			x, err := parameter.ParseNumber(field)
			if err != nil || !(math.Abs(x) <= largestEntry) {
				return nil, 0, fmt.Errorf("line %d: %.40q is not a number in ±%g", number, field,
					largestEntry)
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
	return matrix, rows, namedfile.Compare(sum, sde.Checksum(matrix))
}
