package main

import (
	"antipode/data/durable"

	"github.com/urfave/cli/v2"
)

// pastFlags say what happens to the unfinished run that is kept next to a table's file. Without one of them
// it is never discarded.
type pastFlags struct{ resume, restart bool }

// switches returns the flags; resumption is the help for --resume.
func (f *pastFlags) switches(resumption string) []cli.Flag {
	return []cli.Flag{
		newSwitch("resume", resumption, &f.resume),
		newSwitch("restart", "delete the unfinished run that is kept beside the table's file, and start "+
			"from the beginning", &f.restart),
	}
}

// given returns the name of the flag that was given, "" if none was.
func (f pastFlags) given() string {
	switch {
	case f.resume:
		return "resume"
	case f.restart:
		return "restart"
	}
	return ""
}

func (f pastFlags) check() error {
	if f.resume && f.restart {
		return usagef("--restart: deletes the run that --resume continues; only one of them may be given")
	}
	return nil
}

// kept returns what happens to finished work.
func (f pastFlags) kept() durable.Past {
	switch {
	case f.resume:
		return durable.KeepPast
	case f.restart:
		return durable.DropPast
	}
	return durable.RefusePast
}
