package sde

import "fmt"

// Part is one of several parts of the trajectories of each cell: of its blocks of
// trajectories every Of-th, from block Number on. The zero value is all of them.
type Part struct{ Number, Of int64 }

// Validate returns an error unless Number is from 0 to Of-1, or both are 0.
func (p Part) Validate() error {
	if p != (Part{}) && (p.Number < 0 || p.Number >= p.Of) {
		return fmt.Errorf("part %d of %d: must be from 0 to one less than their number", p.Number, p.Of)
	}
	return nil
}

// Past is what earlier runs have left: the rows of whole blocks of trajectories. The
// number of a block, from 0 on, is that of the cell times BlocksOf the trajectories,
// plus its place in the cell; it depends neither on parts nor on workers.
type Past[Row any] interface {
	// Has reports whether there is a block. Workers call it beside each other.
	Has(block int64) bool
	// Read returns the rows of a block that is there, in their order.
	Read(block int64) ([]Row, error)
	// Keep takes the rows of a block as soon as all are known. Workers call it beside
	// each other. An error ends the run.
	Keep(block int64, rows []Row) error
}

// blockSize is the largest number of trajectories whose rows are handed on together.
const blockSize = 16

// BlockOf is the number of trajectories of a block, but perhaps the last, of a cell with
// so many: 16, or fewer where there are so few that some workers would have none.
func BlockOf(trajectories int64) int64 {
	const least = 64 // blocks of a cell
	return max(1, min(trajectories/least, blockSize))
}

// BlocksOf is the number of blocks of a cell with so many trajectories.
func BlocksOf(trajectories int64) int64 {
	size := BlockOf(trajectories)
	return (trajectories + size - 1) / size
}

// blocks are the blocks of an ensemble's part. Their items are numbered from 0 on.
type blocks struct {
	total int64 // trajectories of a cell
	size  int64 // trajectories of a block
	whole int64 // blocks of a cell in all parts
	part  Part
	each  int64 // blocks of a cell in this part
}

func (e *Ensemble[Row]) blocks() blocks { return newBlocks(e.Trajectories, e.Part) }

// Trajectories is the number of trajectories in the part of a cell with so many.
func (p Part) Trajectories(of int64) int64 { return newBlocks(of, p).trajectories() }

func newBlocks(trajectories int64, part Part) blocks {
	b := blocks{total: trajectories, size: BlockOf(trajectories), whole: BlocksOf(trajectories), part: part}
	if b.part.Of == 0 {
		b.part.Of = 1
	}
	b.each = max(0, (b.whole-b.part.Number+b.part.Of-1)/b.part.Of)
	return b
}

// place is a block: its cell, its first trajectory and how many there are.
type place struct {
	number int64
	cell   int
	first  int64
	count  int
	last   bool // of the cell, in this part
}

func (b blocks) at(item int64) place {
	cell, k := item/b.each, item%b.each
	within := b.part.Number + k*b.part.Of
	first := within * b.size
	return place{
		number: cell*b.whole + within, cell: int(cell), first: first,
		count: int(min(b.size, b.total-first)), last: k == b.each-1,
	}
}

// trajectory is the number of the k-th trajectory of a cell in this part.
func (b blocks) trajectory(k int64) int64 {
	return (k/b.size*b.part.Of+b.part.Number)*b.size + k%b.size
}

// trajectories is the number of trajectories of a cell in this part.
func (b blocks) trajectories() int64 {
	if b.each == 0 {
		return 0
	}
	last := b.at(b.each - 1)
	return (b.each-1)*b.size + int64(last.count)
}

// history is the ensemble's past by items.
func (e *Ensemble[Row]) history(b blocks) history[[]Row] {
	if e.Past == nil {
		return history[[]Row]{}
	}
	return history[[]Row]{
		has: func(item int64) bool { return e.Past.Has(b.at(item).number) },
		read: func(item int64) ([]Row, error) {
			at := b.at(item)
			rows, err := e.Past.Read(at.number)
			if err == nil && len(rows) != at.count {
				err = fmt.Errorf("block %d of the past has %d trajectories, not %d", at.number, len(rows), at.count)
			}
			return rows, err
		},
		keep: func(item int64, rows []Row) error { return e.Past.Keep(b.at(item).number, rows) },
	}
}
