package main

import . "github.com/mmcloughlin/avo/operand"

// schedule orders the operations of a block so that each operation starts when its operands are ready. (The
// processor itself looks only some hundred operations ahead.) The method is list scheduling by the length of
// the critical path. Once few registers are left, operations that free registers come first.
func (b *block) schedule() {
	n := len(b.operations)
	after, waits := b.dependencies()
	length := make([]int, n) // cycles of the longest path from an operation to the end
	for k := n - 1; k >= 0; k-- {
		for _, next := range after[k] {
			length[k] = max(length[k], length[next])
		}
		length[k] += b.operations[k].latency
	}
	uses := map[*node]int{}
	for _, o := range b.operations {
		for _, s := range o.sources {
			uses[s]++
		}
	}
	live, masks := 0, 0
	limit := len(b.vectors) - len(b.pins) - b.spare
	start := make([]int, n) // earliest start in half cycles, as two operations start in a cycle
	var ready []int
	for k := range n {
		if waits[k] == 0 {
			ready = append(ready, k)
		}
	}
	order := make([]*operation, 0, n)
	for now := 0; len(order) < n; now++ {
		best, full, masksFull := 0, live >= limit, b.wide && masks >= 4
		for i := 1; i < len(ready); i++ {
			if b.better(ready[i], ready[best], now, start, length, uses, full, masksFull) {
				best = i
			}
		}
		k := ready[best]
		ready = append(ready[:best], ready[best+1:]...)
		now = max(now, start[k])
		o := b.operations[k]
		live += b.growth(o, uses)
		for _, s := range o.sources {
			if uses[s]--; s.mask && uses[s] == 0 {
				masks--
			}
		}
		if o.to != nil && o.to.mask {
			masks++
		}
		order = append(order, o)
		for _, next := range after[k] {
			start[next] = max(start[next], now+2*o.latency)
			if waits[next]--; waits[next] == 0 {
				ready = append(ready, next)
			}
		}
	}
	b.operations = order
}

// better reports whether schedule should place operation i before operation j.
func (b *block) better(i, j, now int, start, length []int, uses map[*node]int, full, masksFull bool) bool {
	if masksFull {
		if gi, gj := b.operations[i].maskGrowth(uses), b.operations[j].maskGrowth(uses); gi != gj {
			return gi < gj
		}
	}
	if full {
		if gi, gj := b.growth(b.operations[i], uses), b.growth(b.operations[j], uses); gi != gj {
			return gi < gj
		}
	}
	if ti, tj := max(start[i], now), max(start[j], now); ti != tj {
		return ti < tj
	}
	if length[i] != length[j] {
		return length[i] > length[j]
	}
	return i < j
}

// growth returns by how much the operation o increases the number of vector registers in use.
func (b *block) growth(o *operation, uses map[*node]int) int {
	growth := 0
	if o.to != nil && !o.to.pinned && !(o.to.mask && b.wide) {
		growth++
	}
	for k, s := range o.sources {
		if s.memory != nil || s.pinned || s.mask && b.wide || seen(s, o.sources[:k]) {
			continue
		}
		times := 0
		for _, r := range o.sources {
			if r == s {
				times++
			}
		}
		if uses[s] == times {
			growth--
		}
	}
	return growth
}

func seen(n *node, list []*node) bool {
	for _, m := range list {
		if m == n {
			return true
		}
	}
	return false
}

// dependencies returns, for each operation, the operations that must come after it, and the number of
// operations for which the operation waits. An ordinary value is assigned once, and its uses come after the
// assignment. Uses of a pinned register or of memory keep the order of the program, except that two loads may
// be exchanged.
func (b *block) dependencies() (after [][]int, waits []int) {
	n := len(b.operations)
	d := &dependencies{
		after: make([][]int, n), waits: make([]int, n),
		definition: map[*node]int{}, readers: map[*node][]int{}, memory: map[Mem]*access{},
	}
	for k, o := range b.operations {
		d.addSources(k, o.sources)
		if o.to != nil {
			d.addAssignment(k, o.to)
		}
		for _, m := range o.reads() {
			d.addLoad(k, d.place(m, b.disjoint))
		}
		if o.stores != nil {
			d.addStore(k, d.place(*o.stores, b.disjoint))
		}
	}
	return d.after, d.waits
}

// dependencies collects the dependencies among the operations that have been added so far.
type dependencies struct {
	after      [][]int
	waits      []int
	definition map[*node]int   // last operation that assigned a node
	readers    map[*node][]int // operations that read a pinned register since its last assignment
	memory     map[Mem]*access
}

// access records the operations that used a place in memory: the last store and the loads since this store.
// The field store is -1 if no operation has stored there.
type access struct {
	store int
	reads []int
}

func (d *dependencies) add(first, second int) {
	d.after[first] = append(d.after[first], second)
	d.waits[second]++
}

// addSources makes operation k wait for the operations that assign its sources.
func (d *dependencies) addSources(k int, sources []*node) {
	for _, s := range sources {
		if definition, ok := d.definition[s]; ok {
			d.add(definition, k)
		}
		if s.pinned {
			d.readers[s] = append(d.readers[s], k)
		}
	}
}

// addAssignment records that operation k assigns the node to. If the assigned node is pinned, operation k
// waits for all earlier uses of the register of the node.
func (d *dependencies) addAssignment(k int, to *node) {
	if to.pinned {
		d.addAll(d.readers[to], k)
		if definition, ok := d.definition[to]; ok {
			d.add(definition, k)
		}
		d.readers[to] = nil
	}
	d.definition[to] = k
}

// addAll makes operation k wait for all of the earlier operations except k itself.
func (d *dependencies) addAll(earlier []int, k int) {
	for _, e := range earlier {
		if e != k {
			d.add(e, k)
		}
	}
}

// place returns the record of the accesses to a place in memory. Unless places are disjoint, all memory
// counts as one place.
func (d *dependencies) place(m Mem, disjoint bool) *access {
	if !disjoint {
		m = Mem{}
	}
	if d.memory[m] == nil {
		d.memory[m] = &access{store: -1}
	}
	return d.memory[m]
}

func (d *dependencies) addLoad(k int, a *access) {
	if a.store >= 0 {
		d.add(a.store, k)
	}
	a.reads = append(a.reads, k)
}

func (d *dependencies) addStore(k int, a *access) {
	if a.store >= 0 {
		d.add(a.store, k)
	}
	d.addAll(a.reads, k)
	a.store, a.reads = k, nil
}

// reads returns the places in memory from which an operation reads, except constants.
func (o *operation) reads() (places []Mem) {
	if o.loads != nil {
		places = append(places, *o.loads)
	}
	for _, s := range o.sources {
		if s.memory != nil && !s.uniform {
			places = append(places, *s.memory)
		}
	}
	return places
}

// maskGrowth returns by how much an operation increases the number of mask registers in use.
func (o *operation) maskGrowth(uses map[*node]int) int {
	growth := 0
	if o.to != nil && o.to.mask {
		growth++
	}
	for _, s := range o.sources {
		if s.mask && uses[s] == 1 {
			growth--
		}
	}
	return growth
}
