package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// each calls the function visit with the rows that Next has not returned yet, batch by batch. The argument
// rows is the greatest number of rows, or negative for all rows.
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

// appendNumber appends the shortest text that gives the number x when it is read again. The text has no
// exponent for |x| from 1e-6 to 1e21.
func appendNumber(text []byte, x float64) []byte {
	format := byte('f')
	if size := math.Abs(x); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(text, x, format, -1, 64)
}

// appendJSONNumber appends the JSON of a number: null for NaN, the texts "Infinity" and "-Infinity" for
// infinities, and the text of appendNumber for all other numbers.
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

// appendJSONVector appends the numbers of a vector as a JSON list.
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

// marshal returns the JSON, on one line, of a value that consists of texts, numbers and lists.
func marshal(value any) string {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("data: " + err.Error()) // texts, numbers and lists always have a JSON form
	}
	return strings.TrimSuffix(buffer.String(), "\n")
}

// Printable returns text in a form that is safe to print on a terminal. Characters that are neither visible
// nor a space, and bytes that are not UTF-8, are written as in Go source.
func Printable(text string) string {
	var printed strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&printed, `\x%02x`, text[0])
		case unicode.IsPrint(r):
			printed.WriteRune(r)
		default:
			printed.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		text = text[size:]
	}
	return printed.String()
}
