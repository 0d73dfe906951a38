package simulate

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// The report and the figure of a table stay the same when the files that the run read have been removed.
func TestTablesOutliveTheirFiles(t *testing.T) {
	folder := t.TempDir()
	matrix, states := filepath.Join(folder, "B.txt"), filepath.Join(folder, "states.arrow")
	must.Do(t, os.WriteFile(matrix, []byte("1 0.5 0 0\n-2 0.25 0 0\n0 0 1 0\n0 0 0 1\n"), 0o666))
	must.Do(t, data.WriteFile(states, experimenttest.Table(t, smallSimulation(saveStates), run.Options{})))
	type shown struct {
		report string
		figure *figuretest.Recording
	}
	show := func(table *data.Table) shown {
		var report strings.Builder
		must.Do(t, New().Describe(&report, table))
		return shown{report.String(), figuretest.Figure(must.Get(New().Draw(table))(t))}
	}
	var tables []*data.Table
	var before []shown
	for _, save := range []string{saveOutcomes, saveOverlaps, saveStates, saveSummary, saveAttention} {
		for _, given := range []map[string]string{
			{"save": save, "interaction": matrix},
			{"save": save, "start": states},
			{"save": save, "interaction": matrix, "start": states, "beta": "0.5,1"},
		} {
			several := save == saveOutcomes || save == saveSummary // whether several β have a figure
			if given["beta"] != "" && !several {
				continue
			}
			s := smallSimulation(save)
			_, err := run.Configure(s, given, false)
			must.Do(t, err)
			table := experimenttest.Table(t, s, run.Options{})
			tables, before = append(tables, table), append(before, show(table))
		}
	}
	must.Do(t, os.Remove(matrix))
	must.Do(t, os.Remove(states))
	for k, table := range tables {
		if !reflect.DeepEqual(show(table), before[k]) {
			t.Errorf("table %d is shown differently without its files", k)
		}
	}
}
