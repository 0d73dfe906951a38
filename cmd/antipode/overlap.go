package main

import (
	"io"

	"antipode/data"
	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

func overlapCommand(stdout, stderr io.Writer) *cli.Command {
	r := newRunner(experiments.NewOverlap(), stdout, stderr)
	r.addOut("no file")
	var asJSON bool
	r.addSwitch("json", "print JSON", &asJSON)
	return &cli.Command{
		Name:  "overlap",
		Usage: "the theory of two tokens: what attracts, and with what probability",
		Description: `Prints the boundary classes of the overlap of two tokens and the probability of
each outcome, from the scale function; nothing is simulated. With --json an object
for one point, a list of them for a grid; null is what is not computed or not
defined. With --out the table too.

Example: antipode overlap --dim 8 --beta 3 --json`,
		Flags: r.flags,
		Action: func(c *cli.Context) error {
			if err := r.configure(c); err != nil {
				return err
			}
			table := data.NewTable(experiments.Schema(r.experiment, r.options.Seed))
			if err := r.run(c.Context, table.Append); err != nil {
				return err
			}
			if r.out != "" {
				if err := data.WriteFile(r.out, table); err != nil {
					return usagef("--out %s: %v", quoteIfNeeded(r.out), err)
				}
			}
			if asJSON {
				return printJSON(stdout, table)
			}
			return r.experiment.Describe(stdout, table)
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
