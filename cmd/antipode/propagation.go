package main

import (
	"io"

	"antipode/data"
	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func propagationCommand(stdout, stderr io.Writer) *cli.Command {
	e := experiments.NewPropagation()
	r := newRunner(e, stdout, stderr)
	r.addFiles()
	r.addPaper()
	var asJSON bool
	r.addSwitch("json", "print JSON, and write files only where --out or --plot say so", &asJSON)
	return &cli.Command{
		Name:  "propagation",
		Usage: "norm and overlap of tokens through the layers of a Transformer, in theory",
		Description: `Follows the squared norm q and the overlap p of tokens, both per dimension, through
Transformer blocks at initialisation, in the limit of many tokens or for T of them,
without simulation: a curve for each combination of --block, --beta, --alpha-sa and
--sigma-w2. Writes a table and a figure, and says where the curves end. With --json an
object for one curve, a list of them for more, each with a list 'layers' of layer, q,
p, cosine, from the input, layer 0, on. Finite T takes up to a second a layer.

Examples: antipode propagation --block pre-norm --start 0.1 --layers 10 --json
          antipode propagation --paper --figure 1d`,
		Flags: r.flags,
		Action: func(c *cli.Context) error {
			if err := r.value("figure").apply(); err != nil { // the preset depends on it
				return err
			}
			if !asJSON {
				return r.toFiles(c)
			}
			return r.printed(c, func(table *data.Table) error { return e.WriteJSON(stdout, table) })
		},
	}
}
