package main

import (
	"io"

	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func stabilityCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(experiments.NewStability(), stdout, stderr)
	r.addFiles()
	return &cli.Command{
		Name:  "stability",
		Usage: "how long two opposite clusters of unequal size last, simulated and from theory",
		Description: `Starts tokens as two exactly opposite clusters, simulates the normalised Transformer
recursion until they have come together, and measures how long their overlap takes from
-1 to 0 and at what rate the slower half of the trajectories end; the theory of the
limiting diffusion stands beside. Clusters of equal size would stay opposite for ever.
Lifetimes grow like e^2β with softmax, and so does the time that a run takes.

Example: antipode stability --masses 1,2/1,3/2,3 --beta 2.5 --trajectories 1000`,
		Flags:  r.flags,
		Action: r.toFiles,
	}
}
