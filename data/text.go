package data

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"antipode/internal/lists"
)

const (
	maxCell  = 40  // most characters of a value; longer values are cut
	maxType  = 120 // most characters of the type of a column
	pageRows = 200 // number of rows that are aligned together
)

// WriteText writes the table as text for people: the size, the columns with their types, units and meanings,
// the metadata, and the rows that Next has not returned yet. The argument rows is the greatest number of
// rows, or negative for all rows. Numbers are rounded to six significant digits and long values are cut.
// Control characters in the file are not sent to the terminal. The errors of WriteText are errors of Next and
// of w.
func (r *Reader) WriteText(w io.Writer, rows int) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s, %s\n", counted(int64(len(r.schema.Columns)), "column"), counted(r.Rows(), "row"))
	if _, ours := r.schema.Value(KeyCommand); r.rewritten {
		fmt.Fprintln(out, "rewritten by another program: without checksums, "+
			"and perhaps not what the metadata say")
	} else if !ours {
		fmt.Fprintln(out, "by another program, or rewritten by one that leaves out the metadata of a run, "+
			"as Polars does")
	}
	fmt.Fprintln(out)
	writeColumns(out, r.schema.Columns)
	writeMetadata(out, r.schema.Metadata)
	if rows != 0 && r.Rows() > 0 {
		fmt.Fprintln(out)
		if err := r.writeRows(out, rows); err != nil {
			return err
		}
	}
	return out.Flush()
}

func writeColumns(out io.Writer, columns []Column) {
	grid := newGrid([]bool{false, false, false, false})
	grid.add("column", "type", "unit", "meaning")
	for _, c := range columns {
		grid.add(cut(Printable(c.Name), maxCell), cut(c.describe(), maxType), cut(Printable(c.Unit), maxCell),
			Printable(c.Meaning))
	}
	grid.flush(out)
}

// describe returns a text with the type of a column: the kind, with the labels, the length of vectors, or
// whether the column may hold nulls.
func (c Column) describe() string {
	switch {
	case c.Kind == Label:
		return "label: " + Printable(strings.Join(c.Labels, ", "))
	case c.Kind == Vector:
		return fmt.Sprintf("vector of %d", c.Length)
	case c.Nullable:
		return c.Kind.String() + " or null"
	}
	return c.Kind.String()
}

func writeMetadata(out io.Writer, entries []Entry) {
	if len(entries) == 0 {
		return
	}
	fmt.Fprintln(out)
	grid := newGrid([]bool{false, false})
	for _, entry := range entries {
		grid.add(cut(Printable(entry.Key), maxCell), Printable(entry.Value))
	}
	grid.flush(out)
}

// writeRows writes the rows that Next has not returned yet as text. writeRows aligns the rows of one page at
// a time, so that any number of rows needs little memory.
func (r *Reader) writeRows(out io.Writer, rows int) error {
	right := make([]bool, len(r.schema.Columns))
	cells := make([]string, len(r.schema.Columns))
	for i, column := range r.schema.Columns {
		right[i] = column.Kind == Int32 || column.Kind == Int64 || column.Kind == Float64
		cells[i] = cut(Printable(column.Name), maxCell)
	}
	grid := newGrid(right)
	grid.add(cells...)
	err := r.each(rows, func(table *Table) error {
		for row := range table.Rows() {
			for i, column := range r.schema.Columns {
				cells[i] = cut(column.cell(table.Columns[i], row), maxCell)
			}
			grid.add(cells...)
			if len(grid.rows) == pageRows {
				if err := grid.flush(out); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return grid.flush(out)
}

// cell returns the value of the column in one row as a text for people.
func (c Column) cell(values Values, row int) string {
	switch v := values.(type) {
	case Slice[int8]:
		if v[row] < 0 {
			return "null"
		}
		return Printable(c.label(v[row]))
	case Slice[string]:
		return Printable(v[row])
	case Slice[float64]:
		if c.Kind == Float64 {
			return roundedNumber(v[row])
		}
		return roundedVector(v[row*c.Length : (row+1)*c.Length])
	}
	return c.csv(values, row)
}

func roundedNumber(x float64) string {
	switch {
	case math.IsNaN(x):
		return "null"
	case math.IsInf(x, 0):
		return csvNumber(x)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// roundedVector returns the text of a vector, with only as many numbers as fit in a cell.
func roundedVector(numbers []float64) string {
	texts := lists.Map(numbers[:min(len(numbers), maxCell/2)], roundedNumber)
	if len(texts) < len(numbers) {
		texts = append(texts, "…")
	}
	return "[" + strings.Join(texts, " ") + "]"
}

// cut returns text, shortened to width characters if it is longer.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// grid aligns rows of cells in columns. The columns of a grid never become narrower from one flush to the
// next.
type grid struct {
	right  []bool // which columns of the grid are aligned to the right
	widths []int
	rows   [][]string
}

func newGrid(right []bool) *grid {
	return &grid{right: right, widths: make([]int, len(right))}
}

func (g *grid) add(cells ...string) {
	for i, cell := range cells {
		g.widths[i] = max(g.widths[i], utf8.RuneCountInString(cell))
	}
	g.rows = append(g.rows, append([]string(nil), cells...))
}

func (g *grid) flush(out io.Writer) error {
	for _, row := range g.rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(g.align(i, cell))
		}
		if _, err := io.WriteString(out, strings.TrimRight(line.String(), " ")+"\n"); err != nil {
			return err
		}
	}
	g.rows = g.rows[:0]
	return nil
}

// align returns a cell with the spaces that align it in column i. The last cell of a line, which may be very
// long, gets no spaces on its right.
func (g *grid) align(i int, cell string) string {
	last := i == len(g.widths)-1
	if last && !g.right[i] {
		return cell
	}
	space := strings.Repeat(" ", g.widths[i]-utf8.RuneCountInString(cell))
	if g.right[i] {
		cell = space + cell
	} else {
		cell += space
	}
	if last {
		return cell
	}
	return cell + "  "
}
