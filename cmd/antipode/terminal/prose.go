package terminal

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/internal/lists"
)

// Describe writes the report of an experiment on its table to standard output. On a terminal it breaks long
// lines between words, because the terminal would break them within words.
func Describe(stdout io.Writer, e run.Experiment, table *data.Table) error {
	screen := Screen(stdout)
	if screen == nil {
		return e.Describe(stdout, table)
	}
	var text bytes.Buffer
	if err := e.Describe(&text, table); err != nil {
		return err
	}
	_, err := io.WriteString(stdout, wrapped(text.String(), columnsOf(screen)))
	return err
}

// Wrapping returns a writer to standard output that must be given whole lines. If standard output is a
// terminal, the writer breaks long lines as Describe does.
func Wrapping(stdout io.Writer) io.Writer {
	screen := Screen(stdout)
	if screen == nil {
		return stdout
	}
	return breaking{stdout, columnsOf(screen)}
}

// breaking is a writer that breaks long lines between words.
type breaking struct {
	to      io.Writer
	columns int
}

func (b breaking) Write(lines []byte) (int, error) {
	_, err := io.WriteString(b.to, wrapped(string(lines), b.columns))
	return len(lines), err
}

// wrapped breaks the lines of a text at blanks, so that they have at most the given number of columns. The
// parts of a broken line have the indentation of the unbroken line. Lines of tables, whose columns are
// separated by two blanks or more, are broken between columns.
func wrapped(text string, columns int) string {
	var lines, table []string
	endTable := func() {
		for _, row := range folded(table, columns) {
			lines = append(lines, row...)
		}
		table = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		words := strings.TrimLeft(line, " ")
		if strings.Contains(words, "  ") {
			table = append(table, line)
			continue
		}
		endTable()
		if indent := line[:len(line)-len(words)]; wide(line) > columns {
			if len(indent) > columns/2 { // the line continues the last column of a broken table
				indent = foldIndent
			}
			line = Wrap(words, indent, columns)
		}
		lines = append(lines, line)
	}
	endTable()
	return strings.Join(lines, "\n")
}

// foldIndent is the indentation of the second and later lines of a row of a table that is broken into several
// lines.
const foldIndent = "      "

// folded breaks each row of a table into several lines. Each line has as many columns of the table as fit,
// and all rows are broken at the same columns. A single column that is too wide is broken at blanks.
func folded(table []string, columns int) [][]string {
	rows, width := make([][]rune, len(table)), 0
	for k, line := range table {
		rows[k] = []rune(strings.TrimRight(line, " "))
		width = max(width, len(rows[k]))
	}
	end := width
	if width > columns {
		if gap := gapBefore(rows, width, columns); gap > 0 {
			end = gap
		}
	}
	lines, rest := make([][]string, len(rows)), make([]string, len(rows))
	for k, row := range rows {
		line := strings.TrimRight(string(row[:min(end, len(row))]), " ")
		if words := strings.TrimLeft(line, " "); wide(line) > columns {
			line = Wrap(words, line[:len(line)-len(words)], columns)
		}
		lines[k], rest[k] = strings.Split(line, "\n"), string(row[min(end, len(row)):])
	}
	if end == width {
		return lines
	}
	for k, more := range folded(withoutIndent(rest), columns-len(foldIndent)) {
		for _, line := range more {
			if line != "" {
				lines[k] = append(lines[k], foldIndent+line)
			}
		}
	}
	return lines
}

// gapBefore returns the column at which the first part of a table can end. At the returned column all rows
// have two blanks, and some rows have text before the column. The returned column is as far to the right as
// the width of the terminal, columns, allows, or as far to the left as possible if no first part fits. If the
// rows of the table have no common gap, gapBefore returns 0. The argument width is the width of the table.
func gapBefore(rows [][]rune, width, columns int) int {
	blank := func(x int) bool {
		return !slices.ContainsFunc(rows, func(row []rune) bool { return x < len(row) && row[x] != ' ' })
	}
	first, gap := 0, 0
	for blank(first) {
		first++
	}
	for x := first + 3; x < width && (gap == 0 || x <= columns); x++ {
		if blank(x-1) && blank(x-2) {
			gap = x
		}
	}
	return gap
}

// withoutIndent removes the blanks that all lines with text have in common at their beginning.
func withoutIndent(lines []string) []string {
	least := math.MaxInt
	for _, line := range lines {
		if words := strings.TrimLeft(line, " "); words != "" {
			least = min(least, len(line)-len(words))
		}
	}
	return lists.Map(lines, func(line string) string { return line[min(least, len(line)):] })
}

// Wrap breaks a text between words into lines that begin with an indent. A line has at most the given number
// of columns, unless a single word is longer.
func Wrap(text, indent string, columns int) string {
	var lines []string
	for word := range strings.FieldsSeq(text) {
		last := len(lines) - 1
		if last >= 0 && wide(lines[last])+1+wide(word) <= columns {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, indent+word)
	}
	return strings.Join(lines, "\n")
}
