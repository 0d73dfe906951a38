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

// Describe writes the report on a table to standard output. A terminal would break long sentences within
// words, so there they are broken between them.
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

// Wrapping is standard output for writes of whole lines, which a terminal gets as Describe breaks them.
func Wrapping(stdout io.Writer) io.Writer {
	screen := Screen(stdout)
	if screen == nil {
		return stdout
	}
	return breaking{stdout, columnsOf(screen)}
}

// breaking breaks the lines that it writes.
type breaking struct {
	to      io.Writer
	columns int
}

func (b breaking) Write(lines []byte) (int, error) {
	_, err := io.WriteString(b.to, wrapped(string(lines), b.columns))
	return len(lines), err
}

// wrapped is a text with its lines broken at blanks, so that they take at most that number of columns;
// the parts of a line keep its indentation. Lines of tables, whose columns are two blanks or more apart, are
// folded between columns.
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
			if len(indent) > columns/2 { // below the last column of a table, which is folded
				indent = foldIndent
			}
			line = Wrap(words, indent, columns)
		}
		lines = append(lines, line)
	}
	endTable()
	return strings.Join(lines, "\n")
}

// foldIndent is before what a line of a table goes on with.
const foldIndent = "      "

// folded is, for each line of a table, lines with as many of its columns as fit, which end at the same places
// for all of them. A column that is too wide alone is broken at blanks.
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

// gapBefore is the column, of a table of some width, before which a first part of it ends, as wide as it may
// be, or as narrow as it can be: all rows have two blanks there, and some have something before. It is 0 if
// there is none.
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

// withoutIndent are lines without the blanks that all of them begin with that have anything else.
func withoutIndent(lines []string) []string {
	least := math.MaxInt
	for _, line := range lines {
		if words := strings.TrimLeft(line, " "); words != "" {
			least = min(least, len(line)-len(words))
		}
	}
	return lists.Map(lines, func(line string) string { return line[min(least, len(line)):] })
}

// Wrap breaks a text into lines of at most columns columns, but for longer words, each with an indentation.
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
