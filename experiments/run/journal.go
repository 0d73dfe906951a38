package run

import (
	"fmt"

	"antipode/sde"
)

// Journal stores completed blocks of trajectories; *durable.Journal implements it. Its methods may be called
// concurrently.
type Journal interface {
	// Has reports whether an earlier run has left a block.
	Has(block int64) bool
	// Read returns the bytes of an existing block.
	Read(block int64) ([]byte, error)
	// Append stores the bytes of a block.
	Append(block int64, bytes []byte) error
}

// checkpoint adapts a journal to the sde.Checkpoint of an ensemble.
type checkpoint[Row any] struct {
	journal Journal
	codec   Codec[Row]
}

// NewCheckpoint adapts a journal of encoded rows to the sde.Checkpoint of an ensemble.
func NewCheckpoint[Row any](journal Journal, codec Codec[Row]) sde.Checkpoint[Row] {
	return checkpoint[Row]{journal: journal, codec: codec}
}

func (p checkpoint[Row]) Has(block int64) bool { return p.journal.Has(block) }

func (p checkpoint[Row]) Read(block int64) ([]Row, error) {
	bytes, err := p.journal.Read(block)
	if err != nil {
		return nil, err
	}
	return p.codec.rows(bytes)
}

// one returns the only row of a block.
func (p checkpoint[Row]) one(block int64) (row Row, err error) {
	rows, err := p.Read(block)
	if err == nil && len(rows) != 1 {
		err = fmt.Errorf("block %d of the past has %d rows, not 1", block, len(rows))
	}
	if err != nil {
		return row, err
	}
	return rows[0], nil
}

func (p checkpoint[Row]) Keep(block int64, rows []Row) error {
	var bytes []byte
	for _, row := range rows {
		bytes = p.codec.Append(bytes, row)
	}
	return p.journal.Append(block, bytes)
}

// shifted is the journal of one of several ensembles of a run.
type shifted struct {
	Journal
	first int64
}

func (s shifted) Has(block int64) bool             { return s.Journal.Has(s.first + block) }
func (s shifted) Read(block int64) ([]byte, error) { return s.Journal.Read(s.first + block) }
func (s shifted) Append(block int64, bytes []byte) error {
	return s.Journal.Append(s.first+block, bytes)
}

// JournalFrom returns the journal for one of several ensembles that share a journal. The blocks of this
// ensemble are numbered from first on. The result is nil if the journal is nil.
func JournalFrom(journal Journal, first int64) Journal {
	if journal == nil {
		return nil
	}
	return shifted{journal, first}
}

// From returns the options for one of several ensembles that share a journal. The blocks of this ensemble are
// numbered from first on.
func (o Options) From(first int64) Options {
	o.Journal = JournalFrom(o.Journal, first)
	return o
}
