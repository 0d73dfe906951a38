package data

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// each hands the rows that Next has not returned yet to visit, a batch at a
// time: at most the given number of rows, or all if it is negative.
func (r *Reader) each(rows int, visit func(table *Table) error) error {
	if rows < 0 {
		rows = math.MaxInt
	}
	for rows > 0 {
		table, err := r.take(rows)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		rows -= table.Rows()
		if err := visit(table); err != nil {
			return err
		}
	}
	return nil
}

// appendNumber appends the shortest text that gives the same number when it is
// read again, without an exponent where people write none.
func appendNumber(text []byte, x float64) []byte {
	format := byte('f')
	if size := math.Abs(x); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(text, x, format, -1, 64)
}

// appendJSONNumber is appendNumber for JSON, which has no numbers for NaN and
// infinities: they become null and the texts "Infinity" and "-Infinity".
func appendJSONNumber(text []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(text, "null"...)
	case math.IsInf(x, 1):
		return append(text, `"Infinity"`...)
	case math.IsInf(x, -1):
		return append(text, `"-Infinity"`...)
	}
	return appendNumber(text, x)
}

// appendJSONVector appends numbers as a JSON list.
func appendJSONVector(text []byte, numbers []float64) []byte {
	text = append(text, '[')
	for i, x := range numbers {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendJSONNumber(text, x)
	}
	return append(text, ']')
}

// marshal returns the JSON of a value made of texts, numbers and lists.
func marshal(value any) string {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("data: " + err.Error()) // such values always have a JSON form
	}
	return strings.TrimSuffix(buffer.String(), "\n")
}

// printable returns a text that does nothing to a terminal: one with anything
// but visible characters and spaces is written as in Go source.
func printable(text string) string {
	invisible := func(r rune) bool { return !unicode.IsPrint(r) }
	if utf8.ValidString(text) && !strings.ContainsFunc(text, invisible) {
		return text
	}
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]
}
