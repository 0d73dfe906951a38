package exactlaw

import "antipode/sphere/elementary"

// An interpolant is a function of x ≥ 0, interpolated at Chebyshev nodes on panels of width 1/2 in
// log(1+x/scale). A panel of an interpolant is computed at its first use; an interpolant must not be used
// concurrently.
type interpolant struct {
	scale    float64
	function func(x float64) float64 // function(x) - growth·log(1+x/scale) is interpolated
	growth   float64
	panels   []polynomial
}

const (
	interpolantPanels = 200 // number of panels, for x ≤ e^100 scale
	interpolantNodes  = 20
)

func newInterpolant(scale, growth float64, function func(x float64) float64) *interpolant {
	return &interpolant{scale, function, growth, make([]polynomial, interpolantPanels)}
}

func (t *interpolant) at(x float64) float64 {
	logarithm := elementary.Log1p(x / t.scale)
	k := int(2 * logarithm)
	p := t.panels[k]
	if p == nil {
		rule := chebyshevRules.At(interpolantNodes)
		var values []float64
		for _, node := range rule.nodes {
			at := 0.5 * (float64(k) + node)
			values = append(values, t.function(t.scale*elementary.Expm1(at))-float64(t.growth*at))
		}
		p = rule.interpolate(values).shortened(1e-15)
		t.panels[k] = p
	}
	return p.at(float64(2*logarithm)-float64(k)) + float64(t.growth*logarithm)
}
