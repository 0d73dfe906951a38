package propagation

import (
	"errors"
	"math"
	"testing"

	"antipode/sphere/must"
)

// chaotic is the block of Fig. 9, σ_w = 2.5.
func chaotic() Block {
	return Block{SigmaV2: 1, SigmaW2: 6.25, SigmaB2: 0.1, AlphaSA: 6, AlphaMLP: 1, Activation: Tanh,
		Tokens: math.Inf(1)}
}

// In its chaotic phase the tanh MLP has a stable fixed point in addition to ρ = 1, which repels. The
// curve converges to it at the rate of the multiplier.
func TestChaoticFixedPoint(t *testing.T) {
	m := newMap(t, chaotic())
	points, err := m.FixedPoints()
	if err != nil || len(points) != 2 {
		t.Fatalf("%v, %v", points, err)
	}
	stable, alike := points[0], points[1]
	t.Logf("ρ* = %.10f, multiplier %.8f, correlation depth %.4f; at 1: %.6f", stable.Cosine(),
		stable.Multiplier, stable.CorrelationDepth(), alike.Multiplier)
	if !stable.Stable() || alike.Stable() || alike.Cosine() != 1 {
		t.Errorf("%+v", points)
	}
	curve := must.Get(m.Curve(State{1, 0}, 120))(t)
	near(t, "where the curve ends", curve[120].P, stable.P, 1e-6)
	rate := (curve[60].P - stable.P) / (curve[59].P - stable.P)
	near(t, "rate of approach", rate, stable.Multiplier, 1e-3)
	near(t, "correlation depth", stable.CorrelationDepth(), -1/math.Log(rate), 0.05*stable.CorrelationDepth())

	b := chaotic()
	b.SigmaW2 = 1
	points, err = newMap(t, b).FixedPoints()
	if err != nil || len(points) != 1 || !points[0].Stable() {
		t.Errorf("ordered: %v, %v", points, err)
	}
}

// Multipliers agree with difference quotients of the map, for all kinds and activations.
func TestMultipliers(t *testing.T) {
	for kind := range KindNames {
		for activation := range ActivationNames {
			b := chaotic()
			b.Kind, b.Activation, b.Beta = Kind(kind), Activation(activation), 4
			if b.Kind.preNorm() {
				b.AlphaSA, b.AlphaMLP = 0.9, 0.8
			}
			m := newMap(t, b)
			points := must.Get(m.FixedPoints())(t)
			for _, f := range points {
				next := must.Get(m.Step(f.State))(t)
				near(t, "fixed Q", next.Q, f.Q, 1e-12*f.Q)
				near(t, "fixed P", next.P, f.P, 1e-12*f.Q)
				const h = 1e-6
				dQ, dP := State{h, 0}, State{0, h}
				if f.P == f.Q { // inwards
					dQ, dP = State{h, h}, State{0, -h}
				}
				_, byQ, _ := m.step(f.State, dQ)
				_, byP, _ := m.step(f.State, dP)
				for _, c := range []struct{ step, change State }{{dQ, byQ}, {dP, byP}} {
					moved, _ := m.Step(f.plus(1, c.step))
					tolerance := 2e-5 * h
					if f.P == f.Q {
						tolerance = 0.02 * h // ReLU has a term (1-ρ)^1.5
					}
					near(t, "change of Q", moved.Q-next.Q, c.change.Q, tolerance*100)
					near(t, "change of P", moved.P-next.P, c.change.P, tolerance*100)
				}
			}
		}
	}
}

func TestFixedPointErrors(t *testing.T) {
	b := bert()
	b.Kind = PreNorm
	if _, err := newMap(t, b).FixedPoints(); !errors.Is(err, ErrGrowing) {
		t.Error(err)
	}
	b.Tokens = 100
	if _, err := newMap(t, b).FixedPoints(); err == nil {
		t.Error("fixed points of finite sequences")
	}
	b = bert()
	b.AlphaSA, b.AlphaMLP = 0, 0
	points, err := newMap(t, b).FixedPoints()
	if err != nil || len(points) == 0 || points[len(points)-1].Cosine() != 1 {
		t.Error(points, err)
	}
}

// Matrices with known eigenvalues, SΛS⁻¹ for S of columns (2, 1) and (3, 2), and a rotation.
func TestLargestEigenvalue(t *testing.T) {
	for _, c := range []struct{ first, second, want float64 }{
		{0.5, 0.2, 0.5}, {-0.7, 0.2, -0.7}, {0.3, -0.4, -0.4}, {-0.3, -0.6, -0.6}, {0, 0.9, 0.9},
	} {
		byQ := State{4*c.first - 3*c.second, 2*c.first - 2*c.second}
		byP := State{-6*c.first + 6*c.second, -3*c.first + 4*c.second}
		near(t, "largest eigenvalue", largestEigenvalue(byQ, byP), c.want, 1e-14)
	}
	near(t, "modulus of a pair", largestEigenvalue(State{0.3, 0.4}, State{-0.4, 0.3}), 0.5, 1e-15)
}
