package terminal

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments/wording"
)

// Say writes a message to a person: one line, in the form of all that the program says on
// stderr but for progress in JSON.
func Say(w io.Writer, text string) { fmt.Fprintln(w, Message(text)) }

// Message is a text in one line that does nothing to a terminal, and is at most two lines of one, whatever
// the name of a file or the metadata in it have put there.
func Message(text string) string {
	line := "antipode: " + data.Printable(strings.Join(strings.Fields(text), " "))
	return wording.Abbreviated(line, wording.MessageColumns)
}

// NewLog is a log of such lines, of records of a level at least.
func NewLog(w io.Writer, least slog.Level) *slog.Logger {
	return slog.New(&messages{w: w, least: least})
}

// messages is a log whose records are such lines: a warning is called one, and attributes follow
// as key=value.
type messages struct {
	w          io.Writer
	least      slog.Level
	attributes []slog.Attr
}

func (m *messages) Enabled(_ context.Context, level slog.Level) bool { return level >= m.least }

func (m *messages) Handle(_ context.Context, record slog.Record) error {
	var text strings.Builder
	if record.Level >= slog.LevelWarn {
		text.WriteString("warning: ")
	}
	text.WriteString(record.Message)
	write := func(a slog.Attr) bool {
		fmt.Fprintf(&text, " %s=%s", a.Key, wording.Quoted(a.Value.String()))
		return true
	}
	for _, a := range m.attributes {
		write(a)
	}
	record.Attrs(write)
	Say(m.w, text.String())
	return nil
}

func (m *messages) WithAttrs(more []slog.Attr) slog.Handler {
	return &messages{m.w, m.least, slices.Concat(m.attributes, more)}
}

// WithGroup leaves names as they are: there are no groups of attributes here.
func (m *messages) WithGroup(string) slog.Handler { return m }
