package main

import (
	"io"

	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func attentionPhaseCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(experiments.NewAttentionPhase(), stdout, stderr)
	r.addFiles()
	r.addPaper()
	return &cli.Command{
		Name:  "attention-phase",
		Usage: "a layer of attention as a random energy model: spread or condensed",
		Description: `Computes what a row of the attention matrix is like at initialisation, over the scale
of query and key weights and the cosine of the tokens: participation ratios, entropy,
and the cosine of the tokens behind the layer, in the limit of many tokens or, by
quadrature over the partition function, for T of them. Writes a table and a figure.

Example: antipode attention-phase --tokens 512 --rho 0,0.5 --beta 0:4:0.1`,
		Flags:  r.flags,
		Action: r.toFiles,
	}
}
