package main

import (
	"io"

	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func trainabilityCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(experiments.NewTrainability(), stdout, stderr)
	r.addFiles()
	r.addPaper()
	return &cli.Command{
		Name:  "trainability",
		Usage: "which initialisations of a deep Transformer let the signal pass",
		Description: `Sends the norm and the overlap of tokens through a stack of Transformer blocks, in the
limit of many tokens, for each strength of attention's residual connection and each
scale of query and key weights. Tokens that become alike are rank collapse; a scale
above the critical one of some layer is entropy collapse. Writes a table and the
diagram with both lines of failure, and recommends an initialisation.

Example: antipode trainability --depth 24 --block pre-norm --collapse 0.9`,
		Flags:  r.flags,
		Action: r.toFiles,
	}
}
