package experiments

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/phase"
	"antipode/experiments/run"
	"antipode/experiments/simulate"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere/must"
)

// writeRun runs an experiment, writes its table to a file, and returns the bytes of the file.
func writeRun(t *testing.T, path string, e run.Experiment, schema data.Schema, options run.Options) []byte {
	t.Helper()
	w := must.Get(data.Create(path, schema))(t)
	if err := errors.Join(e.Run(t.Context(), options, w), w.Close()); err != nil {
		t.Fatalf("%s: %v", e.Name(), err)
	}
	content := must.Get(os.ReadFile(path))(t)
	return content
}

// divisible returns the experiments at the size of quick that can be run in shards, with simulate once for
// each kind of table.
func divisible() (all []run.Divisible) {
	for _, e := range All() {
		quick(e)
		d, ok := e.(run.Divisible)
		if !ok {
			continue
		}
		all = append(all, d)
		if s, ok := e.(*simulate.Experiment); ok {
			outcomes, overlaps := *s, *s
			outcomes.Save, outcomes.Trajectories = "outcomes", 1500
			overlaps.Save, overlaps.Trajectories = "overlaps", 130
			all = append(all, &outcomes, &overlaps)
		}
	}
	return all
}

// writeShards writes all shards of an experiment, with different numbers of workers, and returns their paths.
func writeShards(t *testing.T, folder string, e run.Divisible, seed uint64, n int64) (paths []string) {
	t.Helper()
	for k := range n {
		part := sde.Part{Number: k, Of: n}
		path := filepath.Join(folder, fmt.Sprintf("%d-%d-%d.arrow", seed, k, n))
		writeRun(t, path, e, run.ShardSchema(e, seed, part),
			run.Options{Seed: seed, Workers: 1 + int(k)%3, Part: part})
		paths = append(paths, path)
	}
	return paths
}

// wholeFile returns the file of an experiment of divisible that is run as a whole.
func wholeFile(t *testing.T, e run.Divisible) []byte {
	t.Helper()
	if s, ok := e.(*simulate.Experiment); ok && s.Save != "states" {
		return writeRun(t, filepath.Join(t.TempDir(), "t.arrow"), e, run.Schema(e, 1), run.Options{Seed: 1})
	}
	return quickFile(t, e.Name())
}

// slow are experiments for which the small run, or its theory, takes more than a tenth of a second.
var slow = map[string]bool{"weak": true, "evolve": true, "hybrid": true, "phase": true, "stability": true}

// Shards that are merged in any order make the file of the whole run, byte for byte.
func TestMergedShards(t *testing.T) {
	longtest.Only(t)
	random := rand.New(rand.NewPCG(1, 1))
	for _, e := range divisible() {
		if testing.Short() && e.Name() != "phase" && e.Name() != "stability" {
			continue
		}
		folder := t.TempDir()
		want := wholeFile(t, e)
		numbers := []int64{1, 2, 3, 7}
		if slow[e.Name()] {
			numbers = []int64{7}
		}
		for _, n := range numbers {
			paths := writeShards(t, folder, e, 1, n)
			random.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
			shards := must.Get(OpenShards(paths))(t)
			got := writeRun(t, filepath.Join(folder, "merged.arrow"), shards.Experiment,
				run.Schema(shards.Experiment, shards.Seed),
				run.Options{Seed: shards.Seed, Shards: shards.Readers})
			shards.Close()
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %d shards make another file", e.Name(), n)
			}
		}
	}
}

func TestShardsThatDoNotFit(t *testing.T) {
	folder := t.TempDir()
	e := phase.New()
	quick(e)
	s := writeShards(t, folder, e, 1, 3)
	other := writeShards(t, folder, e, 2, 3)
	coarse := writeShards(t, folder, e, 1, 2)
	whole := filepath.Join(folder, "whole.arrow")
	must.Do(t, os.WriteFile(whole, smallFile(t, "phase"), 0o666))
	e.Depth = 20
	deeper := writeShards(t, t.TempDir(), e, 1, 3)
	for _, test := range []struct {
		paths []string
		want  string
	}{
		{nil, "no shard is given"},
		{s[:1], "shards 1/3, 2/3 are missing"},
		{[]string{s[2], s[0]}, "shard 1/3 is missing"},
		{[]string{s[0], s[1], s[2], s[1]}, s[1] + ": is shard 1/3, as is " + s[1]},
		{[]string{s[0], other[1], s[2]}, other[1] + ": is of another run: seed is 2 there, 1 here"},
		{[]string{s[0], deeper[1], s[2]}, deeper[1] + ": is of another run: depth is 20 there, 100 here"},
		{[]string{s[0], coarse[1]}, coarse[1] + ": is one of 2 shards, not of 3"},
		{[]string{s[0], whole}, whole + ": is not a shard"},
		{[]string{s[0], "missing.arrow"}, "missing.arrow: no such file"},
	} {
		shards, err := OpenShards(test.paths)
		if err == nil {
			shards.Close()
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// The metadata of a shard say of which run and which shard it is, and its columns are those of a shard.
func TestMetadataOfShards(t *testing.T) {
	e := phase.New()
	quick(e)
	good := run.ShardSchema(e, 1, sde.Part{Number: 1, Of: 3})
	for _, c := range []struct{ key, value, want string }{
		{data.KeyCommand, "", "not a table of antipode: metadata has no antipode.command"},
		{data.KeyCommand, "nothing", `no experiment is called "nothing"`},
		{data.KeyCommand, "overlap", "overlap has no shards"},
		{data.KeyVersion, "0.0.1", `antipode.version "0.0.1": this program is version ` + run.Version},
		{data.KeySeed, "one", `antipode.seed "one": must be a whole number`},
		{data.KeyParameters, "{", "antipode.parameters: "},
		{run.KeyShard, "4/3", `antipode.shard "4/3": `},
		{run.KeyShard, "", "is not a shard: its metadata has no antipode.shard"},
		{"columns", "", "does not have the columns of a shard"}, // the first is of another kind
		{"columns", "fewer", "does not have the columns of a shard"},
		{"", "", ""},
	} {
		schema := good
		schema.Metadata = slices.DeleteFunc(slices.Clone(good.Metadata),
			func(x data.Entry) bool { return x.Key == c.key })
		if c.value != "" && c.key != "columns" {
			schema.Metadata = append(schema.Metadata, data.Entry{Key: c.key, Value: c.value})
		}
		if c.key == data.KeyCommand && c.value == "overlap" { // with parameters of its own
			schema.Metadata = slices.DeleteFunc(schema.Metadata,
				func(x data.Entry) bool { return x.Key == data.KeyParameters })
			schema.Metadata = append(schema.Metadata, data.Entry{Key: data.KeyParameters, Value: "{}"})
		}
		if c.key == "columns" {
			schema.Columns = slices.Clone(good.Columns)
			if schema.Columns[0].Kind = data.Float64; c.value != "" {
				schema.Columns = good.Columns[1:]
			}
		}
		s := &Shards{}
		part, err := partOf(schema)
		if err == nil {
			s.Readers = make([]*data.Reader, part.Of)
			err = s.begin(schema)
		}
		if err == nil {
			err = s.compare(schema, part)
		}
		if c.want == "" {
			if err != nil || s.Seed != 1 || part != (sde.Part{Number: 1, Of: 3}) {
				t.Errorf("shard %+v of seed %d, error %v", part, s.Seed, err)
			}
		} else if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s %q: error %v, want %s", c.key, c.value, err, c.want)
		}
	}
	for n, want := range map[int]string{
		20: "shards 0/20, 1/20, 2/20, ", 21: "21 of 21 shards are missing, the first is 0/21",
	} {
		s := &Shards{Readers: make([]*data.Reader, n)}
		if err := s.missing(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%d shards: error %v", n, err)
		}
	}
}

// A difference of metadata names the first parameter or entry that differs, with both values.
func TestDifference(t *testing.T) {
	of := func(parameters, seed string) []data.Entry {
		return []data.Entry{{Key: data.KeyParameters, Value: parameters}, {Key: data.KeySeed, Value: seed}}
	}
	this := of(`{"a":1,"b":[2]}`, "7")
	for _, c := range []struct {
		other []data.Entry
		want  string
	}{
		{of(`{"a":1,"b":[2]}`, "7"), ""},
		{of(`{"a":1,"b":[2]}`, "8"), "seed is 8 there, 7 here"},
		{of(`{"a":1,"b":[2]}`, ""), "seed is not given there, 7 here"},
		{of(`{"a":1,"b":[3]}`, "8"), "b is [3] there, [2] here"},
		{of(`{"a":1}`, "7"), "b is not given there, [2] here"},
		{of(`{"a":1,"b":[2],"c":3}`, "7"), "c is 3 there, not given here"},
		{of(`{"b":[2],"a":1}`, "7"), "the parameters are in another order"},
		{of(`{"b":`, "7"), "the parameters are others"},
	} {
		if got := Difference(this, c.other); got != c.want {
			t.Errorf("%v: %q, want %q", c.other, got, c.want)
		}
	}
}

// A run that is stopped several times, and resumed from its journal with other numbers of workers, writes the
// same file as one that was not stopped. If it is run again once it is complete, its progress says that all
// work was restored.
func TestRunsGoOn(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	all := 0
	for _, e := range All() {
		if testing.Short() && e.Name() != "phase" && e.Name() != "weak" {
			continue
		}
		quick(e)
		folder := t.TempDir()
		want := quickFile(t, e.Name())
		journal := filepath.Join(folder, "journal")
		stops := 0
		for {
			got, _, err := goOn(t, e, filepath.Join(folder, "t.arrow"), journal, 1+random.IntN(3),
				1.7*random.Float64())
			if err == nil {
				if !bytes.Equal(got, want) {
					t.Errorf("%s: another file after %d stops", e.Name(), stops)
				}
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			stops++
		}
		t.Logf("%s: %d stops", e.Name(), stops)
		got, last, err := goOn(t, e, filepath.Join(folder, "t.arrow"), journal, 2, 2)
		if map[string]bool{"overlap": true, "field": true, "verify": true}[e.Name()] {
			last.Restored = last.Total // these experiments keep nothing in the journal
		}
		if err != nil || !bytes.Equal(got, want) || last.Restored != last.Total || last.Done != last.Total {
			t.Errorf("%s, once complete: %+v, error %v", e.Name(), last, err)
		}
		all += stops
	}
	if all < 10 && !testing.Short() {
		t.Errorf("only %d stops", all)
	}
}

// goOn runs an experiment with a journal and cancels it when a share of the work is done. It returns the last
// state of its progress and, if the run was completed, the bytes of the file.
func goOn(
	t *testing.T, e run.Experiment, path, journal string, workers int, share float64,
) (file []byte, last run.State, err error) {
	t.Helper()
	j := must.Get(durable.OpenJournal(journal, "run", durable.KeepPast))(t)
	defer j.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	options := run.Options{Seed: 1, Workers: workers, Journal: j, Progress: func(s run.State) {
		last = s
		if float64(s.Done) >= share*float64(s.Total) && s.Done < s.Total {
			cancel()
		}
	}}
	w := must.Get(data.Create(path, run.Schema(e, 1)))(t)
	if err := e.Run(ctx, options, w); err != nil {
		w.Abort()
		return nil, last, err
	}
	must.Do(t, w.Close())
	file, err = os.ReadFile(path)
	return file, last, err
}
