package main

import (
	"io"
	"log/slog"

	"antipode/cmd/antipode/terminal"
	"antipode/experiments/parameter"
)

// reporting controls what a command writes to stderr during its run: progress, a log and notices.
type reporting struct {
	stderr       io.Writer
	quiet        bool
	style, level string
	log          *slog.Logger
}

// logLevels are the allowed levels of the log of a run, from the most to the least detailed.
var logLevels = []string{"debug", "info", "warn", "error"}

func newReporting(stderr io.Writer) *reporting {
	return &reporting{stderr: stderr, style: terminal.Auto, level: "warn", log: slog.New(slog.DiscardHandler)}
}

// addTo adds the flags that control progress and the log to a command.
func (r *reporting) addTo(flags *flagSet) {
	flags.addSwitch("quiet", "no progress on stderr", &r.quiet)
	flags.addFlag(parameter.Parameter{Name: "progress", Meaning: "form of the progress on stderr: auto " +
		"is a bar on a terminal and otherwise a line every 10 s, lines is always lines, json is a JSON " +
		"object every second",
		Value: textChoice(&r.style, terminal.Styles)})
	flags.addFlag(parameter.Parameter{Name: "log-level", Meaning: "lowest level of the messages that are " +
		"logged on stderr",
		Value: textChoice(&r.level, logLevels)})
}

// beginLog opens the log of a run at the level of the flag --log-level, and logs that the run begins.
func (r *reporting) beginLog(command string, seed uint64) {
	var level slog.Level
	level.UnmarshalText([]byte(r.level)) // no error, as the flag allows only levels
	r.log = terminal.NewLog(r.stderr, level)
	r.log.Info("begin", "command", command, "seed", seed)
}

// notice prints a line that a person should read before a long run, unless --quiet is given.
func (r *reporting) notice(text string) {
	if !r.quiet {
		terminal.Say(r.stderr, text)
	}
}
