package main

import (
	"io"

	"antipode/data"
	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func overlapCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(experiments.NewOverlap(), stdout, stderr)
	r.addOut("none")
	r.addPlot("none")
	var asJSON bool
	r.addSwitch("json", "print JSON", &asJSON)
	return &cli.Command{
		Name:  "overlap",
		Usage: "the theory of two clusters: what attracts, with what probability, and for how long",
		Description: `Prints what the theory says of the overlap of two tokens, or of two clusters:
which ends attract and why, the probability of each outcome from the scale
function, at a horizon from the Fokker-Planck equation, the boundary in β, and how
long unequal clusters stay antipodal. Nothing is simulated, so --seed and --workers
change nothing. With --json an object for one point, a list of them for a grid; null
is what was not asked or is not defined. With --out the table too.

Examples: antipode overlap --dim 8 --beta 3 --json
          antipode overlap --masses 1,2 --beta 2.5
          antipode overlap --dim 3 --epsilon 1.2 --horizon 50`,
		Flags: r.flags,
		Action: func(c *cli.Context) error {
			return r.printed(c, func(table *data.Table) error {
				if asJSON {
					return printJSON(stdout, table)
				}
				return r.experiment.Describe(stdout, table)
			})
		},
	}
}

// printJSON prints the rows of a table as JSON objects: one alone, or a list.
func printJSON(w io.Writer, table *data.Table) error {
	var text []byte
	if table.Rows() == 1 {
		text = table.AppendRowJSON(text, 0)
	} else {
		separator := "[\n"
		for row := range table.Rows() {
			text = table.AppendRowJSON(append(text, separator...), row)
			separator = ",\n"
		}
		text = append(text, "\n]"...)
	}
	_, err := w.Write(append(text, '\n'))
	return err
}
