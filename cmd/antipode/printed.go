package main

import (
	"io"

	"antipode/data"
	"antipode/experiments"

	"github.com/urfave/cli/v2"
)

// addPrinting adds the flags of an experiment that prints what it finds and writes files
// only if it is told to, and returns its action.
func (r *runner) addPrinting() cli.ActionFunc {
	r.addOut("none")
	r.addPlot("none")
	var asJSON bool
	r.addSwitch("json", "print JSON", &asJSON)
	return func(c *cli.Context) error {
		if err := r.configure(c); err != nil {
			return err
		}
		figure, err := r.createFigure()
		if err != nil {
			return err
		}
		defer figure.abort()
		table := data.NewTable(experiments.Schema(r.experiment, r.options.Seed))
		if err := r.run(c.Context, table.Append); err != nil {
			return err
		}
		if r.out != "" {
			if err := data.WriteFile(r.out, table); err != nil {
				return usagef("--out %s: %v", quoteIfNeeded(r.out), err)
			}
		}
		if err := figure.draw(r.experiment, table); err != nil {
			return err
		}
		if asJSON {
			return printJSON(r.stdout, table)
		}
		return r.experiment.Describe(r.stdout, table)
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
