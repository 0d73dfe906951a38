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
		Usage:     "merges the tables of all shards of a run",
		ArgsUsage: "SHARD.arrow...",
		Description: `Merges the tables of all shards of one run, given in any order. Counts are
added, and intervals and theory are computed from the sums. Rows are in the order of trajectories.
The file is byte for byte the file of a run without shards. The report and the figure of --plot are
those of a run without shards too. A shard that is missing, is given twice or belongs to another run
is an error, which names the file. Memory holds one batch of rows of each shard.

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

// merge opens the shards of a run, which are the arguments of the command merge, and writes the table of the
// complete run.
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
