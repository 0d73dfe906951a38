package fokkerplanck

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sphere/must"
)

var derived = flag.Int("derivatives", 0, "random cells of derivatives at a horizon; 0 for a sample")

// A derivedCell is a cell with a parameter with respect to which its law is differentiated, at the value
// x.
type derivedCell struct {
	scanCell
	by overlap.Parameter
	x  float64
}

func (c derivedCell) String() string { return fmt.Sprintf("%v by %v", c.scanCell, c.by) }

// at returns the cell with another value of the parameter. A change of σ only rescales time.
func (c derivedCell) at(x float64) scanCell {
	cell := c.scanCell
	switch c.by {
	case overlap.ByBeta:
		cell.pair.beta = x
	case overlap.ByEpsilon:
		cell.pair.epsilon = x
	case overlap.BySigma:
		cell.horizon *= x * x
	}
	return cell
}

// drawDerived draws a cell with equal masses: attention with random value matrices, with independent
// entries or not, or the hybrid model.
func drawDerived(random *rand.Rand) (c derivedCell) {
	between := func(low, high float64) float64 { return low + (high-low)*random.Float64() }
	c.z0, c.horizon = math.NaN(), math.Exp(between(math.Log(0.1), math.Log(300)))
	c.tolerance = math.Pow(10, between(-4, -1))
	p := &c.pair
	*p = plainPair{dim: 2 + random.IntN(11), m1: 1, m2: 1, beta: between(0.1, 4),
		unnormalized: random.IntN(2) == 0}
	if p.unnormalized {
		p.beta *= 0.4
	}
	if random.IntN(3) == 0 {
		c.z0 = between(-0.95, 0.95)
	}
	c.x = p.beta
	switch random.IntN(4) {
	case 0:
		single, _ := overlap.HybridThresholds(p.beta, attentionOf(p.unnormalized))
		p.epsilon = single * between(0.75, 1.05)
		if random.IntN(2) == 0 {
			c.by, c.x = overlap.ByEpsilon, p.epsilon
		}
	case 1:
		p.noise = &overlap.Covariance{A: 1, B: between(-0.3, 0.5), C: between(0, 0.5)}
	case 2:
		c.by, c.x = overlap.BySigma, 1
	}
	return c
}

// derivative returns the derivatives of P(antipodal) and P(single) computed by this package.
func (c derivedCell) derivative() (values [2]overlap.Derivative, err error) {
	p := c.pair
	attention := attentionOf(p.unnormalized)
	d, err := overlap.New(p.dim, p.beta, attention, 1)
	switch {
	case p.epsilon > 0:
		d, err = overlap.NewHybrid(p.dim, p.beta, attention, p.epsilon)
	case p.noise != nil:
		d, err = overlap.NewIsotropic(p.dim, p.beta, attention, 1, *p.noise, 1, 1)
	}
	if err != nil {
		return values, err
	}
	laws, ok, err := UniformDerivative(d, c.by, []float64{c.horizon}, 1e-6)
	if c.z0 == c.z0 {
		laws, ok, err = FromDerivative(d, c.z0, c.by, []float64{c.horizon}, 1e-6)
	}
	if err != nil || !ok {
		return values, fmt.Errorf("no derivative: %v", err)
	}
	return [2]overlap.Derivative{laws[0].Antipodal(c.tolerance), laws[0].Single(c.tolerance)}, nil
}

// differences returns the same derivatives from the second solver on a fixed domain, by Richardson
// extrapolation with steps h and 2h. The estimated error combines the change by extrapolation with those
// by finer cells and time steps.
func (c derivedCell) differences(threshold float64) (value, failure float64) {
	const cells, step = 400, 2e-3
	u0 := math.NaN()
	if c.z0 == c.z0 {
		u0 = math.Atanh(c.z0)
	}
	left, right := c.pair.walls(u0, threshold, 1.1*c.horizon)
	p := func(x float64, cells int, pace float64) float64 {
		at := c.at(x)
		at.pair.left, at.pair.right = left, right
		return at.pair.solve(u0, threshold, at.horizon, cells, pace)
	}
	slope := func(h float64, cells int, pace float64) float64 {
		return (p(c.x+h, cells, pace) - p(c.x-h, cells, pace)) / (2 * h)
	}
	coarse, middle, fine := slope(step, cells, 0.04), slope(step, 2*cells, 0.02), slope(step, 4*cells, 0.01)
	wide := slope(2*step, 2*cells, 0.02)
	once, before := fine+(fine-middle)/3, middle+(middle-coarse)/3
	value = once + (once-before)/15 + (middle-wide)/3
	return value, math.Abs(once-before) + 0.1*(math.Abs(fine-middle)+math.Abs(middle-wide)) + 1e-8
}

// Every derivative agrees with differences of the second solver to within its estimated error plus the
// uncertainty of the differences. It counts as compared if the differences are known to 1e-3.
func TestDerivativesAgainstDifferences(t *testing.T) {
	cells := *derived
	switch {
	case cells == 0 && longtest.Enabled:
		cells = 25
	case cells == 0:
		cells = 4
	}
	random := rand.New(rand.NewPCG(40, 2))
	compared, known, largest, greatest := 0, 0, 0.0, 0.0
	for compared < cells {
		c := drawDerived(random)
		got, err := c.derivative()
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		edge := math.Atanh(1 - c.tolerance)
		for k, sign := range []float64{1, -1} {
			want, failure := c.differences(-sign * edge)
			want *= sign
			if !(failure < 1e-3) {
				continue
			}
			compared++
			if got[k].Error < 1e-5 {
				known++
				greatest = max(greatest, math.Abs(got[k].Value-want))
			}
			ratio := math.Abs(got[k].Value-want) / (got[k].Error + failure)
			largest = max(largest, ratio)
			if !(ratio <= 1) || !(got[k].Error < 0.01) {
				t.Errorf("%v, outcome %d: derivative %v ± %.1g, differences %v ± %.1g", c, k, got[k].Value,
					got[k].Error, want, failure)
			}
		}
	}
	t.Logf("%d derivatives, %d of them known to 1e-5, which are off by at most %.1g; largest ratio to the "+
		"errors %.3g", compared, known, greatest, largest)
	if known < compared*9/10 {
		t.Errorf("only %d of %d derivatives are known to 1e-5", known, compared)
	}
}

// If ends attract, the derivative at long times is that of the limit. As σ only rescales time, σ
// dP/dσ = 2T dP/dT. The derivative of a mean agrees with differences.
func TestDerivativesThatAreKnown(t *testing.T) {
	d := diffusion(t, 3, 1)
	laws, ok, err := UniformDerivative(d, overlap.ByBeta, []float64{5, 400}, 1e-7)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	limit, _ := d.AntipodalUniformDerivative(overlap.ByBeta)
	late := laws[1].Antipodal(1e-3)
	near(t, "dP/dβ in the end", late.Value, limit.Value, late.Error+1e-9)
	bySigma, _, err := UniformDerivative(d, overlap.BySigma, []float64{5}, 1e-8)
	if err != nil {
		t.Fatal(err)
	}
	const h = 0.01
	around := must.Get(Uniform(d, []float64{5 * (1 - h), 5 * (1 + h)}, 1e-9))(t)
	change := (around[1].Antipodal(1e-3).Value - around[0].Antipodal(1e-3).Value) / h
	near(t, "dP/dσ", bySigma[0].Antipodal(1e-3).Value, change, 1e-5)
	mean := func(beta float64) float64 {
		laws := must.Get(Uniform(diffusion(t, 3, beta), []float64{5}, 1e-9))(t)
		return laws[0].Expectation(func(z float64) float64 { return z })
	}
	byBeta := laws[0].Expectation(func(z float64) float64 { return z })
	near(t, "dE Z/dβ", byBeta, (mean(1+h)-mean(1-h))/(2*h), 1e-4)
}

// The error of a derivative covers errors of cells, steps and domain, rounding in proportion to its greatest
// value, and the interpolation error where it bends.
func TestErrorOfADerivative(t *testing.T) {
	const n = 40
	constant := func(v float64) []float64 { return slices.Repeat([]float64{v}, n) }
	for size, want := range map[float64]float64{0.25: 0.375 + 1e-10, -4e6: 0.375 + 4e-4} {
		s := solution{grid: grid{first: -2, width: 0.1, nodes: n, middle: n / 2},
			laws:        [][]float64{constant(0.5), constant(size)},
			uncertainty: [][]float64{constant(0.01), constant(0.125)}}
		derivatives := s.derivatives([]float64{3}, []float64{0.02, 0.25})
		if len(derivatives) != 1 || derivatives[0].Time != 3 {
			t.Fatalf("%+v", derivatives)
		}
		near(t, "error", derivatives[0].Error, want, 1e-12)
		near(t, "value", derivatives[0].Antipodal(1).Value, size, 1e-9*math.Abs(size))
		bent := constant(0)
		bent[n/2] = size
		s.laws[1] = bent
		if e := s.derivatives([]float64{3}, []float64{0.02, 0.25})[0].Error; !(e > want+0.03*math.Abs(size)) {
			t.Errorf("error %v of a derivative with a corner of %v", e, size)
		}
	}
}

// Unknown derivatives are reported as such, and invalid arguments are rejected.
func TestUnknownDerivatives(t *testing.T) {
	unequal := must.Get(overlap.NewMasses(4, 1, overlap.Softmax, 1, 1, 2))(t)
	still := must.Get(overlap.NewHybrid(4, 1, overlap.Softmax, 0))(t)
	random := must.Get(overlap.NewResampled(4, 1, overlap.Softmax, 1, 0.5, overlap.Ginibre))(t)
	all := map[string]*overlap.Diffusion{"unequal": unequal, "no noise": still, "random": random}
	for name, d := range all {
		if _, known, err := UniformDerivative(d, overlap.ByBeta, []float64{1}, 1e-4); known || err != nil {
			t.Errorf("%s: %v, %v", name, known, err)
		}
	}
	d := diffusion(t, 4, 1)
	if _, known, _ := UniformDerivative(d, overlap.ByEpsilon, []float64{1}, 1e-4); known {
		t.Error("ε without a hybrid")
	}
	for _, z0 := range []float64{-1, 1} {
		laws, known, err := FromDerivative(d, z0, overlap.ByBeta, []float64{1}, 1e-4)
		if err != nil || !known || laws[0].Antipodal(0.1) != (overlap.Derivative{}) {
			t.Errorf("from %v: %v, %v, %v", z0, laws, known, err)
		}
	}
	if _, _, err := FromDerivative(d, 2, overlap.ByBeta, []float64{1}, 1e-4); err == nil {
		t.Error("z0 = 2")
	}
	if _, _, err := UniformDerivative(d, overlap.ByBeta, []float64{-1}, 1e-4); err == nil {
		t.Error("time -1")
	}
}

// The derivative of the Bernoulli function agrees with differences, also where its series is used.
func TestBernoulliDerivative(t *testing.T) {
	for _, x := range []float64{-800, -30, -0.3001, -0.2999, -1e-3, 0, 1e-3, 0.2999, 0.3001, 5, 800} {
		const h = 1e-4
		near(t, "slope", bernoulliDerivative(x), (bernoulli(x+h)-bernoulli(x-h))/(2*h), 1e-9)
	}
	for x, want := range map[float64]float64{ // of 40 digits
		-0.2999: -0.54983396318418889319, -0.1: -0.51666111309457692828, 0.05: -0.49166736104911230945,
		0.2999: -0.45016603681581110681, 0.31: -0.44849827266429223711, 2: -0.20551318773348958139,
	} {
		// The terms left out of the series are 1.1e-14 at 0.3.
		near(t, "slope", bernoulliDerivative(x), want, 1.5e-14)
	}
}

// A tolerance that cannot be reached leads to the more accurate scheme, central differences. The literal is
// the result of the other scheme, whose estimated error is 2e-7.
func TestDerivativeWithAToleranceOutOfReach(t *testing.T) {
	d := must.Get(overlap.NewHybrid(3, 1.75, overlap.Unnormalized, 0.8))(t)
	laws, ok, err := UniformDerivative(d, overlap.ByEpsilon, []float64{5}, 1e-6)
	if err != nil || !ok || !(laws[0].Error > 1e-6 && laws[0].Error < 2e-5) {
		t.Fatalf("%v, %v, %v", laws, ok, err)
	}
	got := laws[0].Antipodal(1e-3)
	near(t, "derivative", got.Value, 0.02269762554, 1e-9)
	if !(got.Error < 3e-8) {
		t.Errorf("error %v", got.Error)
	}
}

// The derivatives of the rates of a chain are those of their differences, for both schemes, where the scheme
// central differs and far outside.
func TestDerivativesOfFluxRates(t *testing.T) {
	const step = 1e-5
	for _, s := range []scheme{scharfetterGummel, central} {
		for _, u := range []float64{-12, -10, -1, 0, 9.5, 30} {
			for _, rise := range []float64{-3, -0.3, -0.01, 0, 0.2, 0.5, 4} {
				before, after := s.fluxRates(rise-step, u), s.fluxRates(rise+step, u)
				got := s.downDerivative(rise, u)
				near(t, "down", got, (after.down-before.down)/(2*step), 1e-9)
				near(t, "up", got+1, (after.up-before.up)/(2*step), 1e-9)
			}
		}
	}
}

// Derivatives of a law that stays at an end are 0, are refused like others, and may be unknown.
func TestDerivativesAtTheEnds(t *testing.T) {
	d := diffusion(t, 3, 1)
	for _, z0 := range []float64{-1, 1} {
		laws, ok, err := FromDerivative(d, z0, overlap.ByBeta, []float64{1, 3}, 0.1)
		if len(laws) != 2 || !ok || err != nil || laws[1].Time != 3 ||
			laws[1].Antipodal(0.1) != (overlap.Derivative{}) || laws[1].Single(0.1).Value != 0 {
			t.Errorf("from %v: %v, %v, %v", z0, laws, ok, err)
		}
		if laws, ok, err := FromDerivative(d, z0, overlap.ByBeta, nil, 0.1); laws != nil || ok ||
			err == nil || err.Error() != "fokkerplanck: no time is given" {
			t.Errorf("without times, from %v: %v, %v, %v", z0, laws, ok, err)
		}
		if laws, ok, err := FromDerivative(d, z0, overlap.ByEpsilon, []float64{1}, 0.1); laws != nil || ok ||
			err != nil {
			t.Errorf("unknown, from %v: %v, %v, %v", z0, laws, ok, err)
		}
	}
}
