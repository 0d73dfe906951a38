package threetokens

import (
	"math"
	"testing"
)

// The r of a height has it, and derivatives by ω are those of differences, r = cot(ω/2).
func TestHeight(t *testing.T) {
	for _, h := range []height{{0.1, 0}, {1e-6, 3}, {0.02, 1}} {
		for _, r := range []float64{1e-9, 1e-5, 0.003, 0.1, 1, 7, 100} {
			if got := h.ratio(h.of(r)); !(math.Abs(got/r-1) < 1e-12) {
				t.Errorf("%+v: r = %v comes back as %v", h, r, got)
			}
			if r < 1e-4 {
				continue // where rounding is more than what the differences leave out
			}
			omega := 2 * math.Atan2(1, r)
			step := 1e-4 * min(1, omega, math.Hypot(h.epsilon, r))
			at := func(omega float64) float64 { return h.of(1 / math.Tan(0.5*omega)) }
			up, down := at(omega+step), at(omega-step)
			j := h.jet(r)
			first, second := (up-down)/(2*step), (up-2*j.value+down)/(step*step)
			if !(math.Abs(j.first[1]/first-1) < 1e-6) {
				t.Errorf("%+v at %v: first derivative %v, by differences %v", h, r, j.first[1], first)
			}
			size := max(math.Abs(second), math.Abs(first))
			if !(math.Abs(j.second[1][1]-second) < 1e-3*size) {
				t.Errorf("%+v at %v: second derivative %v, by differences %v", h, r, j.second[1][1], second)
			}
		}
	}
}
