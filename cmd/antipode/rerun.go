package main

import (
	"fmt"
	"io"

	"antipode/cmd/antipode/interruption"
	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/run"
	"antipode/experiments/wording"

	"github.com/urfave/cli/v2"
)

func rerunCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(stdout, stderr)
	r.keeps = true
	r.destination.addOut(&r.flagSet, "none: the rows are compared")
	return &cli.Command{
		Name:      "rerun",
		Usage:     "repeats the run that wrote a table, and compares the rows",
		ArgsUsage: "FILE",
		Description: `Repeats the run that the metadata of FILE describe, with the same seed, and
compares the rows as they are computed. If a row differs, rerun prints one line and the exit status
is 1. With --out it writes the table instead of comparing; such a run can be continued if it is
interrupted.

Example: antipode rerun phase.arrow`,
		Flags: append(r.flags,
			r.past.switches("with --out, continue the unfinished run beside it, if there is one; if the "+
				"table is complete, check it and compute nothing")...),
		Action: func(c *cli.Context) error {
			path, err := oneFile(c)
			if err != nil {
				return err
			}
			if err := r.apply(); err != nil {
				return err
			}
			if err := r.past.check(); err != nil {
				return err
			}
			if r.past.given() != "" && r.out == "" {
				return usagef("--%s: a comparison of rows saves no finished work; needs --out",
					r.past.given())
			}
			if err := checkEnvironment(); err != nil {
				return err
			}
			return r.rerun(c, path)
		},
	}
}

// rerun runs the experiment of the table at path again.
func (r *runner) rerun(c *cli.Context, path string) error {
	reader, err := data.Open(path)
	if err != nil {
		return err
	}
	defer reader.Close()
	if err := r.takeFrom(reader.Schema()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	r.beginLog(r.experiment.Name(), r.options.Seed)
	if r.out != "" {
		return writeFiles(c.Context, []*runner{r}, path)
	}
	comparison, err := data.NewComparison(reader, r.schema())
	if err != nil {
		return err
	}
	if _, err := interruption.UntilEnd(c.Context, func() error {
		return r.run(c.Context, comparison)
	}); err != nil {
		return err
	}
	if err := comparison.Close(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.stdout, "%s: the same again, %s.\n", path, wording.Count(reader.Rows(), "row"))
	return err
}

// takeFrom sets the experiment, the seed and the shard of the runner to those with which the table of the
// given schema was written.
func (r *runner) takeFrom(schema data.Schema) (err error) {
	if r.experiment, r.options.Seed, err = experiments.Saved(schema); err != nil {
		return err
	}
	text, ok := schema.Value(run.KeyShard)
	if !ok {
		return nil
	}
	if r.options.Part, err = run.ParseShard(text); err != nil {
		return fmt.Errorf("%s %q: %w", run.KeyShard, text, err)
	}
	if _, ok := r.experiment.(run.Divisible); !ok {
		return fmt.Errorf("%s has no shards", r.experiment.Name())
	}
	return nil
}
