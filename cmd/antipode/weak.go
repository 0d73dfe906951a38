package main

import (
	"io"

	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func weakCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(experiments.NewWeak(), stdout, stderr)
	r.addFiles()
	return &cli.Command{
		Name:  "weak",
		Usage: "error of the recursion and of SDE schemes against depth, on coupled paths",
		Description: `Runs the recursion over layers, with each law of its increments, and the schemes
euler, geodesic and heun of its limit in continuous time at several depths, all on
common Brownian paths, and compares the means of three functions of the overlap at the
horizon with those of the limit: from the Fokker-Planck equation for two tokens, else
with the greatest depth. Fits the order of the error, with its interval; and that of
the Talay-Tubaro extrapolation from each depth and the next.

Example: antipode weak --model hybrid --horizon 1 --depth 8,16,32,64 --trajectories 20000`,
		Flags:  r.flags,
		Action: r.toFiles,
	}
}
