package experiments

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/sde"
)

// Saved returns the experiment that wrote a table, with its parameters, and the seed of its random numbers.
// Metadata without an experiment, parameters or a seed are an error. A table of another version of the
// program is also an error, because the results of that version may differ.
func Saved(schema data.Schema) (e run.Experiment, seed uint64, err error) {
	command, ok := schema.Value(data.KeyCommand)
	if !ok {
		return nil, 0, fmt.Errorf("not a table of antipode: metadata has no %s", data.KeyCommand)
	}
	if e, err = ByName(command); err != nil {
		return nil, 0, err
	}
	if version, _ := schema.Value(data.KeyVersion); version != run.Version {
		return nil, 0, fmt.Errorf("%s %q: this program is version %s, whose numbers may differ",
			data.KeyVersion, version, run.Version)
	}
	text, _ := schema.Value(data.KeySeed)
	if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
		return nil, 0, fmt.Errorf("%s %q: must be a whole number", data.KeySeed, text)
	}
	return e, seed, run.ReadParameters(e, &data.Table{Schema: schema})
}

// Shards are the tables of all shards of one run, where a shard is the part of the run that one computer has
// done.
type Shards struct {
	Experiment run.Divisible
	Seed       uint64
	Readers    []*data.Reader // by the indices of shards; Close closes the readers
}

// OpenShards opens the shards of a run at the given paths, which may be in any order. It is an error if a
// file cannot be read, is not a shard, or belongs to another run than the first file. A shard that occurs
// twice or is missing is also an error. Errors name the files.
func OpenShards(paths []string) (*Shards, error) {
	s := &Shards{}
	err := s.open(paths)
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Shards) open(paths []string) error {
	names := map[int64]string{} // names of files, by the indices of shards
	for _, path := range paths {
		reader, err := data.Open(path)
		if err != nil {
			return err
		}
		part, err := s.add(reader)
		if first, twice := names[part.Number]; err == nil && twice {
			err = fmt.Errorf("is shard %s, as is %s", run.FormatShard(part), first)
		}
		if err != nil {
			reader.Close()
			return fmt.Errorf("%s: %w", path, err)
		}
		s.Readers[part.Number], names[part.Number] = reader, path
	}
	return s.missing()
}

// add checks that a table is a shard of the run, and returns which shard the table is.
func (s *Shards) add(reader *data.Reader) (sde.Part, error) {
	schema := reader.Schema()
	part, err := partOf(schema)
	if err == nil && s.Readers == nil {
		s.Readers = make([]*data.Reader, part.Of)
		err = s.begin(schema)
	}
	if err == nil {
		err = s.compare(schema, part)
	}
	return part, err
}

// partOf returns which shard a table is, as its metadata say.
func partOf(schema data.Schema) (part sde.Part, err error) {
	text, ok := schema.Value(run.KeyShard)
	if !ok {
		return part, errors.New("is not a shard: its metadata has no " + run.KeyShard)
	}
	if part, err = run.ParseShard(text); err != nil {
		err = fmt.Errorf("%s %q: %w", run.KeyShard, text, err)
	}
	return part, err
}

// begin sets the experiment and the seed of the run to those in the metadata of the first shard.
func (s *Shards) begin(schema data.Schema) (err error) {
	var e run.Experiment
	if e, s.Seed, err = Saved(schema); err != nil {
		return err
	}
	divisible, ok := e.(run.Divisible)
	if !ok {
		return fmt.Errorf("%s has no shards", e.Name())
	}
	s.Experiment = divisible
	return nil
}

// compare returns an error if a table is not the given shard of the run that the first shard belongs to.
func (s *Shards) compare(schema data.Schema, part sde.Part) error {
	if n := int64(len(s.Readers)); part.Of != n {
		return fmt.Errorf("is one of %d shards, not of %d", part.Of, n)
	}
	want := run.ShardSchema(s.Experiment, s.Seed, part)
	if first, other := savedKind(want), savedKind(schema); first != other && first != "" && other != "" {
		return fmt.Errorf("is a table of %s, and the first file one of %s; must be of the same table", other,
			first)
	}
	if difference := Difference(want.Metadata, schema.Metadata); difference != "" {
		return errors.New("is of another run: " + difference)
	}
	if !slices.EqualFunc(want.Columns, schema.Columns,
		func(a, b data.Column) bool { return a.Name == b.Name && a.Kind == b.Kind }) {
		return errors.New("does not have the columns of a shard")
	}
	return nil
}

// savedKind returns which of the tables of a run a table is, such as "states", as its metadata say. The
// result is "" if the run has a single table.
func savedKind(schema data.Schema) string {
	text, _ := schema.Value(data.KeyParameters)
	var parameters struct{ Save string }
	if json.Unmarshal([]byte(text), &parameters) != nil {
		return ""
	}
	return parameters.Save
}

// missing returns an error that names the missing shards, or nil if no shard is missing.
func (s *Shards) missing() error {
	var missing []string
	for k, reader := range s.Readers {
		if reader == nil {
			missing = append(missing, run.FormatShard(sde.Part{Number: int64(k), Of: int64(len(s.Readers))}))
		}
	}
	const most = 20
	switch {
	case len(s.Readers) == 0:
		return errors.New("no shard is given")
	case len(missing) > most:
		return fmt.Errorf("%d of %d shards are missing, the first is %s", len(missing), len(s.Readers),
			missing[0])
	case len(missing) == 1:
		return fmt.Errorf("shard %s is missing", missing[0])
	case len(missing) > 1:
		return fmt.Errorf("shards %s are missing", strings.Join(missing, ", "))
	}
	return nil
}

// Close closes the readers of all shards.
func (s *Shards) Close() {
	for _, reader := range s.Readers {
		if reader != nil {
			reader.Close()
		}
	}
}

// Difference describes in a few words how the metadata of another run differ from the metadata of this run.
// The description names the first parameter that differs, the seed, or the version. Difference returns "" if
// the metadata are equal.
func Difference(this, other []data.Entry) string {
	a, b := data.Schema{Metadata: this}, data.Schema{Metadata: other}
	for _, entry := range append(slices.Clone(this), other...) {
		x, _ := a.Value(entry.Key)
		y, _ := b.Value(entry.Key)
		switch {
		case x == y:
		case entry.Key == data.KeyParameters:
			return parameterDifference(x, y)
		default:
			return fmt.Sprintf("%s is %s there, %s here", strings.TrimPrefix(entry.Key, "antipode."),
				orNothing(y), orNothing(x))
		}
	}
	return ""
}

// orNothing returns a value of the metadata for a message, shortened so that two values fit in one message.
// An empty value becomes "not given".
func orNothing(text string) string {
	const most = 24
	if text == "" {
		return "not given"
	}
	return wording.Abbreviated(text, most)
}

// parameterDifference is Difference for the parameters of two runs, given as JSON objects.
func parameterDifference(this, other string) string {
	var a, b map[string]json.RawMessage
	if json.Unmarshal([]byte(this), &a) != nil || json.Unmarshal([]byte(other), &b) != nil {
		return "the parameters are others"
	}
	for _, values := range []map[string]json.RawMessage{a, b} {
		names := make([]string, 0, len(values))
		for name := range values {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			if x, y := string(a[name]), string(b[name]); x != y {
				return fmt.Sprintf("%s is %s there, %s here", name, orNothing(y), orNothing(x))
			}
		}
	}
	return "the parameters are in another order"
}
