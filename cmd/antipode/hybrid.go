package main

import (
	"io"

	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func hybridCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(experiments.NewHybrid(), stdout, stderr)
	r.addFiles()
	r.addPaper()
	return &cli.Command{
		Name:  "hybrid",
		Usage: "outcomes of two tokens over β and the noise amplitude of the hybrid model, simulated and from theory (Fig. 4)",
		Description: `Simulates two tokens of the hybrid recursion, whose value matrix is the identity plus
a random scalar, from independent uniform starts, for each β and noise amplitude ε;
beside each cell stand the probabilities of the limiting diffusion, at the horizon and
in the end. With unnormalized attention one threshold, ε² = 2e^-β, divides the two
outcomes. With softmax there are two, and both outcomes are possible between them.
A recursion follows its limit where depth is large against (ε e^β)².

Example: antipode hybrid --attention softmax --beta 1 --epsilon 1:1.5:0.05 --depth 100 --trajectories 1000`,
		Flags:  r.flags,
		Action: r.toFiles,
	}
}
