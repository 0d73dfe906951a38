package sde

import (
	"fmt"

	"antipode/sde/ordered"
)

// Part selects a share of the trajectories of each cell, so that several processes can divide a run: every
// Of-th block of trajectories, starting with block Number. The zero value of Part selects all trajectories.
type Part struct{ Number, Of int64 }

// Validate returns an error unless the part's Number is from 0 to Of-1, or both are 0.
func (p Part) Validate() error {
	if p != (Part{}) && (p.Number < 0 || p.Number >= p.Of) {
		return fmt.Errorf("part %d of %d: must be from 0 to one less than their number", p.Number, p.Of)
	}
	return nil
}

// Checkpoint stores the rows that earlier runs have completed, in whole blocks of trajectories. The number of
// a block, counted from 0, is the index of the cell times BlocksOf its trajectories, plus the position of the
// block in the cell. The number of a block depends neither on the Part of a run nor on its number of workers.
type Checkpoint[Row any] = ordered.Checkpoint[[]Row]

// blockSize is the largest number of trajectories in a block. The rows of the trajectories of a block are
// delivered together.
const blockSize = 16

// BlockOf returns the number of trajectories in each block of a cell with the given number of trajectories;
// the last block may have fewer. A block has 16 trajectories; blocks are smaller if there are few
// trajectories, so that all workers have something to do.
func BlockOf(trajectories int64) int64 {
	const least = 64 // least number of blocks of a cell
	return max(1, min(trajectories/least, blockSize))
}

// BlocksOf returns the number of blocks of a cell with the given number of trajectories.
func BlocksOf(trajectories int64) int64 {
	size := BlockOf(trajectories)
	return (trajectories + size - 1) / size
}

// blocks describes the blocks of the part of an ensemble. The blocks of the part are called its items, and
// are numbered from 0 within the part.
type blocks struct {
	total int64 // number of trajectories of a cell
	size  int64 // number of trajectories of a block
	whole int64 // number of blocks of a cell in all parts
	part  Part
	each  int64 // number of blocks of a cell in this part
}

func (e *Ensemble[Row]) blocks() blocks { return newBlocks(e.Trajectories, e.Part) }

// Trajectories returns how many of the given number of trajectories of a cell belong to the part.
func (p Part) Trajectories(of int64) int64 { return newBlocks(of, p).trajectories() }

// Trajectory returns the index, within a cell with the given number of trajectories, of the k-th trajectory
// of the part.
func (p Part) Trajectory(k, of int64) int64 { return newBlocks(of, p).trajectory(k) }

func newBlocks(trajectories int64, part Part) blocks {
	b := blocks{total: trajectories, size: BlockOf(trajectories), whole: BlocksOf(trajectories), part: part}
	if b.part.Of == 0 {
		b.part.Of = 1
	}
	b.each = max(0, (b.whole-b.part.Number+b.part.Of-1)/b.part.Of)
	return b
}

// span describes a block by its cell, its first trajectory and its number of trajectories.
type span struct {
	number int64
	cell   int
	first  int64
	count  int
	last   bool // whether the block is the last of the cell in this part
}

func (b blocks) at(item int64) span {
	cell, k := item/b.each, item%b.each
	within := b.part.Number + k*b.part.Of
	first := within * b.size
	return span{
		number: cell*b.whole + within, cell: int(cell), first: first,
		count: int(min(b.size, b.total-first)), last: k == b.each-1,
	}
}

// trajectory returns the index of the k-th trajectory of a cell in the part of the ensemble.
func (b blocks) trajectory(k int64) int64 {
	return (k/b.size*b.part.Of+b.part.Number)*b.size + k%b.size
}

// trajectories returns the number of trajectories of a cell in the part of the ensemble.
func (b blocks) trajectories() int64 {
	if b.each == 0 {
		return 0
	}
	last := b.at(b.each - 1)
	return (b.each-1)*b.size + int64(last.count)
}

// itemCheckpoint is a checkpoint whose methods take the number of a block within a part instead of its number
// within the whole ensemble.
type itemCheckpoint[Row any] struct {
	Checkpoint[Row]
	blocks blocks
}

// items returns the checkpoint of the ensemble, addressed by the numbers of blocks within the part, or nil if
// the ensemble has no checkpoint.
func (e *Ensemble[Row]) items(b blocks) Checkpoint[Row] {
	if e.Checkpoint == nil {
		return nil
	}
	return itemCheckpoint[Row]{e.Checkpoint, b}
}

func (c itemCheckpoint[Row]) Has(item int64) bool {
	return c.Checkpoint.Has(c.blocks.at(item).number)
}

func (c itemCheckpoint[Row]) Read(item int64) ([]Row, error) {
	at := c.blocks.at(item)
	rows, err := c.Checkpoint.Read(at.number)
	if err == nil && len(rows) != at.count {
		err = fmt.Errorf("block %d of the checkpoint has %d trajectories, not %d", at.number, len(rows),
			at.count)
	}
	return rows, err
}

func (c itemCheckpoint[Row]) Keep(item int64, rows []Row) error {
	return c.Checkpoint.Keep(c.blocks.at(item).number, rows)
}
