package products

import (
	"math"

	"antipode/internal/team"
)

// division divides a matrix product into parts, one for each goroutine of a team, and holds the working
// memory of the goroutines.
type division struct {
	team    *team.Team
	packers []packer // working memory of each part of a product
	compute func(part int)

	set     *instructions
	product product
	parts   []part
}

func newDivision(t *team.Team) *division {
	d := &division{team: t, packers: make([]packer, t.Workers())}
	d.compute = func(k int) { d.packers[k].compute(d.set, &d.product, d.parts[k]) }
	return d
}

// run computes a matrix product, each part of the product in a goroutine of its own.
func (d *division) run(p *product) {
	set, count := active(), d.count(p)
	if count == 1 {
		d.packers[0].compute(set, p, p.whole())
		return
	}
	d.set, d.product = set, *p
	d.divide(count)
	d.team.Each(len(d.parts), d.compute)
	d.product = product{}
}

// leastWork is the smallest number of multiplications for which an additional goroutine saves time. leastWork
// multiplications take some microseconds.
var leastWork = 1 << 18

// count returns the number of parts of a product: the number of workers, or fewer if a part would have less
// than leastWork multiplications.
func (d *division) count(p *product) int {
	if d.team.Workers() == 1 {
		return 1
	}
	return max(1, min(d.team.Workers(), p.c.rows*p.c.columns*p.a.columns/leastWork))
}

// divide divides the matrix C of the product into count parts.
func (d *division) divide(count int) {
	c := &d.product.c
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
				top: cut(c.rows, i, down, d.set.heights[0]), bottom: cut(c.rows, i+1, down, d.set.heights[0]),
				left: cut(c.columns, j, across, d.set.width), right: cut(c.columns, j+1, across, d.set.width),
			})
		}
	}
}

// grid returns the numbers of parts into which the rows and the columns of C are divided. The numbers are
// chosen such that the parts together read as little of A and B as possible.
func (d *division) grid(count int) (down, across int) {
	c := &d.product.c
	down = 1
	for rows := 2; rows <= count; rows++ {
		if count%rows == 0 && rows*c.columns+count/rows*c.rows < down*c.columns+count/down*c.rows {
			down = rows
		}
	}
	return down, count / down
}

// band returns the first row of a part of the lower triangle of C, which is divided into parts of about equal
// area.
func (d *division) band(part, parts int) int {
	n := d.product.c.rows
	return cut(n, int(float64(n)*math.Sqrt(float64(part)/float64(parts))), n, d.set.heights[0])
}

// cut returns n·part/parts, rounded down to a multiple of step, or n for part = parts.
func cut(n, part, parts, step int) int {
	if part == parts {
		return n
	}
	return n * part / parts / step * step
}
