package matrices

import "gonum.org/v1/gonum/mat"

// memory holds the matrices of a Workspace. The matrices in the field free may be reused.
type memory struct{ all, free []*mat.Dense }

// take returns a matrix from the memory, with unspecified entries.
func (m *memory) take(rows, columns int) *mat.Dense {
	last := len(m.free) - 1
	for k := last; k >= 0; k-- {
		if r, c := m.free[k].Dims(); r == rows && c == columns {
			matrix := m.free[k]
			m.free[k] = m.free[last]
			m.free = m.free[:last]
			return matrix
		}
	}
	matrix := mat.NewDense(rows, columns, nil)
	m.all = append(m.all, matrix)
	return matrix
}

// give makes matrices free for reuse and sets their pointers to nil. A pointer may already be nil.
func (m *memory) give(matrices ...**mat.Dense) {
	for _, matrix := range matrices {
		if *matrix != nil {
			m.free = append(m.free, *matrix)
			*matrix = nil
		}
	}
}

// giveAll makes all matrices of the memory free for reuse.
func (m *memory) giveAll() { m.free = append(m.free[:0], m.all...) }
