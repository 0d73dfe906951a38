package runtest

import (
	"errors"
	"fmt"
	"maps"
	"sync"
)

// Memory is a checkpoint in memory.
type Memory[Row any] struct {
	Before map[int64][]Row // blocks of earlier runs
	Room   int             // number of blocks that Keep accepts before it fails; 0 for no limit
	mutex  sync.Mutex
	blocks map[int64][]Row
}

// ErrFull is the error of Keep if there is no room.
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

// Blocks returns the blocks that this run has kept and, after Next, those of the runs before.
func (m *Memory[Row]) Blocks() map[int64][]Row {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return maps.Clone(m.blocks)
}

// Next returns a checkpoint for a run that continues this one.
func (m *Memory[Row]) Next() *Memory[Row] {
	return &Memory[Row]{Before: m.Blocks(), blocks: m.Blocks()}
}
