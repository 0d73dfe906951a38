package exactlaw

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// A derivedCell is a recursion for each value of a parameter, by which it is differentiated at x.
type derivedCell struct {
	name     string
	at       func(x float64) (*Recursion, error)
	by       overlap.Parameter
	x        float64
	problem  problem
	accuracy float64
}

func (c derivedCell) String() string {
	start := "uniform"
	if z0 := c.problem.start; z0 != nil {
		start = fmt.Sprint(*z0)
	}
	return fmt.Sprintf("%s, by %v at %v, %d layers, tolerance %.3g, start %s, accuracy %.0g", c.name, c.by,
		c.x, c.problem.layers, c.problem.tolerance, start, c.accuracy)
}

// drawDerived draws a cell, often at a corner: recursion (4), with an MLP or without, or (7) with any law of
// the scalar.
func drawDerived(random *rand.Rand) (c derivedCell) {
	chance := func(one int) bool { return random.IntN(one) == 0 }
	linear := func(low, high float64) float64 { return low + (high-low)*random.Float64() }
	between := func(low, high float64) float64 { return low * math.Pow(high/low, random.Float64()) }
	dim := 2 + random.IntN(9)
	switch {
	case chance(5):
		dim = 2
	case chance(8):
		dim = int(between(11, 1000))
	}
	attention := overlap.Attention(random.IntN(2))
	beta := linear(0.1, 3)
	if chance(8) {
		beta = 0
	}
	if attention == overlap.Unnormalized {
		beta *= 0.4
	}
	depth := int(between(5, 300))
	if chance(12) {
		depth = 1 + random.IntN(4)
	}
	most := []float64{8, 30 * float64(depth), 3000 * float64(depth)}[random.IntN(3)]
	c.problem = problem{nil, int(between(1, min(max(most, 8), 1e5))), between(1e-6, 0.3)}
	if chance(4) {
		z0 := linear(-0.95, 0.95)
		c.problem.start = &z0
	}
	c.accuracy = []float64{1e-3, 1e-5, 1e-5, 1e-5}[random.IntN(4)]
	if chance(2) {
		c.scalar(random, dim, beta, attention, max(10, depth))
	} else {
		c.matrix(random, dim, beta, attention, depth)
	}
	return c
}

// matrix makes it a cell of recursion (4).
func (c *derivedCell) matrix(
	random *rand.Rand, dim int, beta float64, attention overlap.Attention, depth int,
) {
	mlp := overlap.MLP{Activation: activation.Tanh, Strength: 0.5 * random.Float64(),
		Variance: 0.5 + 4*random.Float64()}
	if random.IntN(2) == 0 {
		mlp.Strength = 0
	}
	of := func(beta, sigma float64) (*Recursion, error) {
		r, err := Clusters(dim, beta, attention, sigma, 1, 1, depth)
		if err != nil {
			return nil, err
		}
		return r.WithMLP(mlp)
	}
	c.x, c.at = beta, func(x float64) (*Recursion, error) { return of(x, 1) }
	if random.IntN(2) == 0 {
		c.by, c.x = overlap.BySigma, 0.5+random.Float64()
		c.at = func(x float64) (*Recursion, error) { return of(beta, x) }
	}
	c.name = fmt.Sprintf("d = %d, β = %v, %v, L = %d, %v", dim, beta, attention, depth, mlp)
}

// scalar makes it a cell of recursion (7).
func (c *derivedCell) scalar(
	random *rand.Rand, dim int, beta float64, attention overlap.Attention, depth int,
) {
	law, epsilon := finitedepth.ScalarLaw(random.IntN(4)), 0.3+1.2*random.Float64()
	if attention == overlap.Unnormalized {
		epsilon *= math.Exp(-0.5 * beta)
	}
	if random.IntN(8) == 0 {
		epsilon = 0
	}
	if law == finitedepth.Rademacher || epsilon == 0 {
		c.problem.start = nil
	}
	of := func(beta, epsilon float64) (*Recursion, error) {
		return Hybrid(dim, beta, attention, epsilon, law, depth)
	}
	c.x, c.at = beta, func(x float64) (*Recursion, error) { return of(x, epsilon) }
	if epsilon > 0 && random.IntN(2) == 0 {
		c.by, c.x = overlap.ByEpsilon, epsilon
		c.at = func(x float64) (*Recursion, error) { return of(beta, x) }
	}
	c.name = fmt.Sprintf("hybrid, d = %d, β = %v, ε = %v, %v, L = %d, law %d", dim, beta, epsilon, attention,
		depth, law)
}

// derivatives are those of the cell; not ok where they are not known.
func (c derivedCell) derivatives() (d Derivatives, ok bool, err error) {
	r, err := c.at(c.x)
	if err != nil {
		return d, false, nil
	}
	if p := c.problem; p.start != nil {
		return r.FromDerivative(*p.start, c.by, p.layers, p.tolerance, c.accuracy)
	}
	return r.UniformDerivative(c.by, c.problem.layers, c.problem.tolerance, c.accuracy)
}

// differences returns the derivatives of both outcomes from laws with one effort, at an even number of places
// h apart, to both sides as far as parameters are allowed, and the same without the two places that are
// farthest. It is not ok where a law is not available.
func (c derivedCell) differences(places int, h float64, effort int) (values, rougher [2]float64, ok bool) {
	at := c.places(places, h)
	weights, fewer := slopeAtZero(at), c.places(places-2, h)
	first := slices.Index(at, fewer[0])
	less := slopeAtZero(fewer)
	for k := range at {
		r, err := c.at(max(0, c.x+at[k]))
		if err != nil {
			return values, rougher, false
		}
		o, err := r.solver.outcomes(c.problem, effort)
		if err != nil {
			return values, rougher, false
		}
		for i, p := range [2]float64{o.antipodal.Value, o.single.Value} {
			values[i] += weights[k] * p
			if inner := k - first; inner >= 0 && inner < len(less) {
				rougher[i] += less[inner] * p
			}
		}
	}
	return values, rougher, true
}

// places are those about 0, from the middle on both sides, or from that of the least parameter on.
func (c derivedCell) places(count int, h float64) (at []float64) {
	half := count / 2
	if c.x < h*float64(half) {
		for k := range count + 1 {
			at = append(at, h*float64(k)-min(c.x, h))
		}
		return at
	}
	for k := 1; k <= half; k++ {
		at = append(at, h*float64(k), -h*float64(k))
	}
	slices.Sort(at)
	return at
}

// slopeAtZero returns the weights of values at some places in the slope at 0 of the polynomial through them.
func slopeAtZero(at []float64) []float64 {
	weights := make([]float64, len(at))
	for j, x := range at {
		for m := range at {
			if m == j {
				continue
			}
			product := 1 / (x - at[m])
			for k := range at {
				if k != j && k != m {
					product *= -at[k] / (x - at[k])
				}
			}
			weights[j] += product
		}
	}
	return weights
}

// step is the distance of two places of differences: derivatives of the hybrid grow with 1/ε.
func (c derivedCell) step() float64 {
	if c.by == overlap.ByEpsilon {
		return 0.01 * min(1, c.x)
	}
	return 0.01
}

// reference returns the derivatives by differences and the estimate of their error: of few laws, where what
// is looked at is nearer to them than most of its own error, else of more with more effort.
func (c derivedCell) reference(
	got Derivatives, efforts [2]int,
) (values [2]float64, failure float64, ok bool) {
	seen := [2]float64{got.Antipodal.Value, got.Single.Value}
	for effort := efforts[0]; effort < efforts[1]; effort++ {
		values, _, ok = c.differences(4, 0.5*c.step(), effort)
		if ok && farthest(values, seen) <= 0.8*got.Antipodal.Error {
			return values, 0, true
		}
	}
	values, rougher, ok := c.differences(8, c.step(), efforts[1])
	return values, farthest(values, rougher), ok
}

// farthest is the greatest distance of two values.
func farthest(a, b [2]float64) float64 { return max(math.Abs(a[0]-b[0]), math.Abs(a[1]-b[1])) }

// A scan is what comparing cells has shown.
type scan struct {
	compared, known int
	largest         float64 // of the ratios of differences to errors
	greatest        float64 // of the differences
}

// compare compares the derivatives of a cell.
func (s *scan) compare(t *testing.T, c derivedCell) {
	t.Helper()
	got, ok, err := c.derivatives()
	if !ok || err != nil {
		return
	}
	efforts := [2]int{4, 6}
	if r := must.Get(c.at(c.x))(t); r.solver.lastEffort() > efforts[1] { // of the hybrid
		efforts = [2]int{5, 7}
	}
	values, failure, ok := c.reference(got, efforts)
	if !ok {
		return
	}
	s.compared++
	if got.Antipodal.Error < 1e-3 {
		s.known++
	}
	for k, d := range []overlap.Derivative{got.Antipodal, got.Single} {
		off := math.Abs(d.Value - values[k])
		ratio := off / (d.Error + failure)
		s.largest, s.greatest = max(s.largest, ratio), max(s.greatest, off)
		if !(ratio < 1) {
			t.Errorf("%v, outcome %d: %v ± %.1g, differences %v ± %.1g", c, k, d.Value, d.Error, values[k],
				failure)
		}
	}
}

// scanDerivatives compares random cells, corners included, with differences of laws, which know nothing of
// derivatives: those are checked against other programs and all paths.
func scanDerivatives(t *testing.T, cells int) {
	random := rand.New(rand.NewPCG(40, 3))
	var s scan
	for drawn := 1; s.compared < cells; drawn++ {
		if s.compare(t, drawDerived(random)); drawn > 10+2*cells {
			t.Fatalf("only %d of %d cells have derivatives", s.compared, drawn)
		}
	}
	t.Logf("%d cells, %d of them known to 1e-3, off by at most %.1g, largest ratio to the errors %.3g",
		s.compared, s.known, s.greatest, s.largest)
	if s.known < s.compared*9/10 {
		t.Errorf("only %d of %d derivatives are known to 1e-3", s.known, s.compared)
	}
}

func TestDerivativesAgainstDifferences(t *testing.T) { scanDerivatives(t, 3) }

// Derivatives of recursion (7) from one overlap agree with differences: mass moves on the lattice there,
// where from a uniform start values are taken from it.
func TestDerivativesFromAnOverlapAgainstDifferences(t *testing.T) {
	start := 0.1
	at := func(attention overlap.Attention, beta, epsilon float64) (*Recursion, error) {
		return Hybrid(3, beta, attention, epsilon, finitedepth.Uniform, 12)
	}
	c := derivedCell{name: "hybrid from an overlap", problem: problem{&start, 25, 0.1}, accuracy: 1e-3}
	var s scan
	c.by, c.x = overlap.ByBeta, 0.7
	c.at = func(x float64) (*Recursion, error) { return at(overlap.Softmax, x, 0.8) }
	s.compare(t, c)
	c.by, c.x = overlap.ByEpsilon, 0.8
	c.at = func(x float64) (*Recursion, error) { return at(overlap.Unnormalized, 0.7, x) }
	s.compare(t, c)
	if s.compared != 2 || s.greatest > 1e-4 {
		t.Errorf("%d derivatives are compared, and are off by up to %v", s.compared, s.greatest)
	}
}
