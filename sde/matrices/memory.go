package matrices

import "gonum.org/v1/gonum/mat"

// memory is matrices, and those of them that nobody needs any more.
type memory struct{ all, free []*mat.Dense }

// take returns a matrix, whose entries may be any.
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

// give takes back matrices, which are nil then, as they may be before.
func (m *memory) give(matrices ...**mat.Dense) {
	for _, matrix := range matrices {
		if *matrix != nil {
			m.free = append(m.free, *matrix)
			*matrix = nil
		}
	}
}

// giveAll takes back all matrices.
func (m *memory) giveAll() { m.free = append(m.free[:0], m.all...) }
