package main

import (
	"io"

	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func fieldCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(experiments.NewField(), stdout, stderr)
	r.addFiles()
	return &cli.Command{
		Name:  "field",
		Usage: "the attention field on the circle, raw and projected (Fig. 1)",
		Description: `Computes what a token at each of some points of the circle attends to, among itself
and fixed tokens, and its projection to the tangent there, which is all that a
normalised token can follow. Writes a table and a figure with an arrow a point.

Example: antipode field --beta 4 --angles 0,90,200 --attention softmax`,
		Flags:  r.flags,
		Action: r.toFiles,
	}
}
