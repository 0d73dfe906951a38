package main

import (
	"io"

	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func simulateCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(experiments.NewSimulate(), stdout, stderr)
	r.addFiles()
	return &cli.Command{
		Name:  "simulate",
		Usage: "trajectories as they are: outcomes, overlaps or states at chosen times",
		Description: `Simulates tokens over the layers and saves, at time 0, every --every and at the
horizon, a row for each trajectory: its outcome; or one for each pair of tokens, with
their overlap; or the tokens themselves, a column x1, x2, … for each. Such states can
be the start of another run. The figure shows the fraction of each outcome, the
overlaps, or of the states of trajectory 0 the angles (d = 2) or the sphere (d = 3).
Beside the recursions over layers there are their limits in continuous time, the
models transformer-sde and hybrid-sde, with several schemes of step 1/depth.

Example: antipode simulate --tokens 50 --dim 3 --beta 4 --save states --every 0.1 --trajectories 1 --plot run.png`,
		Flags:  r.flags,
		Action: r.toFiles,
	}
}
