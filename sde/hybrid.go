package sde

import (
	"fmt"
	"math"

	"antipode/internal/enum"
	"antipode/sde/internal/attention"
	"antipode/sde/internal/increments"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/lanes"
	"antipode/sde/internal/steppers"
)

// Hybrid is recursion (7): the value matrix of a layer is a random scalar amplitude times the identity.
type Hybrid struct {
	Law     Law     // of the amplitude v, whose standard deviation is 1
	Epsilon float64 // noise amplitude ε in [0, 10^6]
}

// String implements Model.
func (Hybrid) String() string { return "hybrid" }

// Schemes implements Model.
func (Hybrid) Schemes() []Scheme { return []Scheme{Euler} }

// Noises implements Model.
func (Hybrid) Noises() []Noise { return []Noise{CommonNoise} }

// Laws implements Model.
func (Hybrid) Laws() []Law { return allLaws() }

// Limit implements Model.
func (m Hybrid) Limit() Model { return HybridSDE{Epsilon: m.Epsilon} }

func (m Hybrid) validate(int) error {
	if err := enum.Check(LawNames, m.Law, "law"); err != nil {
		return err
	}
	return epsilonInDomain(m.Epsilon)
}

func (m Hybrid) address() string {
	return fmt.Sprintf(" law=%v epsilon=%x", m.Law, math.Float64bits(m.Epsilon+0))
}

func (m Hybrid) equation() equation   { return HybridSDE{Epsilon: m.Epsilon} }
func (m Hybrid) recursion() recursion { return m }

func (m Hybrid) stepper(c Cell, a *attention.Attention) Stepper {
	return steppers.NewHybrid(a, m.Epsilon, c.Depth)
}

func (m Hybrid) draw(increment []float64, _ int, s kernels.Stream, trajectory, layer int64) {
	m.Law.entries().Draw(increment, 1, s, trajectory, layer)
}

func (m Hybrid) fromBrownian(increment []float64, depth int) {
	m.Law.entries().FromBrownian(increment, 1, depth)
}

func (Hybrid) validateChain() error         { return nil }
func (Hybrid) largestChainBeta(int) float64 { return largestBeta }

func (m Hybrid) chain(c Cell, of lanes.Clusters, count int) lanes.Lanes {
	noise, drift := m.noiseAndDrift(c)
	return lanes.NewHybridChain(of, noise, drift, func(dst []kernels.Vector, numbers *kernels.Lanes) {
		m.Law.entries().DrawLanes(dst, 1, numbers)
	}, count)
}

func (m Hybrid) amplitude(c Cell, s kernels.Stream) func(trajectory, layer int64) float64 {
	noise, drift := m.noiseAndDrift(c)
	var v [1]float64
	return func(trajectory, layer int64) float64 {
		m.draw(v[:], c.Depth, s, trajectory, layer)
		return math.FMA(noise, v[0], drift)
	}
}

// noiseAndDrift returns noise = εL^{-1/2} and drift = 1/L. In a layer with random amplitude v, the attention
// is multiplied by noise·v + drift.
func (m Hybrid) noiseAndDrift(c Cell) (noise, drift float64) {
	return m.Epsilon / math.Sqrt(float64(c.Depth)), 1 / float64(c.Depth)
}

func (Hybrid) pairDeviation(Cell) (deviation float64, ok bool) { return 0, false }
func (Hybrid) rank(_, dim int) int                             { return dim }

func (m Hybrid) matrices(c Cell) (draw drawMatrices, scale float64) {
	noise, drift := m.noiseAndDrift(c)
	return func(dst []kernels.Vector, numbers *kernels.Lanes) {
		m.Law.entries().DrawLanes(dst[:1], 1, numbers)
		amplitudes := dst[0]
		for k, v := range amplitudes {
			amplitudes[k] = math.FMA(noise, v, drift)
		}
		fillDiagonal(dst, c.Dim, amplitudes)
	}, 1
}

// fillDiagonal fills dst with one d×d matrix in each lane: the factor of the lane times the identity.
func fillDiagonal(dst []kernels.Vector, d int, factors kernels.Vector) {
	clear(dst)
	for k := 0; k < len(dst); k += d + 1 {
		dst[k] = factors
	}
}

// HybridSDE is the stochastic differential equation (8), the limit of the model Hybrid for infinite depth.
type HybridSDE struct {
	Epsilon float64 // noise amplitude ε in [0, 10^6]
	Scheme  Scheme  // numerical scheme: Euler, Geodesic or Heun
	Noise   Noise
}

// String implements Model.
func (HybridSDE) String() string { return "hybrid-sde" }

// Schemes implements Model.
func (HybridSDE) Schemes() []Scheme { return noisySchemes() }

// Noises implements Model.
func (HybridSDE) Noises() []Noise { return []Noise{CommonNoise, IndependentNoise} }

// Laws implements Model.
func (HybridSDE) Laws() []Law { return []Law{Gaussian} }

// Limit implements Model.
func (m HybridSDE) Limit() Model { return m }

func (m HybridSDE) validate(int) error {
	if err := epsilonInDomain(m.Epsilon); err != nil {
		return err
	}
	return checkSchemeAndNoise(m, m.Scheme, m.Noise)
}

func (m HybridSDE) address() string {
	return fmt.Sprintf(" scheme=%v noise=%v epsilon=%x", m.Scheme, m.Noise, math.Float64bits(m.Epsilon+0))
}

func (m HybridSDE) equation() equation { return m }
func (HybridSDE) recursion() recursion { return nil }

func (m HybridSDE) stepper(c Cell, a *attention.Attention) Stepper {
	return newScheme(m.Scheme, m, c, a)
}

func (HybridSDE) draw(increment []float64, depth int, s kernels.Stream, trajectory, layer int64) {
	increments.Brownian(increment, depth, s, trajectory, layer)
}

func (HybridSDE) fromBrownian([]float64, int) {}

func (m HybridSDE) path() (noise Noise, parameters string) {
	return m.Noise, fmt.Sprintf(" hybrid epsilon=%x", math.Float64bits(m.Epsilon+0))
}

func (m HybridSDE) increments(tokens, _ float64) float64 {
	if m.Noise == IndependentNoise {
		return tokens
	}
	return 1
}

func (m HybridSDE) reach(float64) float64 { return 1 + m.Epsilon }

func (HybridSDE) multiplications(_, _ float64) float64 { return 0 }

func (m HybridSDE) ito(a *attention.Attention) Term[Ito] {
	return steppers.NewHybridIto(a, m.Epsilon, m.Noise == IndependentNoise)
}

func (m HybridSDE) stratonovich(a *attention.Attention) Term[Stratonovich] {
	return steppers.NewHybridStratonovich(a, m.Epsilon, m.Noise == IndependentNoise)
}
