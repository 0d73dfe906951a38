package main

import (
	"io"
	"log/slog"
	"slices"
	"strings"

	"antipode/experiments/parameter"
)

// reporting is what a command reports along the way.
type reporting struct {
	quiet        bool
	style, level string
	log          *slog.Logger
}

// The forms of progress, and the levels of the log.
const (
	progressAuto  = "auto"
	progressLines = "lines"
	progressJSON  = "json"
)

var (
	progressStyles = []string{progressAuto, progressLines, progressJSON}
	logLevels      = []string{"debug", "info", "warn", "error"}
)

func newReporting() reporting {
	return reporting{style: progressAuto, level: "warn", log: slog.New(slog.DiscardHandler)}
}

// startLog begins the log with the level that is asked for.
func (r *reporting) startLog(w io.Writer) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(r.level)); err != nil {
		panic(err) // the flag allows only levels
	}
	r.log = slog.New(&messages{w: w, least: level})
}

// logBegin logs which run begins.
func (r *runner) logBegin() {
	r.log.Info("begin", "command", r.experiment.Name(), "seed", r.options.Seed)
}

// textChoice is one of several texts.
type textChoice struct {
	field *string
	names []string
}

func (v textChoice) Set(text string) error {
	if !slices.Contains(v.names, text) {
		return parameter.MustBe(v)
	}
	*v.field = text
	return nil
}
func (v textChoice) String() string      { return *v.field }
func (v textChoice) Allowed() string     { return "one of " + strings.Join(v.names, ", ") }
func (v textChoice) Placeholder() string { return "NAME" }
func (v textChoice) Check() error        { return nil }
