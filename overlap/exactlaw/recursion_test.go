package exactlaw

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// A value from another program, computed to 1e-5 by cubature in four dimensions and splines. Simulations
// with these parameters gave 0.1227 ± 0.0002 and 0.8747 ± 0.0002.
func TestLawOfAnotherProgram(t *testing.T) {
	o := uniform(t, recursion(t, 4, 1.1, overlap.Softmax, 1, 1, 1, 10), 300, 1e-6)
	near(t, "P(antipodal)", o.Antipodal.Value, 0.12267, 1e-5)
	near(t, "P(single)", o.Single.Value, 0.87477, 1e-5)
}

// Laws that are not available are refused, with the reason.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"depth":  {second(Clusters(4, 1, overlap.Softmax, 1, 1, 1, 0)), "depth 0 is not allowed"},
		"mass":   {second(Clusters(4, 1, overlap.Softmax, 1, 1, -1, 5)), "mass -1 is not allowed"},
		"noise":  {second(Clusters(4, 9, overlap.Unnormalized, 1, 1, 1, 5)), "variance of a layer's noise"},
		"law":    {second(Hybrid(4, 1, overlap.Softmax, 1, 4, 5)), "law 4 is not allowed"},
		"layers": {refusal(t, -1, 1e-3), "-1 layers are not allowed"},
		"open":   {refusal(t, 3, 1), "tolerance 1 is not allowed"},
		"points": {pointRefusal(t), "single points"},
		"states": {refusalNear(t, math.Sqrt2), "are more than 20000 states"},
		"time":   {refusalNear(t, 1.409), "layers on "},
		"weak":   {weakRefusal(t), "are more than 150000 states"},

		"tolerance from +1": {refusalFrom(t, 1, 5, 5), "tolerance 5 is not allowed"},
		"layers from +1":    {refusalFrom(t, 1, -1, 0.1), "-1 layers are not allowed"},
		"tolerance from -1": {refusalFrom(t, -1, 3, math.NaN()), "tolerance NaN is not allowed"},
		"no layers":         {refusalFrom(t, 0.3, 0, 7), "tolerance 7 is not allowed"},

		"states of a derivative": {derivativeNear(t, math.Sqrt2), "are more than 20000 states"},
		"time of a derivative":   {derivativeNear(t, 1.409), "1099511627776 layers on "},
		"points of a derivative": {pointDerivative(t), "single points"},
		"preimages": {checkPreimages(make([]float64, 101), grid{count: 10_000}),
			"101 values of the scalar on 10000 points"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, c.err, c.want)
		}
	}
}

func second(_ *Recursion, err error) error { return err }

func refusal(t *testing.T, layers int, tolerance float64) error {
	_, err := recursion(t, 4, 1, overlap.Softmax, 1, 1, 1, 5).Uniform(layers, tolerance, 1e-6)
	return err
}

func refusalFrom(t *testing.T, z0 float64, layers int, tolerance float64) error {
	_, err := recursion(t, 4, 1, overlap.Softmax, 1, 1, 1, 5).From(z0, layers, tolerance, 1e-6)
	return err
}

func pointRefusal(t *testing.T) error {
	_, err := hybridOf(t, 3, 1, overlap.Softmax, 1, finitedepth.Rademacher, 10).From(0.2, 30, 1e-3, 1e-6)
	return err
}

// refusalNear returns the refusal for an ε near the threshold, where many layers take overlaps far out.
func refusalNear(t *testing.T, epsilon float64) error {
	r := hybridOf(t, 3, 1, overlap.Softmax, epsilon, finitedepth.Uniform, 1000)
	_, err := r.Uniform(1<<40, 1e-3, 1e-6)
	return err
}

// derivativeNear returns the refusal of the derivative of the law of refusalNear.
func derivativeNear(t *testing.T, epsilon float64) error {
	r := hybridOf(t, 3, 1, overlap.Softmax, epsilon, finitedepth.Uniform, 1000)
	_, _, err := r.UniformDerivative(overlap.ByBeta, 1<<40, 1e-3, 1e-6)
	return err
}

func pointDerivative(t *testing.T) error {
	r := hybridOf(t, 3, 1, overlap.Softmax, 0.5, finitedepth.Rademacher, 100)
	_, _, err := r.FromDerivative(0.2, overlap.ByBeta, 30, 1e-3, 1e-6)
	return err
}

// weakRefusal returns the refusal of a law and of its derivative for noise that is too weak for a lattice.
func weakRefusal(t *testing.T) error {
	weak := recursion(t, 3, 1, overlap.Softmax, 1e-4, 1, 1, 1)
	p := problem{nil, 1, 1e-3}
	_, err := weak.solver.outcomes(p, 0)
	_, byErr := weak.solver.outcomeDerivatives(p, 0, overlap.ByBeta)
	if err == nil || byErr == nil || err.Error() != byErr.Error() {
		t.Errorf("%v, of the derivative %v", err, byErr)
	}
	return err
}

// Noise that is much too weak for a lattice is refused at once, also where a layer has several steps.
func TestVeryWeakNoise(t *testing.T) {
	const sigma = 1.1e-8 * math.Sqrt2
	weak := recursion(t, 4, 1.2, overlap.Softmax, sigma, 1, 1, 1)
	drifting, err := weak.WithDrift(1)
	if err != nil {
		t.Fatal(err)
	}
	entered, err := recursion(t, 4, 1.2, overlap.Softmax, sigma, 1, 2, 1).WithMLPAfter(
		overlap.MLP{Activation: activation.ReLU, Strength: 1e-16, Variance: 1})
	if err != nil {
		t.Fatal(err)
	}
	hybrid, err := hybridOf(t, 4, 1.2, overlap.Softmax, 0.5, finitedepth.Gaussian, 100).WithMLP(
		overlap.MLP{Activation: activation.ReLU, Strength: 2e-14, Variance: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*Recursion{
		"plain": weak, "drift": drifting, "entrance": entered, "hybrid": hybrid,
	} {
		started := time.Now()
		_, err := r.Uniform(3, 1e-3, 1e-6)
		if err == nil || !strings.Contains(err.Error(), "are more than 150000 states") {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(started); took > 2*time.Second {
			t.Errorf("%s: refused after %v", name, took)
		}
	}
}

// As many preimages as are allowed are not refused.
func TestMostPreimages(t *testing.T) {
	if err := checkPreimages(make([]float64, 100), grid{count: 10_000}); err != nil {
		t.Error(err)
	}
}

// Densities that are not numbers, or whose sum might overflow, have no step law.
func TestSidesOfAGreatDensity(t *testing.T) {
	for _, c := range []struct {
		greatest float64
		ok       bool
	}{{1e290, true}, {1.01e290, false}, {math.Inf(1), false}, {math.NaN(), false}} {
		l := &layer{}
		l.negligible = 1e-9
		sides, top, ok := l.sides(3, 2, func(k int, _ float64) float64 {
			return c.greatest * math.Exp(-float64((k-3)*(k-3)))
		})
		if ok != c.ok || ok && (top != c.greatest || len(sides[0]) < 2 || len(sides[1]) < 3) {
			t.Errorf("%v: %v, %v, %v", c.greatest, sides, top, ok)
		}
	}
}

// The law of two steps from overlap -1 is that of the first step from there, followed by the second, or
// that of the second alone where the first keeps overlap -1.
func TestLimitOfTwoSteps(t *testing.T) {
	kept := span{7, []float64{1}}
	second := transitions{func(i int) span { return span{i + 1, []float64{0.25, 0.75}} }, &kept}
	first := transitions{func(i int) span { return span{i, []float64{1}} }, &span{2, []float64{0.5, 0.5}}}
	both := first.then(second)
	if got := both.limit; got.first != 3 || !slices.Equal(got.p, []float64{0.125, 0.5, 0.375}) {
		t.Errorf("two steps from overlap -1: %v", got)
	}
	if got := both.row(4); got.first != 5 || !slices.Equal(got.p, []float64{0.25, 0.75}) {
		t.Errorf("two steps from state 4: %v", got)
	}
	first.limit = nil
	if got := first.then(second).limit; got != &kept {
		t.Errorf("the second step alone: %v", got)
	}
}

// Probability that is cut off at an end stays there when the lattice is made coarser. A chain whose steps
// far out all go outwards has a law too. The reference values are those of the same chain without coarser
// lattices.
func TestLawInHighDimensions(t *testing.T) {
	o := must.Get(recursion(t, 30, 10, overlap.Softmax, 1, 1, 1, 20).solver.outcomes(
		problem{nil, 600, 1e-3}, 5))(t)
	near(t, "P(antipodal)", o.antipodal.Value, 0.31967349576, 1e-9)
	near(t, "P(single)", o.single.Value, 0.66758571275, 1e-9)
	fewLayers := uniform(t, recursion(t, 50, 3, overlap.Softmax, 1, 1, 1, 5), 150, 1e-6)
	if !(fewLayers.Single.Error < 1e-6) {
		t.Errorf("five layers a unit of time: %v", fewLayers)
	}
}
