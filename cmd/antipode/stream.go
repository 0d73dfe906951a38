package main

import (
	"context"

	"antipode/data"
	"antipode/experiments/parameter"
)

// standardOutput is the name under which a table is written to standard output.
const standardOutput = "-"

// streamValue is the name of a table's file, or of standard output.
type streamValue struct{ pathValue }

func (v streamValue) Set(text string) error {
	if text == standardOutput {
		*v.field = text
		return nil
	}
	if v.pathValue.Set(text) != nil {
		return parameter.MustBe(v)
	}
	return nil
}
func (v streamValue) Allowed() string {
	return v.pathValue.Allowed() + ", or " + standardOutput + " for standard output"
}

// toStdout runs the experiment and writes its table, and nothing else, to standard output.
func (r *runner) toStdout(ctx context.Context) error {
	switch {
	case r.past.given() != "":
		return usagef("--%s: needs a file beside which finished work is kept; must go without --out -",
			r.past.given())
	case r.plot != "":
		return usagef("--plot %s: with --out - there is no figure; must go without", quoteIfNeeded(r.plot))
	case terminal(r.stdout) != nil:
		return usagef("--out -: standard output is a terminal, and a table is not text; " +
			"must be a pipe or a file")
	}
	writer, err := data.Stream(r.stdout, "standard output", r.schema())
	if err != nil {
		return err
	}
	if _, err := untilEnd(ctx, func() error { return r.run(ctx, writer) }); err != nil {
		return err
	}
	return writer.Close()
}
