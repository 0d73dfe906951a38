package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"antipode/cmd/antipode/interruption"
	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/simulate"
	"antipode/internal/lists"
	"antipode/sphere/must"
)

// smallRun returns the arguments of a run that takes some milliseconds.
func smallRun(more ...string) []string {
	return append([]string{"simulate", "--dim", "3", "--beta", "1", "--trajectories", "10", "--depth", "10",
		"--horizon", "20", "--law", "rademacher", "--quiet"}, more...)
}

// leaveUnconverted writes the hidden table that a run with these arguments would leave if it were killed
// before its table was converted.
func leaveUnconverted(t *testing.T, hidden string, arguments ...string) {
	t.Helper()
	succeed(t, append(arguments, "--out", "same.arrow")...)
	must.Do(t, os.Rename("same.arrow", hidden))
}

// A signal ends the conversion of a table to another format; the whole table stays in the hidden file.
func TestInterruptedConversion(t *testing.T) {
	t.Chdir(t.TempDir())
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, out := range []string{"t.csv", "t.parquet"} {
		for _, keeps := range []bool{true, false} {
			r := experimentRunner(simulate.New(), io.Discard, io.Discard)
			r.out, r.keeps = out, keeps
			must.Do(t, r.destination.begin(r.experiment, r.schema()))
			hidden := r.out
			leaveUnconverted(t, hidden, smallRun()...)
			err := r.finish(ended)
			r.end()
			if !errors.As(err, new(interruption.Error)) || !strings.Contains(err.Error(), hidden) ||
				strings.Contains(err.Error(), "--resume") != keeps {
				t.Errorf("%s: error %v", out, err)
			}
			if left := filesIn(t); !slices.Equal(left, []string{hidden}) {
				t.Errorf("%s: there are %s", out, left)
			}
			must.Do(t, os.Remove(hidden))
		}
	}
}

// A signal while the figure is drawn leaves the whole table in the hidden file. The message says how to
// convert it.
func TestInterruptedBeforeConversion(t *testing.T) {
	t.Chdir(t.TempDir())
	r := experimentRunner(simulate.New(), io.Discard, io.Discard)
	r.out, r.plot, r.keeps = "t.csv", "t.svg", true
	must.Do(t, r.destination.begin(r.experiment, r.schema()))
	defer r.end()
	leaveUnconverted(t, r.out, smallRun()...)
	synctest.Test(t, func(t *testing.T) {
		released := make(chan struct{})
		r.experiment = lastingFigure{simulate.New(), released}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := r.finish(ctx)
		want := "interrupted; .t.csv.arrow has the whole table, and the same command with --resume " +
			"converts it"
		if !errors.As(err, new(interruption.Error)) || err.Error() != want {
			t.Errorf("%v", err)
		}
		close(released)
		synctest.Wait()
	})
}

// lastingFigure is an experiment whose figure is not drawn before it is released.
type lastingFigure struct {
	*simulate.Experiment
	released <-chan struct{}
}

func (l lastingFigure) Draw(*data.Table) (*figure.Figure, error) {
	<-l.released
	return nil, figure.ErrNone
}

// filesIn returns the names of the files in the working folder.
func filesIn(t *testing.T) []string {
	t.Helper()
	return lists.Map(must.Get(os.ReadDir("."))(t), os.DirEntry.Name)
}

// A whole table that has not been converted to another format is neither replaced unasked nor computed again.
func TestUnconvertedTable(t *testing.T) {
	for _, out := range []string{"t.csv", "t.parquet"} {
		t.Chdir(t.TempDir())
		with := func(more ...string) []string { return smallRun(append(more, "--out", out)...) }
		succeed(t, with()...)
		want := must.Get(os.ReadFile(out))(t)
		for _, earlier := range []bool{true, false} { // whether the file of an earlier conversion is there
			leaveUnconverted(t, "."+out+".arrow", smallRun()...)
			if !earlier {
				must.Do(t, os.Remove(out))
			}
			before := listing(t)
			refuse(t, []string{"--out " + out, "." + out + ".arrow", "may already be converted", "--resume",
				"--restart"}, with()...)
			refuse(t, []string{"--out " + out, "--resume", "--restart"}, with("--seed", "2")...)
			refuse(t, []string{"--resume", "another run", "--restart"}, with("--seed", "2", "--resume")...)
			if listing(t) != before {
				t.Errorf("%s: other files", out)
			}
			if said := succeed(t, with("--resume")...); !strings.HasSuffix(said,
				"\nWrote "+out+" from the whole table in ."+out+".arrow.\n") {
				t.Errorf("%s: %q", out, said)
			}
			if got := must.Get(os.ReadFile(out))(t); !bytes.Equal(got, want) || len(filesIn(t)) > 1 {
				t.Errorf("%s: another table, or one of the files %s", out, filesIn(t))
			}
		}
		leaveUnconverted(t, "."+out+".arrow", smallRun()...)
		succeed(t, with("--seed", "2", "--restart")...)
		if got := must.Get(os.ReadFile(out))(t); bytes.Equal(got, want) || len(filesIn(t)) > 1 {
			t.Errorf("%s: not the new table, or one of the files %s", out, filesIn(t))
		}
	}
}

// If a run with several tables is killed after the conversion of the first, --resume converts the others.
func TestResumeOfSeveralConversions(t *testing.T) {
	t.Chdir(t.TempDir())
	several := smallRun("--save", "outcomes,overlaps", "--out", "t.csv")
	succeed(t, several...)
	want := listing(t)
	for _, kind := range []string{"outcomes", "overlaps"} {
		leaveUnconverted(t, ".t-"+kind+".csv.arrow", smallRun("--save", kind)...)
	}
	must.Do(t, os.Remove("t-overlaps.csv"))
	succeed(t, append(several, "--resume")...)
	if got := listing(t); got != want {
		t.Errorf("files %s, want %s", got, want)
	}
}

// A table that has no figure, because it has the states of several ensembles, is not said to be drawn.
func TestResumeOfACompleteConversionWithoutAFigure(t *testing.T) {
	t.Chdir(t.TempDir())
	run := smallRun("--seed", "1,2", "--save", "outcomes,states", "--out", "t.parquet", "--plot", "t.svg")
	succeed(t, run...)
	want := "t-outcomes.parquet was already complete; nothing was computed.\n" +
		"t-outcomes.svg was not drawn again.\n" +
		"t-states.parquet was already complete; nothing was computed.\n"
	if said := succeed(t, append(run, "--resume")...); said != want {
		t.Errorf("%q", said)
	}
}

// The figure of a complete table in another format than Arrow cannot be drawn again: --resume says so, and
// refuses to go on if the figure is missing.
func TestResumeOfACompleteConversionWithAFigure(t *testing.T) {
	t.Chdir(t.TempDir())
	with := func(more ...string) []string { return smallRun(append(more, "--out", "t.parquet")...) }
	succeed(t, with()...)
	refuse(t, []string{"--plot t.svg", "t.parquet", "--restart"}, with("--resume", "--plot", "t.svg")...)
	succeed(t, with("--plot", "t.svg")...)
	if said := succeed(t, with("--resume", "--plot", "t.svg")...); said != "t.parquet was already complete; "+
		"nothing was computed.\nt.svg was not drawn again.\n" {
		t.Errorf("%q", said)
	}
}
