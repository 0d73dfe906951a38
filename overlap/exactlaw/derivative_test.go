package exactlaw

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sphere/activation"
)

var derived = flag.Int("derivatives", 0, "random cells of derivatives at a depth; 0 for a sample")

// A derivedCell is a recursion as a function of a parameter, with respect to which it is differentiated
// at x.
type derivedCell struct {
	name   string
	at     func(x float64) (*Recursion, error)
	by     overlap.Parameter
	x      float64
	layers int
	tau    float64
	z0     float64 // NaN for uniform tokens
}

// drawDerived draws a cell: recursion (4), with or without an MLP, or (7) with any law of the scalar.
func drawDerived(random *rand.Rand) (c derivedCell) {
	between := func(low, high float64) float64 { return low + (high-low)*random.Float64() }
	dim, depth := 2+random.IntN(9), 5+random.IntN(36)
	attention := overlap.Attention(random.IntN(2))
	c.x = between(0.1, 3)
	if attention == overlap.Unnormalized {
		c.x *= 0.3
	}
	beta := c.x
	c.layers, c.tau, c.z0 = 1+random.IntN(20*depth), math.Pow(10, between(-3, -1)), math.NaN()
	if random.IntN(4) == 0 {
		c.z0 = between(-0.9, 0.9)
	}
	if random.IntN(2) == 0 {
		return c.hybrid(random, dim, beta, attention, depth)
	}
	mlp := overlap.MLP{Activation: activation.Tanh, Strength: between(0, 0.5), Variance: between(0.5, 4)}
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
	c.at = func(x float64) (*Recursion, error) { return of(x, 1) }
	if random.IntN(2) == 0 {
		c.by, c.x = overlap.BySigma, between(0.6, 1.2)
		c.at = func(x float64) (*Recursion, error) { return of(beta, x) }
	}
	c.name = fmt.Sprintf("d = %d, β = %v, %v, L = %d, %v", dim, beta, attention, depth, mlp)
	return c
}

// hybrid converts the cell to one of recursion (7), with so little noise that no layer turns a token
// around.
func (c derivedCell) hybrid(
	random *rand.Rand, dim int, beta float64, attention overlap.Attention, depth int,
) derivedCell {
	law := finitedepth.ScalarLaw(random.IntN(4))
	depth = max(depth, 60)
	epsilon := 0.7 + 0.5*random.Float64()
	if attention == overlap.Unnormalized {
		epsilon *= math.Exp(-0.5 * beta)
	}
	of := func(beta, epsilon float64) (*Recursion, error) {
		return Hybrid(dim, beta, attention, epsilon, law, depth)
	}
	c.at = func(x float64) (*Recursion, error) { return of(x, epsilon) }
	if random.IntN(2) == 0 {
		c.by, c.x = overlap.ByEpsilon, epsilon
		c.at = func(x float64) (*Recursion, error) { return of(beta, x) }
	}
	if law == finitedepth.Rademacher {
		c.z0 = math.NaN()
	}
	c.name = fmt.Sprintf("hybrid, d = %d, β = %v, ε = %v, %v, L = %d, law %d", dim, beta, epsilon, attention,
		depth, law)
	return c
}

// law returns the law of the cell at a value of the parameter.
func (c derivedCell) law(t *testing.T, x, accuracy float64) Outcomes {
	t.Helper()
	r, err := c.at(x)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	o, err := r.Uniform(c.layers, c.tau, accuracy)
	if c.z0 == c.z0 {
		o, err = r.From(c.z0, c.layers, c.tau, accuracy)
	}
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return o
}

// differences returns Richardson extrapolations of both outcomes, with estimated errors: the change by
// the last extrapolation plus the errors of the laws.
func (c derivedCell) differences(t *testing.T) (values, failures [2]float64) {
	const h = 0.01
	slopes := func(h float64) (values [2]float64, failure float64) {
		high, low := c.law(t, c.x+h, 1e-9), c.law(t, c.x-h, 1e-9)
		values = [2]float64{high.Antipodal.Value - low.Antipodal.Value, high.Single.Value - low.Single.Value}
		return [2]float64{values[0] / (2 * h), values[1] / (2 * h)},
			(high.Antipodal.Error + low.Antipodal.Error) / (2 * h)
	}
	near, failure := slopes(h)
	middle, _ := slopes(2 * h)
	far, _ := slopes(4 * h)
	for k := range values {
		once, before := near[k]+(near[k]-middle[k])/3, middle[k]+(middle[k]-far[k])/3
		values[k] = once + (once-before)/15
		failures[k] = 0.5*math.Abs(once-before) + failure
	}
	return values, failures
}

// Every derivative agrees with differences of laws to within its estimated error. The laws are
// independent of the derivatives, and are checked against other programs and sums over all paths. The
// errors of both laws of a difference are included.
func TestDerivativesAgainstDifferences(t *testing.T) {
	cells := *derived
	if cells == 0 {
		cells = 6
	}
	random := rand.New(rand.NewPCG(40, 3))
	known, compared, largest, greatest := 0, 0, 0.0, 0.0
	for compared < cells {
		c := drawDerived(random)
		r, err := c.at(c.x)
		if err != nil {
			continue // a layer may turn a token around
		}
		_, above := c.at(c.x + 0.04) // the largest value used in differences
		_, below := c.at(c.x - 0.04)
		if above != nil || below != nil || !r.solver.hasDerivative(c.by) {
			continue
		}
		d, ok, err := r.UniformDerivative(c.by, c.layers, c.tau, 1e-7)
		if c.z0 == c.z0 {
			d, ok, err = r.FromDerivative(c.z0, c.by, c.layers, c.tau, 1e-7)
		}
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", c.name, ok, err)
		}
		values, failures := c.differences(t)
		compared++
		if d.Antipodal.Error < 1e-5 {
			known++
		}
		for k, got := range []overlap.Derivative{d.Antipodal, d.Single} {
			ratio := math.Abs(got.Value-values[k]) / (got.Error + failures[k])
			largest = max(largest, ratio)
			greatest = max(greatest, math.Abs(got.Value-values[k]))
			if !(ratio <= 1) {
				t.Errorf("%s, by %v, %d layers, τ = %.2g, z0 = %v, outcome %d: %v ± %.1g, differences %v ± "+
					"%.1g", c.name, c.by, c.layers, c.tau, c.z0, k, got.Value, got.Error, values[k],
					failures[k])
			}
		}
	}
	t.Logf("%d cells, %d of them known to 1e-5, off by at most %.1g, largest ratio to the errors %.3g",
		compared, known, greatest, largest)
	if known < compared*9/10 {
		t.Errorf("only %d of %d derivatives are known to 1e-5", known, compared)
	}
}
