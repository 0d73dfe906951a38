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

// Say writes a message to a person, in one line. Everything that the program writes to stderr has the form of
// Say, except progress in JSON.
func Say(w io.Writer, text string) { fmt.Fprintln(w, Message(text)) }

// Message returns a text as one line without control characters, cut to at most two lines of a terminal. The
// text may contain the name or the metadata of a file, which may have any characters and any length.
func Message(text string) string {
	line := "antipode: " + data.Printable(strings.Join(strings.Fields(text), " "))
	return wording.Abbreviated(line, wording.MessageColumns)
}

// NewLog returns a log that writes records of at least the given level to w, as messages in the form of Say.
func NewLog(w io.Writer, least slog.Level) *slog.Logger {
	return slog.New(&messages{w: w, least: least})
}

// messages is a log handler that writes each record in the form of Say. The text of a warning begins with the
// word for its level, and attributes of a record follow the text as key=value.
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

// WithGroup returns the log handler itself. The log does not support groups of attributes: names of
// attributes are not changed.
func (m *messages) WithGroup(string) slog.Handler { return m }
