package main

import (
	"errors"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/experiments/verify"

	"github.com/urfave/cli/v2"
)

// addVerdicts adds the flags of verify and returns its action: a line for each claim as
// soon as it is known, and a table if asked to. The error of claims that fail
// comes last.
func (r *runner) addVerdicts(v *verify.Experiment) cli.ActionFunc {
	r.addOut("none")
	var list bool
	r.addSwitch("list", "name the claims and measure none", &list)
	return func(c *cli.Context) error {
		if err := r.configure(c); err != nil {
			return err
		}
		if list {
			return v.List(r.stdout)
		}
		return r.verdicts(c)
	}
}

// verdicts runs verify. Its lines report its progress.
func (r *runner) verdicts(c *cli.Context) error {
	table := data.NewTable(run.Schema(r.experiment, r.options.Seed))
	if err := r.checkOutputs(); err != nil {
		return err
	}
	if _, err := r.beginExport(table.Schema); err != nil {
		return err
	}
	defer r.endExport()
	file, err := createTable(r.out, table.Schema)
	if err != nil {
		return err
	}
	verdict := verify.Head(r.stdout)
	if verdict == nil {
		_, verdict = untilEnd(c.Context, func() error {
			return r.experiment.Run(c.Context, r.options, data.SinkFunc(func(columns ...data.Values) error {
				if err := table.Write(columns...); err != nil {
					return err
				}
				rows, err := data.RowsOf[verify.Row](table)
				if err != nil {
					return err
				}
				return rows[len(rows)-1].Describe(r.stdout)
			}))
		})
	}
	if verdict != nil && !errors.As(verdict, new(*verify.Refuted)) {
		return errors.Join(verdict, file.abort())
	}
	if err := file.save(table); err != nil {
		return err
	}
	if err := r.exportTable(); err != nil {
		return err
	}
	rows, err := data.RowsOf[verify.Row](table)
	if err != nil {
		return err
	}
	if err := verify.Summarize(r.stdout, rows); err != nil {
		return err
	}
	return verdict
}
