package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// destination says to which files the table of a run and its figure are written.
type destination struct {
	out, plot string // names of the files of table and figure; "" for no file
	keeps     bool   // whether finished work is stored next to the file of the table
	past      pastFlags
	export    *export
	picture   *durable.Replacement
	saved     string // name of the written table, if one run writes several
	from      string // what messages say about the origin of the rows
	whole     bool   // whether the complete table existed before the run
	unnamed   bool   // whether no flag names the files of table and figure
}

var tableExtensions = []string{".arrow", ".parquet", ".csv"}

// addOut adds the flag --out, for the file of the table. The text without is the part of its help that says
// what happens if the flag is not given.
func (d *destination) addOut(flags *flagSet, without string) {
	d.addTable(flags, pathValue(&d.out, tableExtensions), without)
}

// addStream adds the flag --out, as addOut does, for a table that can also be written to standard output.
func (d *destination) addStream(flags *flagSet, without string) {
	d.addTable(flags, streamValue(&d.out), without)
}

func (d *destination) addTable(flags *flagSet, value parameter.Value, without string) {
	flag := flags.addFlag(parameter.Parameter{Name: "out", Meaning: "the table's file", Value: value})
	flag.DefaultText = without
}

// addPlot adds the flag --plot, for the file of the figure. The text without is the part of its help that
// says what happens if the flag is not given.
func (d *destination) addPlot(flags *flagSet, without string) {
	flag := flags.addFlag(parameter.Parameter{Name: "plot", Meaning: "the figure's file",
		Value: pathValue(&d.plot, figure.Extensions)})
	flag.DefaultText = without
}

// begin opens the output files of a run before any work is done, so that a bad file name is found at once.
// The output files must neither be input files of the experiment nor files in inputs. If a run is resumed and
// its complete table already exists in a format other than Arrow, begin only sets d.whole.
func (d *destination) begin(e run.Experiment, schema data.Schema, inputs ...string) (err error) {
	inputs = append(inputs, run.Inputs(e)...)
	for flag, path := range map[string]string{"out": d.out, "plot": d.plot} {
		if err := checkOutput(flag, path, inputs...); err != nil {
			return err
		}
	}
	if err := d.beginExport(schema); err != nil {
		return err
	}
	if d.whole {
		return d.checkDrawn(e)
	}
	if d.plot == "" {
		return nil
	}
	if d.picture, err = durable.NewReplacement(d.plot); err != nil {
		d.endExport()
		return d.problem("plot", d.plot, err)
	}
	return nil
}

// draws reports whether a figure is requested, and the table of the experiment may have one.
func (d *destination) draws(e run.Experiment) bool {
	drawer, some := e.(run.Drawer)
	return d.plot != "" && (!some || drawer.Drawable() == nil)
}

// checkDrawn returns an error if a figure is requested of a complete table in a format other than Arrow, from
// which no figure can be drawn, and the table may have a figure that is missing.
func (d *destination) checkDrawn(e run.Experiment) error {
	if !d.draws(e) {
		return nil
	}
	if _, err := os.Stat(d.plot); err == nil {
		return nil
	}
	return usagef("--plot %s: %s is complete, but only Arrow files can be plotted; must be left out, or "+
		"used with --restart instead of --resume", wording.Quoted(d.plot), d.out)
}

// problem turns the error of opening an output file into an error that names the flag of the file. If no flag
// names the file, the returned error has the name of the file and says how to choose another name.
func (d *destination) problem(flag, path string, err error) error {
	err = fileProblem(flag, path, err)
	if d.unnamed {
		text := strings.TrimPrefix(err.Error(), "--"+flag+" ") + "; --out FILE writes elsewhere"
		if errors.As(err, new(usageError)) {
			return usageError{text}
		}
		return errors.New(text)
	}
	return err
}

// end removes the unfinished output files of the run.
func (d *destination) end() {
	d.picture.Abort()
	d.endExport()
}

// written returns the message that names the written files, beginning with the file of the table. The
// argument more is a text that follows the names of the files.
func (d *destination) written(more string, files ...string) string {
	said := "Wrote " + strings.Join(files, " and ") + d.from + more
	switch {
	case d.whole && d.export != nil:
		said += " from the whole table in " + d.out
	case d.whole:
		said = fmt.Sprintf("%s was already complete%s; nothing was computed", files[0], more)
		if len(files) > 1 {
			said += ", and " + strings.Join(files[1:], " and ") + " drawn again"
		}
	}
	return said + ".\n"
}

// checkOutput returns an error if the output file at path is one of the input files, even under another name.
func checkOutput(flag, path string, inputs ...string) error {
	there, err := os.Stat(path)
	if err != nil {
		return nil // the output file does not exist yet
	}
	for _, input := range inputs {
		if info, err := os.Stat(input); err == nil && os.SameFile(there, info) {
			return usagef("--%s %s: is read by the run; must be another file", flag, wording.Quoted(path))
		}
	}
	return nil
}
