//go:build long

package exactlaw

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/floats"
)

// A cell holds the parameters of a law.
type cell struct {
	dim           int
	beta          float64
	attention     overlap.Attention
	m2            float64 // mass of the second cluster; that of the first is 1
	hybrid        bool
	epsilon       float64
	law           finitedepth.ScalarLaw
	depth, layers int
	tolerance     float64
	start         *float64
	accuracy      float64
}

// randomCell draws a cell: most parameters over all magnitudes, and often at an extreme.
func randomCell(r *rand.Rand) (c cell) {
	between := func(least, most float64) float64 { return least * math.Pow(most/least, r.Float64()) }
	chance := func(one int) bool { return r.IntN(one) == 0 }
	whole := func(least, most float64, one int) int {
		if chance(one) {
			return []int{int(least), int(most)}[r.IntN(2)]
		}
		return int(between(least, most+0.5))
	}
	c.dim = whole(2, []float64{12, 100, 10_000}[r.IntN(3)], 4)
	if c.beta = 20 * math.Pow(r.Float64(), 3); chance(8) {
		c.beta = []float64{0, 20}[r.IntN(2)]
	}
	c.attention = overlap.Attention(r.IntN(2))
	c.depth, c.layers = whole(1, 1000, 8), whole(1, []float64{100, 3000, 100_000}[r.IntN(3)], 8)
	c.tolerance = between(1e-12, 0.5)
	if chance(3) {
		c.tolerance = []float64{1e-12, 1e-3, 0.5}[r.IntN(3)]
	}
	c.accuracy = []float64{1e-2, 1e-4, 1e-6, 1e-6, 1e-8}[r.IntN(5)]
	if chance(4) {
		z := 2*r.Float64() - 1
		c.start = &z
	}
	switch c.m2 = 1; {
	case chance(3):
		c.hybrid, c.law, c.epsilon = true, finitedepth.ScalarLaw(r.IntN(4)), 3*r.Float64()
		if c.attention == overlap.Unnormalized && !chance(3) {
			c.epsilon = math.Exp(-c.beta/2) * between(0.3, 6) // near the threshold
		}
		if c.start == nil && chance(2) {
			c.law = finitedepth.Rademacher
		}
	case chance(3):
		c.m2 = between(1.0001, 20)
	}
	return c
}

func (c cell) String() string {
	start := "uniform"
	if c.start != nil {
		start = fmt.Sprint(*c.start)
	}
	model := fmt.Sprintf("masses 1:%v", c.m2)
	if c.hybrid {
		model = fmt.Sprintf("hybrid ε=%v law %d", c.epsilon, c.law)
	}
	return fmt.Sprintf("d=%d β=%v %v %s L=%d, %d layers, tolerance %v, start %s, accuracy %v", c.dim, c.beta,
		c.attention, model, c.depth, c.layers, c.tolerance, start, c.accuracy)
}

func (c cell) recursion() (*Recursion, error) {
	if c.hybrid {
		return Hybrid(c.dim, c.beta, c.attention, c.epsilon, c.law, c.depth)
	}
	return Clusters(c.dim, c.beta, c.attention, 1, 1, c.m2, c.depth)
}

func (c cell) problem() problem { return problem{c.start, c.layers, c.tolerance} }

// A watched solver records its last effort.
type watched struct {
	solver
	effort int
}

func (w *watched) outcomes(p problem, effort int) (law, error) {
	l, err := w.solver.outcomes(p, effort)
	if err == nil {
		w.effort = effort
	}
	return l, err
}

// finer contains the efforts beyond the last one of the package.
var finer = []effort{{0.34, 1e-16, 1e-13}, {0.29, 1e-16, 1e-14}}

// better returns the law with an effort that may be beyond the last one of the package.
func better(s solver, p problem, k int) (law, error) {
	c, ok := s.(*clusters)
	if !ok || k < len(efforts) {
		return s.outcomes(p, k)
	}
	l, err := c.lattice(p, finer[min(k-len(efforts), len(finer)-1)])
	if err != nil {
		return law{}, err
	}
	l.advance(p.layers)
	var o law
	o.antipodal.Value = l.start.mean(l.antipodal.at, l.antipodal.limit, 0)
	o.single.Value = l.start.mean(l.single.at, l.single.limit, 1)
	return o, nil
}

// A verdict on a cell contains the error of an outcome, in units of the printed error. A cell is refused
// if its law is not available, and alone if no greater effort is.
type verdict struct {
	law            Outcomes
	ratio          float64
	refused, alone bool
}

// judge compares the law of a cell with that of two efforts more, or of one more if two are not
// available.
func judge(c cell) (v verdict) {
	r, err := c.recursion()
	if err != nil {
		return verdict{refused: true}
	}
	w := &watched{solver: r.solver}
	v.law, err = (&Recursion{r.dim, w}).solve(c.problem(), c.accuracy)
	if err != nil {
		return verdict{refused: true}
	}
	reference, err := better(r.solver, c.problem(), w.effort+2)
	if err != nil {
		reference, err = better(r.solver, c.problem(), w.effort+1)
	}
	if v.alone = err != nil; v.alone {
		return v
	}
	v.ratio = max(inErrors(v.law.Antipodal, reference.antipodal.Value),
		inErrors(v.law.Single, reference.single.Value))
	return v
}

// inErrors returns the distance of a value from its reference, in units of the printed error. It is 0 if
// both are equal, even for a printed error of 0.
func inErrors(e overlap.Probability, reference float64) float64 {
	if e.Value == reference {
		return 0
	}
	return math.Abs(e.Value-reference) / e.Error
}

var cells = flag.Int("cells", 15, "how many random cells are looked at")

// The printed error covers the true error in random cells, including extremes: compared with greater
// effort and, where that is cheap, with simulated vectors.
func TestErrorsOfRandomCells(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 3))
	largest, refused, alone, simulated := 0.0, 0, 0, 0
	for k := range *cells {
		c := randomCell(random)
		trajectories := rand.New(rand.NewPCG(uint64(k), 7))
		began := time.Now()
		v := judge(c)
		if took := time.Since(began); took > 20*time.Second {
			t.Logf("%v takes %v", c, took)
		}
		switch {
		case v.refused:
			refused++
			continue
		case v.alone:
			alone++
		}
		if !(v.ratio <= 1) {
			t.Errorf("%v: %v is off by %.3g errors", c, v.law, v.ratio)
		}
		largest = max(largest, v.ratio)
		if compared, off := simulate(c, v.law, trajectories); compared {
			if simulated++; off > 5 {
				t.Errorf("%v: %v is off by %.3g standard errors of a simulation", c, v.law, off)
			}
		}
		if k%50 == 49 {
			t.Logf("%d cells: largest ratio %.3g", k+1, largest)
		}
	}
	t.Logf("%d cells: %d refused, %d without greater effort, %d simulated; largest ratio %.3g", *cells,
		refused, alone, simulated, largest)
}

// simulate compares a law with trajectories of recursion (4), computed from its definition, if these need
// few random numbers. It returns the greatest difference in standard errors, which exceeds 5 by chance
// for one seed in a million.
func simulate(c cell, o Outcomes, r *rand.Rand) (compared bool, off float64) {
	const numbers = 4_000_000
	trajectories := numbers / (c.dim * c.layers)
	if c.hybrid || trajectories < 4000 || c.tolerance < 1e-9 {
		return false, 0
	}
	return true, deviation(c, o, trajectories, r)
}

// deviation is how many standard errors a law is off at most from trajectories of the recursion.
func deviation(c cell, o Outcomes, trajectories int, r *rand.Rand) (off float64) {
	var antipodal, single float64
	for range trajectories {
		switch z := overlapAfter(c, r); {
		case z <= -1+c.tolerance:
			antipodal++
		case z >= 1-c.tolerance:
			single++
		}
	}
	n := float64(trajectories)
	for _, x := range [2][2]float64{{antipodal, o.Antipodal.Value}, {single, o.Single.Value}} {
		count, p := x[0], x[1]
		// A small count is not normal: its standard deviation is replaced by that of a count of four if
		// that is greater.
		off = max(off, (math.Abs(count-n*p)-1)/math.Sqrt(max(4, n*p*(1-p))))
	}
	return off
}

// overlapAfter returns the overlap of two clusters after the layers of a cell. Only the images under V of
// the first token, and of the direction of the second token orthogonal to it, matter.
func overlapAfter(c cell, r *rand.Rand) float64 {
	vector := func() []float64 {
		v := make([]float64, c.dim)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		return v
	}
	x, y := vector(), vector()
	normalise(x)
	if normalise(y); c.start != nil {
		z := *c.start
		over := floats.Dot(x, y)
		floats.AddScaled(y, -over, x)
		normalise(y)
		floats.Scale(math.Sqrt(1-z*z), y)
		floats.AddScaled(y, z, x)
	}
	scale := 1 / math.Sqrt(float64(c.depth))
	for range c.layers {
		z := max(-1, min(1, floats.Dot(x, y)))
		own, other := 1.0, math.Exp(c.beta*(z-1))
		own1, other1, own2, other2 := own, c.m2*other, c.m2*own, other
		if c.attention == overlap.Softmax {
			sum1, sum2 := own1+other1, own2+other2
			own1, other1, own2, other2 = own1/sum1, other1/sum1, own2/sum2, other2/sum2
		} else {
			each := math.Exp(c.beta) / (1 + c.m2)
			own1, other1, own2, other2 = each*own1, each*other1, each*own2, each*other2
		}
		vx, vy := vector(), vector()
		floats.Scale(math.Sqrt(1-z*z), vy)
		floats.AddScaled(vy, z, vx)
		for i := range x {
			x[i] += scale * (own1*vx[i] + other1*vy[i])
			y[i] += scale * (own2*vy[i] + other2*vx[i])
		}
		normalise(x)
		normalise(y)
	}
	return floats.Dot(x, y)
}

func normalise(x []float64) { floats.Scale(1/floats.Norm(x, 2), x) }

// Noise of unequal clusters that almost oppose each other may turn both vectors the same way, in many
// dimensions to densities of less than 1e-300 of the greatest one where they do not turn: the law is that of
// simulated vectors, in 20,000 trajectories. One of these twelve numbers is off by more than 4.5 standard
// errors by chance once in 12,000.
func TestUnequalClustersThatTurn(t *testing.T) {
	for _, c := range []cell{
		{dim: 300, beta: 5, attention: overlap.Softmax, m2: 2.1, depth: 2, layers: 6, tolerance: 0.1},
		{dim: 4, beta: 5, attention: overlap.Unnormalized, m2: 2, depth: 100, layers: 10, tolerance: 0.1},
		{dim: 10, beta: 5, attention: overlap.Unnormalized, m2: 1.5, depth: 30, layers: 30, tolerance: 0.1},
		{dim: 3, beta: 6, attention: overlap.Unnormalized, m2: 1.02, depth: 50, layers: 20, tolerance: 0.1},
		{dim: 2, beta: 5, attention: overlap.Unnormalized, m2: 2, depth: 50, layers: 10, tolerance: 0.1},
		{dim: 60, beta: 7, attention: overlap.Unnormalized, m2: 1.3, depth: 60, layers: 10, tolerance: 0.3},
	} {
		r := recursion(t, c.dim, c.beta, c.attention, 1, 1, c.m2, c.depth)
		o := must.Get(r.Uniform(c.layers, c.tolerance, 1e-6))(t)
		if off := deviation(c, o, 20_000, rand.New(rand.NewPCG(5, 7))); !(off <= 4.5) {
			t.Errorf("%v: %v is off by %.3g standard errors", c, o, off)
		}
	}
}
