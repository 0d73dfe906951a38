package main

import (
	"errors"
	"io"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/spectrum"

	"github.com/urfave/cli/v2"
)

// addPrinting adds the flags of an experiment that prints what it finds and writes files
// only if asked to, and returns its action.
func (r *runner) addPrinting() cli.ActionFunc {
	r.addOut("none")
	r.addPlot("none")
	var asJSON bool
	r.addSwitch("json", "print JSON", &asJSON)
	return func(c *cli.Context) error {
		return r.printed(c, func(table *data.Table) error {
			if asJSON {
				return printJSON(r.stdout, table)
			}
			return r.describe(table)
		})
	}
}

// summarizer is an experiment that says what its table shows in JSON.
type summarizer interface {
	WriteJSON(w io.Writer, table *data.Table) error
}

// addFilesOrJSON adds the flags of an experiment that prints JSON or else writes files, and
// returns its action.
func (r *runner) addFilesOrJSON(e summarizer) cli.ActionFunc {
	r.addFiles()
	var asJSON bool
	r.addSwitch("json", "print JSON, and write files only where --out or --plot say so", &asJSON)
	return func(c *cli.Context) error {
		if !asJSON {
			return r.toFiles(c)
		}
		return r.printed(c, func(table *data.Table) error { return e.WriteJSON(r.stdout, table) })
	}
}

// printed is the action of a command that prints what its table shows, and writes files
// only if asked to.
func (r *runner) printed(c *cli.Context, show func(table *data.Table) error) error {
	if err := r.configure(c); err != nil {
		return err
	}
	switch {
	case r.past.given() != "":
		return usagef("--%s: with --json nothing is kept; must go without --json", r.past.given())
	case r.options.Part.Of > 0:
		return usagef("--shard %s: a shard has nothing to print; must go without --json", r.shards.shard)
	case r.out == standardOutput:
		return usagef("--out -: the command prints to standard output already; must be %s",
			pathValue{&r.out, tableExtensions}.Allowed())
	}
	if s, ok := r.experiment.(*spectrum.Experiment); ok {
		s.Brief = r.out == "" && r.plot == "" // what else there is to compute is for files
	}
	if err := r.checkOutputs(); err != nil {
		return err
	}
	picture, err := r.createFigure()
	if err != nil {
		return err
	}
	defer picture.abort()
	table := data.NewTable(run.Schema(r.experiment, r.options.Seed))
	if _, err := r.beginExport(table.Schema); err != nil {
		return err
	}
	defer r.endExport()
	file, err := createTable(r.out, table.Schema)
	if err != nil {
		return err
	}
	defer file.abort()
	if _, err := untilEnd(c.Context, func() error { return r.run(c.Context, table) }); err != nil {
		return err
	}
	if err := file.save(table); err != nil {
		return err
	}
	if err := r.exportTable(); err != nil {
		return err
	}
	if err := picture.draw(r.experiment, table); err != nil && !errors.Is(err, figure.ErrNone) {
		return err
	}
	return show(table)
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
