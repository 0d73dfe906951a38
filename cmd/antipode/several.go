package main

import (
	"path/filepath"
	"slices"
	"strings"

	"antipode/experiments/parameter"

	"github.com/urfave/cli/v2"
)

// toFilesOfEach is toFiles, and where --save names several tables of one run each of them, one after the
// other, in files that have its name. The trajectories are the same.
func (r *runner) toFilesOfEach(c *cli.Context) error {
	save := r.valueOf("save")
	if save == nil || save.text == nil || !strings.Contains(*save.text, ",") {
		return r.toFiles(c)
	}
	names, text := save.parameter.Value.(parameter.Choice).Names, *save.text
	kinds := strings.Split(text, ",")
	for k, kind := range kinds {
		if !slices.Contains(names, kind) || slices.Contains(kinds[:k], kind) {
			return usagef("--save %s: must be %s, or different ones of them with commas between", quoteIfNeeded(text),
				save.parameter.Value.Allowed())
		}
	}
	given := map[string]*string{}
	for _, flag := range []string{"out", "plot"} {
		given[flag] = r.valueOf(flag).text
	}
	prepare := func(kind string) {
		save.text, r.saved, r.whole, r.export, r.out, r.plot = &kind, kind, false, nil, "", ""
		for flag, text := range given {
			if text != nil {
				named := withKind(*text, kind)
				r.valueOf(flag).text = &named
			}
		}
	}
	if given["out"] != nil && *given["out"] == standardOutput {
		return usagef("--out -: takes one table; must be a file for --save %s", text)
	}
	for _, kind := range kinds { // all that is wrong is found before any work
		prepare(kind)
		if err := r.configure(c); err != nil {
			return err
		}
	}
	for _, kind := range kinds {
		prepare(kind)
		if err := r.toFiles(c); err != nil {
			return err
		}
	}
	return nil
}

// withKind is the name of a file with that of a table before its ending.
func withKind(path, kind string) string {
	ending := filepath.Ext(path)
	return strings.TrimSuffix(path, ending) + "-" + kind + ending
}
