package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/run"
	"antipode/experiments/wording"

	"github.com/urfave/cli/v2"
)

func mergeCommand(stdout, stderr io.Writer) *cli.Command {
	r := &runner{stdout: stdout, stderr: stderr, reporting: newReporting()}
	r.addOut("must be given")
	r.addReporting()
	return &cli.Command{
		Name:      "merge",
		Usage:     "the table of a whole run from those of its shards",
		ArgsUsage: "SHARD.arrow...",
		Description: `Puts the tables of all shards of one run, given in any order, together: counts are
added, and intervals and theory are computed from the sums; rows come in the order of
trajectories. The file is that of a run that was not spread, byte for byte. It is an
error, which names the file, if a shard is missing, is there twice, or is of another
run. Memory is one batch of rows of each shard.

Example: antipode merge --out phase.arrow phase-*-of-4.arrow`,
		Flags: r.flags,
		Action: func(c *cli.Context) error {
			if err := applyAll(r.values); err != nil {
				return err
			}
			switch {
			case r.out == "":
				return usagef("--out: is missing; must be the name of the whole table's file")
			case c.NArg() == 0:
				return usagef("merge: needs the files of all shards")
			case slices.Contains(c.Args().Slice(), ""):
				return usagef("merge: the name of a FILE is empty")
			}
			r.startLog(stderr)
			if err := r.checkOutputs(c.Args().Slice()...); err != nil {
				return err
			}
			return r.merge(c)
		},
	}
}

// merge opens the shards and writes the whole table.
func (r *runner) merge(c *cli.Context) error {
	shards, err := experiments.OpenShards(c.Args().Slice())
	if err != nil {
		return err
	}
	defer shards.Close()
	r.experiment = shards.Experiment
	r.options.Seed, r.options.Shards = shards.Seed, shards.Readers
	schema := run.Schema(shards.Experiment, shards.Seed)
	if _, err := r.beginExport(schema); err != nil {
		return err
	}
	defer r.endExport()
	writer, err := data.Create(r.out, schema)
	if err != nil {
		return fileProblem("out", r.tableName(), err)
	}
	stopped, err := untilEnd(c.Context, func() error {
		return r.run(c.Context, data.SinkFunc(func(columns ...data.Values) error {
			return errors.Join(c.Context.Err(), writer.Write(columns...))
		}))
	})
	if err != nil {
		if stopped {
			writer.Abort()
		}
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	if err := r.exportTable(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.stdout, "Wrote %s from %s.\n", r.tableName(),
		wording.Count(len(shards.Readers), "shard"))
	return err
}
