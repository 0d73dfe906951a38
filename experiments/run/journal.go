package run

import (
	"fmt"

	"antipode/sde"
)

// Journal stores completed blocks of the work of a run, such as blocks of trajectories, so that an
// interrupted run can be continued; *durable.Journal implements this interface. The methods of a Journal may
// be called concurrently.
type Journal interface {
	// Has reports whether an earlier run has stored the block with the given index.
	Has(block int64) bool
	// Read returns the bytes of a block that the journal has.
	Read(block int64) ([]byte, error)
	// Append stores the bytes of a completed block.
	Append(block int64, bytes []byte) error
}

// checkpoint adapts a Journal of bytes to the sde.Checkpoint of an ensemble, which stores results of
// trajectories.
type checkpoint[Row any] struct {
	journal Journal
	codec   Codec[Row]
}

// NewCheckpoint adapts a Journal of bytes to the sde.Checkpoint of an ensemble. The codec encodes and decodes
// the results of trajectories.
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

// one returns the only result of a block of the journal. A block with another number of results than 1 is an
// error.
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

// shifted is a journal for one of several ensembles that share a Journal. The index of a block in the shared
// Journal is first plus the index of the block in the ensemble.
type shifted struct {
	Journal
	first int64
}

func (s shifted) Has(block int64) bool             { return s.Journal.Has(s.first + block) }
func (s shifted) Read(block int64) ([]byte, error) { return s.Journal.Read(s.first + block) }
func (s shifted) Append(block int64, bytes []byte) error {
	return s.Journal.Append(s.first+block, bytes)
}

// JournalFrom returns a journal for one of several ensembles that share a Journal. Block k of this ensemble
// is block first+k of the shared Journal. The result is nil if the shared Journal is nil.
func JournalFrom(journal Journal, first int64) Journal {
	if journal == nil {
		return nil
	}
	return shifted{journal, first}
}

// From returns options for one of several ensembles that share a Journal. Block k of this ensemble is block
// first+k of the shared Journal.
func (o Options) From(first int64) Options {
	o.Journal = JournalFrom(o.Journal, first)
	return o
}
