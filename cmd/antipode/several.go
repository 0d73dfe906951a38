package main

import (
	"path/filepath"
	"slices"
	"strings"

	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/simulate"

	"github.com/urfave/cli/v2"
)

// toFilesOfEach is toFiles, and where --save of simulate names several tables of one run all of them, from
// the same trajectories, in files that have their names.
func (r *runner) toFilesOfEach(c *cli.Context) error {
	if err := r.takeGiven(c); err != nil {
		return err
	}
	save := r.given["save"]
	e, together := r.experiment.(*simulate.Experiment)
	if !together || !strings.Contains(save, ",") {
		return r.toFiles(c)
	}
	kinds, err := kindsOf(e, save)
	if err != nil {
		return err
	}
	given := map[*valueFlag]string{}
	for _, name := range []string{"out", "plot"} {
		if flag := r.valueOf(name); flag.text != nil {
			given[flag] = *flag.text
		}
	}
	if given[r.valueOf("out")] == standardOutput {
		return usagef("--out -: takes one table; must be a file for --save %s", save)
	}
	var runs []*runner
	for _, kind := range kinds {
		r.given["save"] = kind
		for flag, text := range given {
			named := withKind(text, kind)
			flag.text = &named
		}
		if _, err := untilEnd(c.Context, func() error { return r.setParameters() }); err != nil {
			return err
		}
		experiment, one := *e, *r
		one.experiment, one.saved = &experiment, kind
		runs = append(runs, &one)
	}
	r.startLog(r.stderr)
	r.logBegin()
	for _, one := range runs {
		one.log = r.log
	}
	return writeFiles(c.Context, runs)
}

// kindsOf are the tables that --save names.
func kindsOf(e run.Experiment, save string) ([]string, error) {
	value := parameter.ByName(e.Parameters(), "save").Value.(parameter.Choice)
	names, kinds := value.Names, strings.Split(save, ",")
	for k, kind := range kinds {
		if !slices.Contains(names, kind) || slices.Contains(kinds[:k], kind) {
			return nil, usagef("--save %s: must be %s, or different ones of them with commas between",
				quoteIfNeeded(save), value.Allowed())
		}
	}
	return kinds, nil
}

// withKind is the name of a file with that of a table before its ending.
func withKind(path, kind string) string {
	ending := filepath.Ext(path)
	return strings.TrimSuffix(path, ending) + "-" + kind + ending
}
