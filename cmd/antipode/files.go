package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"antipode/cmd/antipode/interruption"
	"antipode/cmd/antipode/terminal"
	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"

	"github.com/urfave/cli/v2"
)

// toFiles is the action of a command that writes files. The action runs the experiment of the command, writes
// its table and figure, and prints what they show. Without --out the files have the name of the command. If
// --save names several tables of a joint experiment, one run writes all of them, each to a file with the name
// of the table.
func (r *runner) toFiles(c *cli.Context) error {
	if err := r.take(c); err != nil {
		return err
	}
	var runs []*runner
	configure := func() (err error) { // may read large files, and so take time
		runs, err = r.tables()
		return err
	}
	if _, err := interruption.UntilEnd(c.Context, configure); err != nil {
		return err
	}
	r.beginLog(r.experiment.Name(), r.options.Seed)
	if r.out == standardOutput {
		return r.toStdout(c.Context)
	}
	if err := checkDrawable(runs); err != nil {
		return err
	}
	for _, one := range runs {
		one.nameFiles()
	}
	return writeFiles(c.Context, runs)
}

// checkDrawable returns an error if --plot is given but no table that the run writes has a figure.
func checkDrawable(runs []*runner) (err error) {
	for _, one := range runs {
		drawer, some := one.experiment.(run.Drawer)
		if one.plot == "" || !some {
			return nil
		}
		if err = drawer.Drawable(); err == nil {
			return nil
		}
	}
	return usagef("--plot %s: %v; must be left out", wording.Quoted(runs[0].plot), err)
}

// tables returns the configured runner or, if the run writes several tables, one configured runner for each
// table.
func (r *runner) tables() ([]*runner, error) {
	save := r.given[run.SaveParameter]
	if _, joint := r.experiment.(run.Joint); !joint || !strings.Contains(save, ",") {
		return []*runner{r}, r.setParameters()
	}
	kinds, err := kindsOf(r.experiment, save)
	if err != nil {
		return nil, err
	}
	if r.out == standardOutput {
		return nil, usagef("--out -: takes one table; must be a file for --save %s", save)
	}
	var runs []*runner
	for _, kind := range kinds {
		one := *r
		one.experiment = experiments.MustByName(r.experiment.Name())
		one.given = maps.Clone(r.given)
		one.given[run.SaveParameter], one.saved = kind, kind
		one.out, one.plot = withKind(r.out, kind), withKind(r.plot, kind)
		if err := one.setParameters(); err != nil {
			return nil, err
		}
		runs = append(runs, &one)
	}
	return runs, nil
}

// kindsOf returns the names of the tables that --save lists.
func kindsOf(e run.Experiment, save string) ([]string, error) {
	value := parameter.ByName(e.Parameters(), run.SaveParameter).Value.(parameter.Chooser)
	kinds := strings.Split(save, ",")
	for k, kind := range kinds {
		if !slices.Contains(value.Options(), kind) || slices.Contains(kinds[:k], kind) {
			return nil, usagef("--save %s: must be %s, or several different ones, separated by commas",
				wording.Quoted(save), value.Allowed())
		}
	}
	return kinds, nil
}

// withKind inserts the name of a table before the extension of a file name; an empty path stays empty.
func withKind(path, kind string) string {
	if path == "" {
		return ""
	}
	ending := filepath.Ext(path)
	return strings.TrimSuffix(path, ending) + "-" + kind + ending
}

// nameFiles names the output files for which no flag was given. Different figures of one command get
// different file names.
func (r *runner) nameFiles() {
	name := r.experiment.Name()
	r.unnamed = r.out == "" && r.plot == ""
	for _, more := range []string{r.given[run.FigureParameter], r.saved} {
		if more != "" {
			name += "-" + more
		}
	}
	part := r.options.Part
	switch {
	case r.out != "":
	case part.Of > 0:
		r.out = fmt.Sprintf("%s-%d-of-%d%s", name, part.Number, part.Of, tableExtensions[0])
	default:
		r.out = name + tableExtensions[0]
		if r.plot == "" {
			r.plot = name + figure.Extensions[0]
		}
	}
}

// writeFiles writes the tables of runs on the same trajectories, and their figures, and prints what they
// show. For a table that is already complete, writeFiles only prints that the table is complete. The output
// files must not be among the inputs.
func writeFiles(ctx context.Context, runs []*runner, inputs ...string) error {
	var begun []*runner
	for _, r := range runs {
		err := r.destination.begin(r.experiment, r.schema(), inputs...)
		switch {
		case err != nil:
			return err
		case r.whole:
			fmt.Fprint(r.stdout, r.written("", r.out)) // an error is kept by the writer
			if r.draws(r.experiment) {
				// begin has checked that the figure exists
				fmt.Fprintf(r.stdout, "%s was not drawn again.\n", r.plot)
			}
			continue
		}
		defer r.end()
		begun = append(begun, r)
	}
	if err := writeTables(ctx, begun); err != nil {
		return err
	}
	for _, r := range begun {
		if err := r.finish(ctx); err != nil {
			return err
		}
	}
	return nil
}

// finish draws the figure of the complete table, converts the table to the format of its file, and prints
// what the table shows. The figure is drawn before the conversion, because a run that is resumed after the
// conversion draws no figure. For a shard, finish prints only which files were written, as the counts of a
// single shard mean little.
func (r *runner) finish(ctx context.Context) error {
	if part := r.options.Part; part.Of > 0 {
		more := fmt.Sprintf(", shard %s; antipode merge puts all of them together", run.FormatShard(part))
		_, err := io.WriteString(r.stdout, r.written(more, r.out))
		return err
	}
	var table *data.Table
	var drawn error
	_, err := interruption.UntilEnd(ctx, func() (err error) {
		defer r.picture.Abort()
		if _, table, err = experiments.Read(r.out); err == nil {
			drawn = writeFigure(r.picture, r.plot, r.experiment, table)
		}
		return err
	})
	if err == nil {
		if err = r.exportTable(ctx); err == nil {
			_, err = interruption.UntilEnd(ctx, func() error { return r.show(table, drawn) })
		}
	}
	if interruption.EndedBy(ctx, err) {
		return interruption.Error{Remains: r.remains()}
	}
	return err
}

// show prints what the table shows, and which files were written. The argument drawn is the error of drawing
// the figure.
func (r *runner) show(table *data.Table, drawn error) error {
	described := terminal.Describe(r.stdout, r.experiment, table)
	files := []string{r.tableName()}
	switch {
	case errors.Is(drawn, figure.ErrNone): // the table has no figure, but it can be described
		fmt.Fprintf(r.stdout, "No figure: %s.\n",
			wording.Abbreviated(drawn.Error(), wording.MessageColumns-20))
	case drawn != nil:
		return drawn
	case r.plot != "":
		files = append(files, r.plot)
	}
	if described != nil {
		return described
	}
	_, err := io.WriteString(r.stdout, r.written("", files...))
	return err
}

// toStdout runs the experiment and writes its table, and nothing else, to standard output.
func (r *runner) toStdout(ctx context.Context) error {
	switch {
	case r.past.given() != "":
		return usagef("--%s: keeps finished work beside a file; must be used without --out -",
			r.past.given())
	case r.plot != "":
		return usagef("--plot %s: --out - writes no figure; must be left out", wording.Quoted(r.plot))
	case terminal.Screen(r.stdout) != nil:
		return usagef("--out -: standard output is a terminal, and a table is not text; " +
			"must be a pipe or a file")
	}
	writer, err := data.Stream(r.stdout, "standard output", r.schema())
	if err != nil {
		return err
	}
	if _, err := interruption.UntilEnd(ctx, func() error { return r.run(ctx, writer) }); err != nil {
		return err
	}
	return writer.Close()
}
