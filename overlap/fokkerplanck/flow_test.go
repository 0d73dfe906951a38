package fokkerplanck

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/must"
)

// At β = 0 softmax has q = 1/2, so that u increases by the time itself; at d = 3 the start is uniform in
// z. In general ∫ du/2q = ½ ∫ (1+e^(β(1-z))) du equals the time.
func TestTheFlowWithoutNoise(t *testing.T) {
	still := must.Get(overlap.NewHybrid(3, 0, overlap.Softmax, 0))(t)
	laws := must.Get(Uniform(still, []float64{0.5, 2}, 1e-5))(t)
	for _, f := range laws {
		for z := -0.875; z < 1; z += 0.25 {
			want := (1 + math.Tanh(math.Atanh(z)-f.Time)) / 2
			near(t, "P(Z ≤ z)", f.Below(z).Value, want, f.Error)
		}
	}
	d := must.Get(overlap.NewHybrid(5, 2, overlap.Softmax, 0))(t)
	const z0, z1 = -0.5, 0.9
	time := overlaptest.Composite(func(u float64) float64 { return 0.5 * (1 + math.Exp(2*(1-math.Tanh(u)))) },
		math.Atanh(z0), math.Atanh(z1))
	laws = must.Get(From(d, z0, []float64{time}, 1e-5))(t)
	if a, b := laws[0].Below(z1-1e-6).Value, laws[0].Below(z1+1e-6).Value; a != 0 || b != 1 {
		t.Errorf("the flow misses %v: %v, %v", z1, a, b)
	}
	// The flow transports the uniform start: the same mass lies below the moved point.
	laws = must.Get(Uniform(d, []float64{time}, 1e-5))(t)
	// d = 5: (2+3z-z³)/4 of the start is below z.
	near(t, "P(Z ≤ z1)", laws[0].Below(z1).Value, (2+3*z0-z0*z0*z0)/4, laws[0].Error)
}

// The flow at any strength is reversible, and the time between two points is the integral of 1/velocity.
func TestTheFlowOfStrongAttention(t *testing.T) {
	for _, beta := range []float64{0.5, 20, 180, 300} {
		velocity := must.Get(overlap.NewHybrid(4, beta, overlap.Softmax, 0))(t).Line().Velocity
		slowness := func(u float64) float64 { return 0.5 * (1 + math.Exp(beta*(1-math.Tanh(u)))) }
		for _, u := range []float64{-0.5, 0, 0.4, 2} {
			for _, v := range []float64{u + 0.1, u + 1} {
				time := overlaptest.Composite(slowness, u, v)
				// Where the flow accelerates, the last bits of the time determine the position.
				sensitivity := 1e-13 * time / slowness(v)
				if sensitivity < 1e-3 {
					near(t, "flow", flow(velocity, u, time), v, 1e-10+sensitivity)
				}
				near(t, "flow back", flow(velocity, v, -time), u, 1e-10*(1+math.Abs(u)))
			}
		}
		const time = 1000
		laws, err := Uniform(must.Get(overlap.NewHybrid(4, beta, overlap.Softmax, 0))(t), []float64{time},
			1e-5)
		if err != nil {
			t.Fatal(err)
		}
		// Starts below z0 end below the point to which the flow takes z0.
		f := laws[0]
		t.Logf("beta %v: error %.1g", beta, f.Error)
		for _, z := range []float64{-0.5, 0.5, 0.9, 0.999} {
			z0 := math.Tanh(flow(velocity, math.Atanh(z), -time))
			want := 0.5 + (z0*math.Sqrt((1-z0)*(1+z0))+math.Asin(z0))/math.Pi
			near(t, "P(Z ≤ z)", f.Below(z).Value, want, f.Error)
		}
	}
}
