package data

import (
	"bufio"
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"

	"antipode/internal/lists"
)

// WriteCSV writes, as CSV (RFC 4180, lines ended by \n), a line of column names and the rows that Next has
// not returned yet. The argument rows is the greatest number of rows, or negative for all rows. The text of a
// number gives the same number when it is read. Infinities are written as inf and -inf, labels by name, a
// vector as one field that is a JSON list, and null as an empty field. Bytes that are not UTF-8, in files of
// other programs, are replaced by U+FFFD. The errors of WriteCSV are errors of Next and of w.
func (r *Reader) WriteCSV(w io.Writer, rows int) error {
	buffer := bufio.NewWriter(w) // writeRecord and the CSV writer share this buffer
	out := csv.NewWriter(buffer)
	record := lists.Map(r.schema.Columns, func(column Column) string { return validText(column.Name) })
	if err := out.Write(record); err != nil {
		return err
	}
	err := r.each(rows, func(table *Table) error {
		for row := range table.Rows() {
			for i, column := range r.schema.Columns {
				record[i] = column.csv(table.Columns[i], row)
			}
			if err := writeRecord(buffer, out, record); err != nil {
				return err
			}
		}
		return nil
	})
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

// writeRecord writes a record of CSV. A single empty field is written in quotes, because readers of CSV skip
// empty lines.
func writeRecord(buffer *bufio.Writer, out *csv.Writer, record []string) error {
	if len(record) == 1 && record[0] == "" {
		_, err := buffer.WriteString("\"\"\n")
		return err
	}
	return out.Write(record)
}

// csv returns the value of the column in one row as a field of CSV.
func (c Column) csv(values Values, row int) string {
	switch v := values.(type) {
	case Slice[int32]:
		return strconv.Itoa(int(v[row]))
	case Slice[int64]:
		return strconv.FormatInt(v[row], 10)
	case Slice[int8]:
		return validText(c.label(v[row]))
	case Slice[string]:
		return validText(v[row])
	}
	numbers := values.(Slice[float64])
	if c.Kind == Vector {
		return string(appendJSONVector(nil, numbers[row*c.Length:(row+1)*c.Length]))
	}
	return csvNumber(numbers[row])
}

// validText returns text with U+FFFD in place of bytes that are not UTF-8.
func validText(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

func csvNumber(x float64) string {
	switch {
	case math.IsNaN(x):
		return ""
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return string(appendNumber(nil, x))
}

// label returns the label with the given code, or "" for the code of null.
func (c Column) label(code int8) string {
	if code < 0 {
		return ""
	}
	return c.Labels[code]
}
