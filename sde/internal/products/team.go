package products

// team is the goroutines of a Multiplier.
type team struct {
	workers int
	packers []packer
}

func newTeam(workers int) team { return team{workers: workers, packers: make([]packer, workers)} }

func (t *team) run(p product) {
	t.packers[0].compute(active(), &p, part{bottom: p.c.Rows, right: p.c.Cols})
}
