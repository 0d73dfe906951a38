// Package picture draws how tokens move on the circle and on the sphere.
//
//	m := picture.Motion{Times: times, Tokens: tokens}
//	drawn, err := picture.Sphere(m, figure.Width, 430, "a caption")
package picture

// Motion holds the tokens of a trajectory at one or several times. A Motion has at least one token.
type Motion struct {
	Trajectory int64         // index of the trajectory
	Times      []float64     // times in ascending order
	Tokens     [][][]float64 // unit vectors, indexed by time and token
}

// time returns the time with the index row.
func (m Motion) time(row int) float64 { return m.Times[row] }

// token returns token i, counted from 0, at the time with the index row.
func (m Motion) token(i, row int) []float64 { return m.Tokens[row][i] }

// count returns the number of tokens of the motion, and dim returns their dimension.
func (m Motion) count() int { return len(m.Tokens[0]) }
func (m Motion) dim() int   { return len(m.Tokens[0][0]) }

// Doubling chooses some of count times, and returns their indices: the first time, up to four times that
// double from one to the next up to a quarter of the final time, and the last time. Tokens merge fast at
// first and slower and slower later.
func Doubling(count int, time func(row int) float64) []int {
	rows := []int{0}
	for _, share := range []float64{1. / 32, 1. / 16, 1. / 8, 1. / 4, 1} {
		row := 0
		for shareOf(row, count, time) < share { // the share of the last time is 1
			row++
		}
		if row > rows[len(rows)-1] {
			rows = append(rows, row)
		}
	}
	return rows
}

// shareOf returns the time with the index row as a fraction of the total time.
func shareOf(row, count int, time func(row int) float64) float64 {
	first, last := time(0), time(count-1)
	if last == first {
		return 1
	}
	return (time(row) - first) / (last - first)
}
