package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/phase"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// A run that would overwrite an unfinished run, with the same parameters or others, is refused, and the
// message says how to resume or restart it; with --restart the unfinished run is discarded.
func TestNoRunIsGivenUpUnasked(t *testing.T) {
	longtest.Only(t)
	badFolder(t)
	keep := func() {
		r := experimentRunner(phase.New(), nil, nil)
		identity := must.Get(json.Marshal(r.schema().Metadata))(t)
		journal := must.Get(durable.OpenJournal("t.arrow.partial", string(identity), durable.DropPast))(t)
		must.Do(t, journal.Append(3, []byte("finished")))
		must.Do(t, journal.Close())
	}
	keep()
	small := []string{"phase", "--dim", "3", "--beta", "1", "--trajectories", "10", "--depth", "400",
		"--horizon", "1",
		"--quiet", "--out", "t.arrow"}
	refuse(t, []string{"--out t.arrow", "t.arrow.partial", "--resume", "--restart"}, small...)
	refuse(t, []string{"--out t.arrow", "t.arrow.partial", "--resume", "--restart"}, "phase", "--out",
		"t.arrow")
	refuse(t, []string{"--resume", "belongs to another run", "--restart"}, append(small, "--resume")...)
	refuse(t, []string{"--restart", "--resume"}, append(small, "--resume", "--restart")...)
	refuse(t, []string{"--restart", "file"}, "phase", "--out", "-", "--restart")
	refuse(t, []string{"--restart", "--json"}, "spectrum", "--json", "--restart")
	if said := succeed(t, append(small, "--restart")...); !strings.Contains(said, "Wrote t.arrow.") {
		t.Errorf("%q", said)
	}
	if _, err := os.Stat("t.arrow.partial"); err == nil {
		t.Error("the unfinished run is still there")
	}
	refuse(t, []string{"--restart", "needs --out"}, "rerun", "t.arrow", "--restart")
	must.Do(t, os.Rename("t.arrow", "u.arrow"))
	keep()
	refuse(t, []string{"--out t.arrow", "--restart"}, "rerun", "u.arrow", "--out", "t.arrow")
	succeed(t, "rerun", "u.arrow", "--out", "t.arrow", "--quiet", "--restart")
}

// succeed runs the program, which must succeed, and returns what it prints to standard output.
func succeed(t *testing.T, arguments ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := execute(t.Context(), append([]string{"antipode"}, arguments...), &stdout,
		&stderr); code != exitDone {
		t.Fatalf("%q: exit code %d: %s", arguments, code, &stderr)
	}
	return stdout.String()
}

// If a finished run is resumed, its table is checked and not computed again, unless the table is damaged.
func TestResumeOfAFinishedRun(t *testing.T) {
	longtest.Only(t)
	t.Chdir(t.TempDir())
	arguments := []string{"phase", "--dim", "3", "--beta", "1,2", "--trajectories", "10", "--depth", "50",
		"--horizon", "1", "--law", "rademacher",
		"--quiet", "--resume", "--out", "t.arrow"}
	shard := append(arguments[:len(arguments)-1:len(arguments)-1], "s.arrow", "--shard", "0/2")
	const nothing = "nothing was computed"
	for _, c := range [][]string{arguments, append(arguments, "--plot", "t.png"), shard} {
		first := succeed(t, c...)
		before := listing(t)
		second := succeed(t, c...)
		if strings.Contains(first, nothing) != (len(c) == len(arguments)+2 && c[len(c)-1] == "t.png") ||
			!strings.Contains(second, "was already complete") || !strings.Contains(second, nothing) {
			t.Errorf("%q: first %q, then %q", c, first, second)
		}
		if listing(t) != before {
			t.Error("other files")
		}
	}
	whole := must.Get(os.ReadFile("t.arrow"))(t)
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 4
	for what, content := range map[string][]byte{"damaged": damaged, "cut short": whole[:len(whole)-9],
		"a text": []byte("x")} {
		must.Do(t, os.WriteFile("t.arrow", content, 0o666))
		if said := succeed(t, arguments...); strings.Contains(said, nothing) {
			t.Errorf("%s: %q", what, said)
		}
		if again, err := os.ReadFile("t.arrow"); err != nil || !bytes.Equal(again, whole) {
			t.Errorf("%s: another table", what)
		}
	}
	if said := succeed(t, "rerun", "t.arrow", "--out", "u.arrow", "--quiet"); strings.Contains(said,
		nothing) {
		t.Errorf("%q", said)
	}
	if said := succeed(t, "rerun", "t.arrow", "--out", "u.arrow", "--quiet",
		"--resume"); !strings.Contains(said, nothing) {
		t.Errorf("%q", said)
	}
}

// A run with --resume does not replace the finished table of another run, unless unfinished work of the new
// run is there too.
func TestResumeBesideTheTableOfAnotherRun(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, ending := range tableExtensions {
		out := "t" + ending
		small := func(more ...string) []string {
			return append([]string{"phase", "--dim", "3", "--beta", "1", "--trajectories", "10",
				"--depth", "50",
				"--horizon", "1", "--law", "rademacher", "--quiet"}, more...)
		}
		with := func(more ...string) []string { return small(append(more, "--out", out)...) }
		succeed(t, with("--resume")...) // where nothing is there yet
		before := listing(t)
		want := []string{"--resume", out, "is the table of another run", "seed is 1 there, 2 here",
			"--out", "--restart"}
		if ending == ".csv" {
			want = []string{"--resume", out, "does not say which run it is of", "--out",
				"--restart"}
		}
		refuse(t, want, with("--seed", "2", "--resume")...)
		if listing(t) != before {
			t.Errorf("%s: other files", out)
		}
		leaveUnfinished(t, small("--seed", "2"), out)
		if said := succeed(t, with("--seed", "2", "--resume")...); !strings.Contains(said, "Wrote "+out) {
			t.Errorf("%q", said)
		}
	}
}

// leaveUnfinished writes the partial file that an interrupted run with these arguments would leave beside the
// table out.
func leaveUnfinished(t *testing.T, arguments []string, out string) {
	t.Helper()
	succeed(t, append(arguments, "--out", "same.arrow")...)
	table := must.Get(data.ReadFile("same.arrow"))(t)
	identity := must.Get(json.Marshal(table.Schema.Metadata))(t)
	journal := must.Get(durable.OpenJournal(partialName(out), string(identity), durable.DropPast))(t)
	const beyond = 1 << 40 // the number of a piece that the run does not have
	must.Do(t, errors.Join(journal.Append(beyond, []byte("finished")), journal.Close()))
}
