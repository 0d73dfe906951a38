package main

import (
	"io"

	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func evolveCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(experiments.NewEvolve(), stdout, stderr)
	r.addFiles()
	r.addPaper()
	return &cli.Command{
		Name:  "evolve",
		Usage: "fractions of the outcomes against time, of several models, dimensions and β (Figs. 7, 8, 9)",
		Description: `Simulates tokens from independent uniform starts and counts, at a hundred times up to
the horizon, how many trajectories have each outcome, and how many at least one
antipodal pair. Figure 7 is many tokens at a large β, 8 two tokens in several
dimensions below, about and above the threshold, with their theory, and 9 many tokens
with noise beside the deterministic flow. Two opposite clusters of unequal size come
together over decades of time, which --log-time shows.

Examples: antipode evolve --figure 9
          antipode evolve --tokens 3 --beta 2.5 --horizon 400 --depth 100 --log-time`,
		Flags:  r.flags,
		Action: r.toFiles,
	}
}
