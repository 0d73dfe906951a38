package data

import (
	"bufio"
	"io"
	"strconv"

	"antipode/internal/lists"
)

// columnJSON is the description of a column in the JSON of a table.
type columnJSON struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Unit     string   `json:"unit"`
	Meaning  string   `json:"meaning"`
	Labels   []string `json:"labels,omitempty"`
	Length   int      `json:"length,omitempty"`
	Nullable bool     `json:"nullable,omitempty"`
}

// WriteJSON writes the table as one JSON object. The key "metadata" of the object has an object of strings,
// "columns" has a list with the description of each column, and "rows" has a list with an object for each row
// that Next has not returned yet. The argument rows is the greatest number of rows, or negative for all rows.
// The text of a number gives the same number when it is read. Infinities are the strings "Infinity" and
// "-Infinity", labels are strings, vectors are lists, and null is null. The errors of WriteJSON are errors of
// Next and of w. After an error the written text is not valid JSON.
func (r *Reader) WriteJSON(w io.Writer, rows int) error {
	out := bufio.NewWriter(w)
	r.writeJSONHead(out)
	separator := "\n"
	err := r.eachJSON(rows, func(row []byte) error {
		out.WriteString(separator)
		separator = ",\n"
		_, err := out.Write(row)
		return err
	})
	if err != nil {
		return err
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

// WriteJSONLines writes the rows that Next has not returned yet, each as one line with the JSON object that
// WriteJSON writes for the row. The argument rows and the errors are those of WriteJSON.
func (r *Reader) WriteJSONLines(w io.Writer, rows int) error {
	out := bufio.NewWriter(w)
	err := r.eachJSON(rows, func(row []byte) error {
		_, err := out.Write(append(row, '\n'))
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// eachJSON calls the function visit with each row, as a JSON object, that Next has not returned yet. The
// bytes of a row are valid only during the call of visit.
func (r *Reader) eachJSON(rows int, visit func(row []byte) error) error {
	writers := lists.Map(r.schema.Columns, newJSONColumn)
	var line []byte
	return r.each(rows, func(table *Table) error {
		for row := range table.Rows() {
			line = append(line[:0], '{')
			for i, writer := range writers {
				if i > 0 {
					line = append(line, ',')
				}
				line = writer.append(line, table.Columns[i], row)
			}
			line = append(line, '}')
			if err := visit(line); err != nil {
				return err
			}
		}
		return nil
	})
}

// AppendRowJSON appends a row of the table as a JSON object with a key for each column, in the form in which
// Reader.WriteJSON writes rows.
func (t *Table) AppendRowJSON(text []byte, row int) []byte {
	for i, column := range t.Schema.Columns {
		separator := byte(',')
		if i == 0 {
			separator = '{'
		}
		text = newJSONColumn(column).append(append(text, separator), t.Columns[i], row)
	}
	return append(text, '}')
}

// AppendColumnJSON appends the values of a column of the table as a JSON list. Each value has the form of
// AppendRowJSON.
func (t *Table) AppendColumnJSON(text []byte, column int) []byte {
	if t.Rows() == 0 {
		return append(text, "[]"...)
	}
	values := newJSONColumn(t.Schema.Columns[column])
	values.key = ""
	separator := byte('[')
	for row := range t.Rows() {
		text = values.append(append(text, separator), t.Columns[column], row)
		separator = ','
	}
	return append(text, ']')
}

// writeJSONHead writes the JSON of the metadata and the columns. writeJSONHead ignores errors of writing, as
// a bufio.Writer keeps its first error until Flush.
func (r *Reader) writeJSONHead(out *bufio.Writer) {
	out.WriteString(`{"metadata":{`)
	for i, entry := range r.schema.Metadata {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n" + marshal(entry.Key) + ":" + marshal(entry.Value))
	}
	out.WriteString("},\n\"columns\":[")
	for i, c := range r.schema.Columns {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n" +
			marshal(columnJSON{c.Name, c.Kind.String(), c.Unit, c.Meaning, c.Labels, c.Length,
				c.Nullable}))
	}
	out.WriteString("],\n\"rows\":[")
}

// jsonColumn writes the values of one column as JSON. Texts that do not depend on the row are made only once.
type jsonColumn struct {
	column Column
	key    string
	labels []string
}

func newJSONColumn(column Column) jsonColumn {
	j := jsonColumn{column: column, key: marshal(column.Name) + ":"}
	for _, label := range column.Labels {
		j.labels = append(j.labels, marshal(label))
	}
	return j
}

func (j jsonColumn) append(line []byte, values Values, row int) []byte {
	line = append(line, j.key...)
	switch v := values.(type) {
	case Slice[int32]:
		return strconv.AppendInt(line, int64(v[row]), 10)
	case Slice[int64]:
		return strconv.AppendInt(line, v[row], 10)
	case Slice[int8]:
		if v[row] < 0 {
			return append(line, "null"...)
		}
		return append(line, j.labels[v[row]]...)
	case Slice[string]:
		return append(line, marshal(v[row])...)
	}
	numbers := values.(Slice[float64])
	if j.column.Kind == Vector {
		return appendJSONVector(line, numbers[row*j.column.Length:(row+1)*j.column.Length])
	}
	return appendJSONNumber(line, numbers[row])
}
