package main

import (
	"io"

	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func tokensCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(experiments.NewTokens(), stdout, stderr)
	r.addFiles()
	r.addPaper()
	return &cli.Command{
		Name:  "tokens",
		Usage: "antipodal pairs among many tokens against β (Fig. 6)",
		Description: `Simulates tokens of the normalised Transformer recursion from independent uniform
starts, for each number of tokens and each β, and counts how often at least one pair
is antipodal at the horizon, and how often all tokens are in one cluster or in two
opposite ones. At short horizons pairs among many tokens are often there by chance.

Example: antipode tokens --tokens 3 --beta 2.5 --horizon 100 --depth 100 --trajectories 1000`,
		Flags:  r.flags,
		Action: r.toFiles,
	}
}
