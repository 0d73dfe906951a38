package main

import (
	"cmp"
	"errors"

	"antipode/cmd/antipode/interruption"
	"antipode/cmd/antipode/terminal"
	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"

	"github.com/urfave/cli/v2"
)

// print is the action of a command that prints what its table shows, and writes files only on request. If a
// run ends with a finding, such as a claim that fails, print first prints everything, and then returns the
// finding as an error.
func (r *runner) print(c *cli.Context, asJSON bool) error {
	if err := r.configure(c); err != nil {
		return err
	}
	if err := r.checkPrinting(); err != nil {
		return err
	}
	r.options.Brief = asJSON && r.out == "" && r.plot == ""
	table := data.NewTable(run.Schema(r.experiment, r.options.Seed))
	if err := r.destination.begin(r.experiment, table.Schema); err != nil {
		return err
	}
	defer r.end()
	var file *data.Writer
	if r.out != "" {
		var err error
		if file, err = data.Create(r.out, table.Schema); err != nil {
			return fileProblem("out", r.out, err)
		}
		defer file.Abort()
	}
	rows, report, err := r.report(table, asJSON)
	if err != nil {
		return err
	}
	_, finding := interruption.UntilEnd(c.Context, func() error { return r.run(c.Context, rows) })
	if finding != nil && !errors.Is(finding, run.ErrFinding) {
		return finding
	}
	if file != nil {
		if err := cmp.Or(file.Write(table.Columns...), file.Close()); err != nil {
			return err
		}
	}
	if err := r.exportTable(c.Context); err != nil {
		return err
	}
	err = writeFigure(r.picture, r.plot, r.experiment, table)
	if err != nil && !errors.Is(err, figure.ErrNone) {
		return err
	}
	return errors.Join(report(), finding)
}

// checkPrinting returns an error if flags are given that a command that prints does not allow.
func (r *runner) checkPrinting() error {
	switch {
	case r.past.given() != "":
		return usagef("--%s: a run with --json saves no finished work; must be used without --json",
			r.past.given())
	case r.options.Part.Of > 0:
		return usagef("--shard %s: a shard prints no JSON; must be used without --json", r.shards.shard)
	case r.out == standardOutput:
		return usagef("--out -: the command prints to standard output already; must be %s",
			pathValue(&r.out, tableExtensions).allowed)
	}
	return nil
}

// report returns a sink for the rows and a function that prints the report. If the experiment prints its
// report during the run, the returned function prints only the end of the report.
func (r *runner) report(table *data.Table, asJSON bool) (rows data.Sink, end func() error, err error) {
	follower, follows := r.experiment.(run.Follower)
	switch {
	case asJSON:
		return table, func() error {
			return r.experiment.(run.Summarizer).WriteJSON(r.stdout, table)
		}, nil
	case !follows:
		return table, func() error { return terminal.Describe(r.stdout, r.experiment, table) }, nil
	}
	line, end, err := follower.Follow(terminal.Wrapping(r.stdout))
	return data.SinkFunc(func(columns ...data.Values) error {
		err := table.Write(columns...)
		if err == nil {
			err = line.Write(columns...)
		}
		return err
	}), end, err
}
