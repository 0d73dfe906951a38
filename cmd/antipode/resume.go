package main

import (
	"antipode/data/durable"

	"github.com/urfave/cli/v2"
)

// pastFlags are the flags --resume and --restart. The flags say what happens to an unfinished run whose
// finished work is next to the file of a table. If neither flag is given, the finished work is not discarded.
type pastFlags struct{ resume, restart bool }

// switches returns the flags --resume and --restart of a command. The argument resumption is the help text of
// --resume.
func (f *pastFlags) switches(resumption string) []cli.Flag {
	return []cli.Flag{
		newSwitch("resume", resumption, &f.resume),
		newSwitch("restart", "delete the unfinished run that is kept beside the table's file, and start "+
			"from the beginning", &f.restart),
	}
}

// given returns the name of the flag, resume or restart, that was given, or "" if neither was given.
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

// kept returns what the flags say about the finished work of an unfinished run.
func (f pastFlags) kept() durable.Past {
	switch {
	case f.resume:
		return durable.KeepPast
	case f.restart:
		return durable.DropPast
	}
	return durable.RefusePast
}
