package experiments

import (
	"fmt"

	"antipode/data"
	"antipode/experiments/run"
)

// Digester is an experiment whose tables may be larger than the memory of the computer.
type Digester interface {
	// Digest reads a table in parts, each by a call of next, until next returns io.EOF or no more parts are
	// needed. Digest returns a smaller table, which Describe and Draw accept in place of the complete table.
	Digest(schema data.Schema, next func() (*data.Table, error)) (*data.Table, error)
}

// Read reads the table in the file at path, for Describe and Draw of the experiment that wrote the table.
// Read also returns this experiment, with its default parameters. If the experiment is a Digester, the memory
// that Read needs is bounded. Errors name the file.
func Read(path string) (e run.Experiment, table *data.Table, err error) {
	reader, err := data.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer reader.Close()
	command, ok := reader.Schema().Value(data.KeyCommand)
	if !ok {
		return nil, nil, fmt.Errorf("%s: not a table of antipode: metadata has no %s, or was left out by a "+
			"program that rewrote it", path, data.KeyCommand)
	}
	if e, err = ByName(command); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if shard, ok := reader.Schema().Value(run.KeyShard); ok {
		return nil, nil, fmt.Errorf("%s: is only shard %.20q; antipode merge merges all shards",
			path, shard)
	}
	digester, ok := e.(Digester)
	if !ok {
		table, err = data.ReadFile(path)
		return e, table, err
	}
	if table, err = digester.Digest(reader.Schema(), reader.Next); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return e, table, nil
}
