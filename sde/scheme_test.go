package sde

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sde/internal/runtest"
	"antipode/sphere"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/floats"
)

// The schemes by their definition, from the terms.
func TestSchemesEqualTheirDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for range 5 {
		for _, c := range schemes(1+r.IntN(5), 1+r.IntN(5)) {
			if len(c.Model.Noises()) > 1 && r.IntN(2) == 0 {
				c.Model = withNoise(c.Model, IndependentNoise)
			}
			x := uniformTokens(r, c.Tokens, c.Dim)
			stepper := NewStepper(c)
			noise := make([]float64, c.IncrementLen())
			if stepper.IncrementLen() != len(noise) {
				t.Fatal("two lengths of an increment")
			}
			for k := range noise {
				noise[k] = 0.2 * r.NormFloat64()
			}
			want := schemeByDefinition(c, x, noise)
			must.Do(t, stepper.Step(x, noise))
			if !floats.EqualApprox(x, want, 1e-12) {
				t.Errorf("%s: %v, want %v", limitName(c), x, want)
			}
		}
	}
}

func schemeByDefinition(c Cell, x, noise []float64) []float64 {
	dt, d := 1/float64(c.Depth), c.Dim
	slope := func(x []float64) []float64 {
		k := make([]float64, len(x))
		c.stratonovichTerm().Increment(k, x, dt, noise)
		return k
	}
	step := make([]float64, len(x))
	scheme := parametersOf(c.Model).scheme
	switch scheme {
	case Heun:
		floats.Add(step, slope(x))
		floats.Add(step, slope(runtest.Displaced(x, 1, step, d)))
		return runtest.Displaced(x, 0.5, step, d)
	case RK4:
		k1 := slope(x)
		k2 := slope(runtest.Displaced(x, 0.5, k1, d))
		k3 := slope(runtest.Displaced(x, 0.5, k2, d))
		k4 := slope(runtest.Displaced(x, 1, k3, d))
		for k := range step {
			step[k] = (k1[k] + 2*k2[k] + 2*k3[k] + k4[k]) / 6
		}
		return runtest.Displaced(x, 1, step, d)
	}
	c.ItoTerm().Increment(step, x, dt, noise)
	y := slices.Clone(x)
	for i := 0; i < len(x); i += d {
		v := step[i : i+d]
		if length := floats.Norm(v, 2); scheme == Geodesic && length > 0 {
			floats.Scale(math.Cos(length), y[i:i+d])
			floats.AddScaled(y[i:i+d], math.Sin(length)/length, v)
		} else {
			floats.Add(y[i:i+d], v)
			floats.Scale(1/floats.Norm(y[i:i+d], 2), y[i:i+d])
		}
	}
	return y
}

// flowEnd is the state of the flow at time 1, by RK4 with 4096 steps from x.
func flowEnd(t *testing.T, c Cell, x []float64) []float64 {
	c.Model, c.Depth = Flow{Scheme: RK4}, 4096
	return integrate(t, c, x, nil)
}

// integrate steps a copy of x to time 1, every step with the same increment.
func integrate(t *testing.T, c Cell, x, increment []float64) []float64 {
	t.Helper()
	y, stepper := slices.Clone(x), NewStepper(c)
	for range c.Depth {
		must.Do(t, stepper.Step(y, increment))
	}
	return y
}

// Without noise the schemes follow the flow, with the order that they have for it: the
// error at time 1 falls by 2 to that power when steps are halved, within 20 %. Without
// its noise (6) stands still, in the form of Itô, whose drift is radial.
func TestWithoutNoiseTheSchemesFollowTheFlow(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	for _, attention := range []Attention{Softmax, Unnormalized} {
		x := uniformTokens(r, 4, 3)
		c := Cell{Attention: attention, Tokens: 4, Dim: 3, Beta: 1.3, Start: UniformStart{},
			Interaction: gaussianMatrix(r, 3)}
		want := flowEnd(t, c, x)
		for _, s := range []struct {
			model Model
			order float64
		}{{Flow{}, 1}, {Flow{Scheme: RK4}, 4}, {HybridSDE{}, 1}, {HybridSDE{Scheme: Geodesic}, 1},
			{HybridSDE{Scheme: Heun}, 2}} {
			c.Model = s.model
			var errors []float64
			for _, c.Depth = range []int{32, 64} {
				y := integrate(t, c, x, make([]float64, c.IncrementLen()))
				errors = append(errors, floats.Distance(y, want, 2))
			}
			if order := math.Log2(errors[0] / errors[1]); !(math.Abs(order-s.order) <= 0.26) {
				t.Errorf("%s: order %.2f (errors %v), want %v", limitName(c), order, errors, s.order)
			}
		}
	}
	c := Cell{Model: TransformerSDE{Sigma: 1}, Tokens: 3, Dim: 3, Beta: 1, Depth: 10, Start: UniformStart{}}
	x := uniformTokens(r, 3, 3)
	for _, scheme := range []Scheme{Euler, Geodesic} {
		c.Model = withScheme(c.Model, scheme)
		if y := integrate(t, c, x, make([]float64, 9)); !floats.EqualApprox(y, x, 1e-14) {
			t.Errorf("%v moves without noise", scheme)
		}
	}
}

// Coincident tokens part if each has its own noise; in the hybrid, where a pair at one
// point attends to nothing else, those with a third one.
func TestCoincidentTokensPartUnderIndependentNoise(t *testing.T) {
	for _, c := range schemes(5, 4) {
		if len(c.Model.Noises()) == 1 {
			continue
		}
		c.Model, c.Start = withNoise(c.Model, IndependentNoise), pairAmongOthers{}
		follow(t, c, 1, func(_ int64, x []float64) {
			if slices.Equal(x[4:8], x[16:20]) {
				t.Errorf("%s: tokens 1 and 4 stay", limitName(c))
			}
		})
	}
}

// One token that attends to itself makes a Brownian motion on the sphere, for which
// E<X_t,X_0> = e^{-(d-1)σ²t/2}; here at t = ½. A scheme of order 1 is off by some
// (d-1)(d+2)σ⁴/(4L), relatively and per unit of time: 0.5 % here, less than the standard
// error. Within 5 of those the false alarm is 10^-5 in all. What the noise of each step adds
// to the expectation, in the limit, has mean 0 and is subtracted: it is most of the variance.
func TestOneTokenIsABrownianMotionOnTheSphere(t *testing.T) {
	const trajectories, depth, sigma, d = 200, 200, 0.8, 4
	const rate = (d - 1) * sigma * sigma / 2
	for _, scheme := range (TransformerSDE{}).Schemes() {
		for _, noise := range (TransformerSDE{}).Noises() {
			c := Cell{Model: TransformerSDE{Scheme: scheme, Noise: noise, Sigma: sigma}, Tokens: 1, Dim: d,
				Depth: depth, Start: UniformStart{}}
			stepper, stream := NewStepper(c), c.stream(1)
			increment := make([]float64, d*d)
			sum, square := 0.0, 0.0
			for trajectory := range int64(trajectories) {
				x, control := []float64{1, 0, 0, 0}, 0.0
				for layer := range int64(depth / 2) {
					c.Model.draw(increment, c.Depth, stream, trajectory, layer)
					along := 0.0
					for k := range d {
						along += x[k] * sphere.Dot(increment[k*d:(k+1)*d], x)
					}
					left := 0.5 - float64(layer+1)/depth
					control += math.Exp(-rate*left) * sigma * (sphere.Dot(increment[:d], x) - along*x[0])
					must.Do(t, stepper.Step(x, increment))
				}
				value := x[0] - control
				sum, square = sum+value, square+value*value
			}
			mean := sum / trajectories
			stderr := math.Sqrt((square/trajectories - mean*mean) / trajectories)
			want := math.Exp(-0.5 * rate)
			if !(math.Abs(mean-want) <= 5*stderr) || stderr > 0.01 {
				t.Errorf("%v %v: E<X_t,X_0> = %v ± %v, want %v", scheme, noise, mean, stderr, want)
			}
		}
	}
}

// The naive equation leaves the sphere at the rate (d-1)σ²|A|²: for one token E|Y_t|² is
// 1 + (d-1)σ²t at any step, here at t = 1, within 5 standard errors.
func TestNaiveEquationLeavesTheSphere(t *testing.T) {
	const trajectories, depth, sigma, d = 5000, 20, 1.5, 5
	c := Cell{Model: TransformerSDE{Sigma: sigma}, Tokens: 1, Dim: d, Depth: depth, Start: UniformStart{}}
	stepper, stream := NewNaive(c.ItoTerm(), 1./depth), c.stream(1)
	increment := make([]float64, stepper.IncrementLen())
	sum, square := 0.0, 0.0
	for k := range int64(trajectories) {
		x := []float64{0, 1, 0, 0, 0}
		for layer := range int64(depth) {
			c.Model.draw(increment, c.Depth, stream, k, layer)
			must.Do(t, stepper.Step(x, increment))
		}
		s := sphere.Dot(x, x)
		sum, square = sum+s, square+s*s
	}
	mean := sum / trajectories
	stderr := math.Sqrt((square/trajectories - mean*mean) / trajectories)
	if want := 1 + (d-1)*sigma*sigma; !(math.Abs(mean-want) <= 5*stderr) {
		t.Errorf("E|Y|² is %v ± %v, want %v", mean, stderr, want)
	}
}

// The states of every scheme after 50 steps, bit for bit on every machine.
func TestSchemesHaveTheSameBitsOnEveryMachine(t *testing.T) {
	h := uint64(0)
	for _, c := range schemes(3, 4) {
		c.Interaction = []float64{1, 0.5, 0, 0, -2, 1, 0.25, 0, 0, 0, 1, 0, 0.125, 0, 0, 1}
		c.Beta = 0.5
		follow(t, c, 50, func(_ int64, x []float64) {
			for _, v := range x {
				h = (h ^ math.Float64bits(v)) * 0x100000001b3
			}
		})
	}
	if h != 0xe9b10df33d11ddd8 {
		t.Errorf("digest %#x", h)
	}
}
