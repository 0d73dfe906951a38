package runtest

import (
	"errors"
	"fmt"
	"maps"
	"sync"
)

// Memory is a checkpoint of a test that is stored in memory.
type Memory[Row any] struct {
	Before map[int64][]Row // blocks that earlier runs have completed
	Room   int             // number of blocks that Keep accepts before it fails; 0 for no limit
	mutex  sync.Mutex
	blocks map[int64][]Row
}

// ErrFull is the error of Memory.Keep if the memory has no room for another block.
var ErrFull = errors.New("full")

// Has implements sde.Checkpoint.
func (m *Memory[Row]) Has(block int64) bool {
	_, there := m.Before[block]
	return there
}

// Read implements sde.Checkpoint.
func (m *Memory[Row]) Read(block int64) ([]Row, error) { return m.Before[block], nil }

// Keep implements sde.Checkpoint. A block must not be kept twice.
func (m *Memory[Row]) Keep(block int64, rows []Row) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if _, twice := m.blocks[block]; twice {
		return fmt.Errorf("block %d is done twice", block)
	}
	if m.Room > 0 && len(m.blocks) >= m.Room {
		return ErrFull
	}
	if m.blocks == nil {
		m.blocks = map[int64][]Row{}
	}
	m.blocks[block] = rows
	return nil
}

// Blocks returns the blocks that this run has kept and, for a checkpoint made by Next, those of earlier runs.
func (m *Memory[Row]) Blocks() map[int64][]Row {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return maps.Clone(m.blocks)
}

// Next returns a checkpoint for a run that continues the run of m.
func (m *Memory[Row]) Next() *Memory[Row] {
	return &Memory[Row]{Before: m.Blocks(), blocks: m.Blocks()}
}
