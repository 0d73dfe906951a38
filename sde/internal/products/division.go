package products

import (
	"math"

	"antipode/sde/internal/team"
)

// division is a product and how it is divided among goroutines, and their memory.
type division struct {
	team    *team.Team
	packers []packer // of each part
	compute func(part int)

	set     *instructions
	product product
	parts   []part
}

func newDivision(workers int) *division {
	d := &division{team: team.New(workers), packers: make([]packer, workers)}
	d.compute = func(k int) { d.packers[k].compute(d.set, &d.product, d.parts[k]) }
	return d
}

// run computes a product, with a goroutine for each part.
func (d *division) run(p product) {
	d.set, d.product = active(), p
	d.divide()
	d.team.Each(len(d.parts), d.compute)
	d.product = product{}
}

// leastWork is the multiplications that are worth a goroutine: those of some microseconds.
var leastWork = 1 << 18

// divide divides C into parts, as many as there are workers unless that would leave too little
// for each.
func (d *division) divide() {
	c := d.product.c
	count := max(1, min(d.team.Workers(), c.Rows*c.Cols*d.product.a.columns/leastWork))
	if count == 1 {
		d.parts = append(d.parts[:0], part{bottom: c.Rows, right: c.Cols})
		return
	}
	d.parts = d.parts[:0]
	if d.product.symmetric {
		for k := range count {
			d.parts = append(d.parts, part{top: d.band(k, count), bottom: d.band(k+1, count)})
			d.parts[k].right = d.parts[k].bottom
		}
		return
	}
	down, across := d.grid(count)
	for i := range down {
		for j := range across {
			d.parts = append(d.parts, part{
				top: cut(c.Rows, i, down, d.set.heights[0]), bottom: cut(c.Rows, i+1, down, d.set.heights[0]),
				left: cut(c.Cols, j, across, d.set.width), right: cut(c.Cols, j+1, across, d.set.width),
			})
		}
	}
}

// grid is the numbers of parts below and beside each other for which the parts read least of A
// and B together.
func (d *division) grid(count int) (down, across int) {
	c := d.product.c
	down = 1
	for rows := 2; rows <= count; rows++ {
		if count%rows == 0 && rows*c.Cols+count/rows*c.Rows < down*c.Cols+count/down*c.Rows {
			down = rows
		}
	}
	return down, count / down
}

// band is the row at which a part of a triangle begins, if all are of the same size.
func (d *division) band(part, parts int) int {
	n := d.product.c.Rows
	return cut(n, int(float64(n)*math.Sqrt(float64(part)/float64(parts))), n, d.set.heights[0])
}

// cut is about part/parts of n, a multiple of a step if it is not n.
func cut(n, part, parts, step int) int {
	if part == parts {
		return n
	}
	return n * part / parts / step * step
}
