package setting

import (
	"bufio"
	"errors"
	"fmt"
	"io"
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

// squareMatrix is a square matrix whose entries are stored row by row.
type squareMatrix struct {
	rows    int
	entries []float64
}

// readMatrix reads a square matrix from a text file. A line of the file is a row of the matrix, with numbers
// in ±10^100 separated by blanks or commas. Empty lines are ignored. The checksum is that of the numbers, not
// that of the text.
func readMatrix(path string) (m squareMatrix, checksum string, err error) {
	if err := namedfile.MustBeRegular(path); err != nil {
		return m, "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return m, "", namedfile.WithoutPath(err)
	}
	defer file.Close()
	if m, err = parseMatrix(file); err != nil {
		return squareMatrix{}, "", err
	}
	return m, sde.Checksum(m.entries), nil
}

func parseMatrix(file io.Reader) (m squareMatrix, err error) {
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
		if m.rows++; m.rows == 1 {
			columns = len(fields)
		}
		switch {
		case len(fields) != columns:
			return m, fmt.Errorf("line %d has %d numbers, those before have %d", number, len(fields),
				columns)
		case m.rows > columns || columns > largestMatrix:
			return m, fmt.Errorf("the matrix is not square, or has more than %d rows", largestMatrix)
		}
		for _, field := range fields {
			x, err := parameter.ParseNumber(field)
			if err != nil || !(math.Abs(x) <= largestEntry) {
				return m, fmt.Errorf("line %d: %.10q is not a number in ±%g", number, field,
					largestEntry)
			}
			m.entries = append(m.entries, x)
		}
	}
	switch {
	case lines.Err() != nil:
		return m, fmt.Errorf("not a matrix: %w", lines.Err())
	case m.rows == 0:
		return m, errors.New("the file has no numbers")
	case m.rows != columns:
		return m, fmt.Errorf("the matrix is not square: %d lines of %d numbers", m.rows, columns)
	}
	return m, nil
}
