package exactlaw

import (
	"math"
	"strings"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
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
