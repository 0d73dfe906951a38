package products

import (
	"math"
	"sync"
)

// team is the goroutines of a Multiplier, their memory, and the product that they work on.
type team struct {
	workers int
	packers []packer
	starts  []func() // of a goroutine, by its part

	set     *instructions
	product product
	parts   []part
	others  sync.WaitGroup // goroutines besides the caller's
}

func newTeam(workers int) *team {
	t := &team{workers: workers, packers: make([]packer, workers)}
	for k := range workers {
		t.starts = append(t.starts, func() {
			t.compute(k)
			t.others.Done()
		})
	}
	return t
}

// run computes a product, with a goroutine for each part.
func (t *team) run(p product) {
	t.set, t.product = active(), p
	t.divide()
	for k := 1; k < len(t.parts); k++ {
		t.others.Add(1)
		go t.starts[k]()
	}
	t.compute(0)
	t.others.Wait()
	t.product = product{}
}

func (t *team) compute(part int) { t.packers[part].compute(t.set, &t.product, t.parts[part]) }

// leastWork is the multiplications that are worth a goroutine: those of some microseconds.
var leastWork = 1 << 18

// divide divides C into parts, as many as there are workers unless that would leave too little
// for each.
func (t *team) divide() {
	c := t.product.c
	count := max(1, min(t.workers, c.Rows*c.Cols*t.product.a.columns/leastWork))
	if count == 1 {
		t.parts = append(t.parts[:0], part{bottom: c.Rows, right: c.Cols})
		return
	}
	t.parts = t.parts[:0]
	if t.product.symmetric {
		for k := range count {
			t.parts = append(t.parts, part{top: t.band(k, count), bottom: t.band(k+1, count)})
			t.parts[k].right = t.parts[k].bottom
		}
		return
	}
	down, across := t.grid(count)
	for i := range down {
		for j := range across {
			t.parts = append(t.parts, part{
				top: cut(c.Rows, i, down, t.set.heights[0]), bottom: cut(c.Rows, i+1, down, t.set.heights[0]),
				left: cut(c.Cols, j, across, t.set.width), right: cut(c.Cols, j+1, across, t.set.width),
			})
		}
	}
}

// grid is the numbers of parts below and beside each other for which the parts read least of A
// and B together.
func (t *team) grid(count int) (down, across int) {
	c := t.product.c
	down = 1
	for d := 2; d <= count; d++ {
		if count%d == 0 && d*c.Cols+count/d*c.Rows < down*c.Cols+count/down*c.Rows {
			down = d
		}
	}
	return down, count / down
}

// band is the row at which a part of a triangle begins, if all are of the same size.
func (t *team) band(part, parts int) int {
	n := t.product.c.Rows
	return cut(n, int(float64(n)*math.Sqrt(float64(part)/float64(parts))), n, t.set.heights[0])
}

// cut is about part/parts of n, a multiple of a step if it is not n.
func cut(n, part, parts, step int) int {
	if part == parts {
		return n
	}
	return n * part / parts / step * step
}
