package matrices

import "gonum.org/v1/gonum/mat"

// memory is that of matrices which nobody needs any more, for others with as many entries.
type memory struct{ free [][]float64 }

// take returns a matrix, whose entries may be any.
func (m *memory) take(rows, columns int) *mat.Dense {
	last := len(m.free) - 1
	for k := last; k >= 0; k-- {
		if data := m.free[k]; len(data) == rows*columns {
			m.free[k] = m.free[last]
			m.free = m.free[:last]
			return mat.NewDense(rows, columns, data)
		}
	}
	return mat.NewDense(rows, columns, nil)
}

// give takes back matrices that are whole, or nil.
func (m *memory) give(matrices ...*mat.Dense) {
	for _, matrix := range matrices {
		if matrix != nil {
			m.free = append(m.free, matrix.RawMatrix().Data)
		}
	}
}

// giveHeads takes back the matrices of a layer's heads.
func (m *memory) giveHeads(l *layer) {
	for _, h := range l.heads {
		m.give(h.value, h.queryWeight, h.keyWeight, h.values, h.query, h.key, h.raw)
	}
}
