package main

import (
	"io"

	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func phaseCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(experiments.NewPhase(), stdout, stderr)
	r.addFiles()
	r.addPaper()
	return &cli.Command{
		Name:  "phase",
		Usage: "antipodal probability of two tokens over dimension and β, simulated and from theory (Fig. 3)",
		Description: `Simulates two tokens of the normalised Transformer recursion from independent
uniform starts, for each dimension and β, and counts how many end as two opposite
clusters; beside it stands the probability from the scale function of the limiting
diffusion. Writes a table and a figure, and says what they show.

Example: antipode phase --dim 4 --beta 0.3,1.5 --trajectories 4000 --depth 100 --horizon 50`,
		Flags:  r.flags,
		Action: r.toFiles,
	}
}
