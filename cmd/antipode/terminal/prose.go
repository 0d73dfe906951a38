package terminal

import (
	"bytes"
	"io"
	"strings"

	"antipode/data"
	"antipode/experiments/run"
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

// wrapped is a text with its lines broken at blanks, so that they take at most that number of columns; the
// parts of a line keep its indentation. Lines of tables, whose columns are two blanks or more apart, stay
// whole.
func wrapped(text string, columns int) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		words := strings.TrimLeft(line, " ")
		if indent := line[:len(line)-len(words)]; wide(line) > columns && !strings.Contains(words, "  ") {
			line = Wrap(words, indent, columns)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
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
