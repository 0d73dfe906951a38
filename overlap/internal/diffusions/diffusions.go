// Package diffusions draws overlap diffusions of all models for tests, and integrates their scale functions
// from drift and variance alone.
package diffusions

import (
	"fmt"
	"math"
	"math/rand/v2"

	"antipode/overlap"
	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/activation"
)

// Draw draws a random overlap diffusion, often with parameters at a corner of their domain, and returns a
// description of the diffusion and the diffusion. The greatest inverse temperature is mostBeta.
func Draw(random *rand.Rand, mostBeta float64) (string, *overlap.Diffusion) {
	for {
		if name, d, err := draw(random, mostBeta); err == nil {
			return name, d
		}
	}
}

func draw(random *rand.Rand, mostBeta float64) (name string, d *overlap.Diffusion, err error) {
	chance := func(one int) bool { return random.IntN(one) == 0 }
	between := func(low, high float64) float64 {
		return overlaptest.ThreeDigits(low + float64((high-low)*random.Float64()))
	}
	dim := []int{2, 3, 4, 5, 6, 8, 12, 100, 3000}[random.IntN(9)]
	attention := overlap.Attention(random.IntN(2))
	beta := between(0.05, mostBeta)
	switch {
	case chance(6):
		beta = 0
	case chance(3):
		beta = between(0.05, float64(0.25*mostBeta))
	}
	if critical, _ := overlap.CriticalBeta(dim); chance(3) && critical < mostBeta {
		beta = critical + between(0.01, 0.6)
	}
	sigma := between(0.3, 2)
	covariance := []overlap.Covariance{overlap.Ginibre, {A: 0.5, B: 0.5}, {A: 1, B: -0.4, C: 0.2},
		{A: 0.7, B: 0.6, C: 0.3}, {A: 0.3, C: 1}}[random.IntN(5)]
	name = fmt.Sprintf("d=%d β=%.4g %v", dim, beta, attention)
	switch random.IntN(6) {
	case 0:
		name += fmt.Sprintf(" σ=%.3g", sigma)
		d, err = overlap.New(dim, beta, attention, sigma)
	case 1:
		masses := [][2]float64{{1, 2}, {5, 3}, {1, 40}}[random.IntN(3)]
		name += fmt.Sprintf(" σ=%.3g masses %v", sigma, masses)
		d, err = overlap.NewMasses(dim, beta, attention, sigma, masses[0], masses[1])
	case 2:
		second := float64(1 + random.IntN(2))
		name += fmt.Sprintf(" σ=%.3g covariance %v masses 1, %g", sigma, covariance, second)
		d, err = overlap.NewIsotropic(dim, beta, attention, sigma, covariance, 1, second)
	case 3:
		epsilon := between(0.2, 2)
		name += fmt.Sprintf(" ε=%.3g", epsilon)
		d, err = overlap.NewHybrid(dim, beta, attention, epsilon)
	case 4:
		spread := between(0.1, 2)
		name += fmt.Sprintf(" σ=%.3g S=%.3g covariance %v", sigma, spread, covariance)
		d, err = overlap.NewResampled(dim, beta, attention, sigma, spread, covariance)
	case 5:
		strength := between(0.1, 1)
		name += fmt.Sprintf(" odd moments %.3g", strength)
		d, err = overlap.NewKernel(dim, overlap.Moments(func(z float64) (own, shared float64) {
			return 1 + strength, z + float64(strength*z*z*z)
		}), sigma)
	}
	if err == nil && chance(3) {
		m := overlap.MLP{Activation: activation.Activation(random.IntN(len(activation.Names))),
			Strength: between(0.05, 2), Variance: between(0.3, 9)}
		if chance(3) { // for such parameters often neither end attracts
			m.Activation, m.Strength, m.Variance = activation.Tanh, between(3, 8), between(20, 40)
		}
		name += fmt.Sprintf(" MLP %v:%.3g:%.3g", m.Activation, m.Strength, m.Variance)
		d, err = d.WithMLP(m)
	}
	if err == nil && chance(5) {
		drift := between(0.1, 2)
		name += fmt.Sprintf(" μ=%.3g", drift)
		d, err = d.WithDrift(drift)
	}
	return name, d, err
}

// LogScaleDensity returns the logarithm of the density of the scale function in u = atanh z, up to a
// constant, at steps+1 points between the overlaps a and b, equidistant in u, and the distance between
// neighbouring points. The density is computed from drift and variance of d alone, by Simpson's rule.
func LogScaleDensity(d *overlap.Diffusion, a, b float64, steps int) (logarithm []float64, width float64) {
	first := math.Atanh(a)
	width = (math.Atanh(b) - first) / float64(steps)
	slope := func(u float64) float64 { // of the logarithm of the density, with the opposite sign
		z := math.Tanh(u)
		return float64(2*d.Drift(z)*(1-float64(z*z))/d.Variance(z)) + float64(2*z)
	}
	logarithm = make([]float64, steps+1)
	before := slope(first)
	for k := range steps {
		u := first + float64(float64(k)*width)
		after := slope(u + width)
		logarithm[k+1] = logarithm[k] - float64(width/6*(before+float64(4*slope(u+float64(width/2)))+after))
		before = after
	}
	return logarithm, width
}
