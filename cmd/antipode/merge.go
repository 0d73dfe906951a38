package main

import (
	"io"
	"slices"

	"antipode/experiments"
	"antipode/experiments/wording"

	"github.com/urfave/cli/v2"
)

func mergeCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(stdout, stderr)
	r.destination.addOut(&r.flagSet, "must be given")
	r.destination.addPlot(&r.flagSet, "none")
	return &cli.Command{
		Name:      "merge",
		Usage:     "the table of a whole run from those of its shards",
		ArgsUsage: "SHARD.arrow...",
		Description: `Puts the tables of all shards of one run, given in any order, together: counts are
added, and intervals and theory are computed from the sums; rows come in the order of
trajectories. The file is that of a run that was not spread, byte for byte, and so are the
report and the figure that --plot asks for. It is an error, which names the file, if a
shard is missing, is there twice, or is of another run. Memory is one batch of rows of
each shard.

Example: antipode merge --out phase.arrow phase-*-of-4.arrow`,
		Flags: r.flags,
		Action: func(c *cli.Context) error {
			if err := r.apply(); err != nil {
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
	r.from = " from " + wording.Count(len(shards.Readers), "shard")
	r.beginLog(r.experiment.Name(), r.options.Seed)
	return writeFiles(c.Context, []*runner{r}, c.Args().Slice()...)
}
