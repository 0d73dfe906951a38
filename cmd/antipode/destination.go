package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// destination says where the table of a run and its figure are written.
type destination struct {
	out, plot string // "" for none
	keeps     bool   // whether finished work is kept next to the table's file until the table is complete
	past      pastFlags
	export    *export
	picture   *figureFile
	saved     string // which of several tables of one run is written
	from      string // what messages say about the origin of the rows
	whole     bool   // whether the complete table was there already
	unnamed   bool   // whether no flag names the files of table and figure
}

var tableExtensions = []string{".arrow", ".parquet", ".csv"}

// addOut adds the flag for the file of the table. The text without says what happens if the flag is not
// given.
func (d *destination) addOut(flags *flagSet, without string) {
	d.addTable(flags, pathValue{&d.out, tableExtensions}, without)
}

// addStream is like addOut, for a table that can be written to standard output too.
func (d *destination) addStream(flags *flagSet, without string) {
	d.addTable(flags, streamValue{pathValue{&d.out, tableExtensions}}, without)
}

func (d *destination) addTable(flags *flagSet, value parameter.Value, without string) {
	flag := flags.addFlag(parameter.Parameter{Name: "out", Meaning: "the table's file", Value: value})
	flag.DefaultText = without
}

// addPlot adds the flag for the file of the figure. The text without says what happens if the flag is not
// given.
func (d *destination) addPlot(flags *flagSet, without string) {
	flag := flags.addFlag(parameter.Parameter{Name: "plot", Meaning: "the figure's file",
		Value: pathValue{&d.plot, figure.Extensions}})
	flag.DefaultText = without
}

// begin opens the output files before the work, so that a bad name is found before any work is done. The
// outputs must not be inputs of the experiment, nor files in inputs. If a run is resumed and its complete
// table already exists in a format other than Arrow, there is nothing to do.
func (d *destination) begin(e run.Experiment, schema data.Schema, inputs ...string) (err error) {
	inputs = append(inputs, run.Inputs(e)...)
	for flag, path := range map[string]string{"out": d.out, "plot": d.plot} {
		if err := checkOutput(flag, path, inputs...); err != nil {
			return err
		}
	}
	if err := d.beginExport(schema); err != nil || d.whole {
		return err
	}
	if d.picture, err = createFigure(d.plot); err != nil {
		d.endExport()
		return d.problem("plot", d.plot, err)
	}
	return nil
}

// problem adds the flag to an error of opening a file. If no flag names the file, the error has the name of
// the file and says how to choose another name.
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

// end removes unfinished files.
func (d *destination) end() {
	d.picture.abort()
	d.endExport()
}

// written returns the message that names the written files, first the file of the table. The text more
// follows the names.
func (d *destination) written(more string, files ...string) string {
	said := "Wrote " + strings.Join(files, " and ") + d.from + more
	if d.whole {
		said = fmt.Sprintf("%s was already complete%s; nothing was computed", files[0], more)
		if len(files) > 1 {
			said += ", and " + strings.Join(files[1:], " and ") + " drawn again"
		}
	}
	return said + ".\n"
}

// checkOutput returns an error if an output is one of the inputs, even under another name.
func checkOutput(flag, path string, inputs ...string) error {
	there, err := os.Stat(path)
	if err != nil {
		return nil // there is no file yet
	}
	for _, input := range inputs {
		if info, err := os.Stat(input); err == nil && os.SameFile(there, info) {
			return usagef("--%s %s: is read by the run; must be another file", flag, wording.Quoted(path))
		}
	}
	return nil
}
