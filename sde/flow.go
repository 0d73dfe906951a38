package sde

import (
	"fmt"

	"antipode/sde/internal/attention"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/lanes"
	"antipode/sde/internal/steppers"
)

// Flow is the attention flow of Lemma 2, without noise: with the scheme Euler it is recursion (7) for ε = 0;
// RK4 is a more accurate scheme for the same flow.
type Flow struct {
	Scheme Scheme // numerical scheme: Euler or RK4
}

// String implements Model.
func (Flow) String() string { return "flow" }

// Schemes implements Model.
func (Flow) Schemes() []Scheme { return []Scheme{Euler, RK4} }

// Noises implements Model.
func (Flow) Noises() []Noise { return []Noise{CommonNoise} }

// Laws implements Model.
func (Flow) Laws() []Law { return allLaws() }

// Limit implements Model.
func (m Flow) Limit() Model { return m }

func (m Flow) validate(int) error { return checkFit("scheme", m.Scheme, m.Schemes(), Model(m)) }

func (m Flow) address() string {
	if m.Scheme == Euler {
		return ""
	}
	return fmt.Sprintf(" scheme=%v", m.Scheme)
}

func (m Flow) equation() equation { return m }

func (m Flow) recursion() recursion {
	if m.Scheme != Euler {
		return nil
	}
	return m
}

func (m Flow) stepper(c Cell, a *attention.Attention) Stepper {
	if m.Scheme != Euler {
		return newScheme(m.Scheme, m, c, a)
	}
	return steppers.NewFlow(a, c.Depth)
}

func (Flow) draw([]float64, int, kernels.Stream, int64, int64) {}
func (Flow) fromBrownian([]float64, int)                       {}

func (Flow) path() (noise Noise, parameters string) { return CommonNoise, "" }
func (Flow) increments(_, _ float64) float64        { return 0 }
func (Flow) reach(float64) float64                  { return 1 }
func (Flow) multiplications(_, _ float64) float64   { return 0 }

func (Flow) ito(a *attention.Attention) Term[Ito] { return steppers.NewFlowIto(a) }

func (Flow) stratonovich(a *attention.Attention) Term[Stratonovich] {
	return steppers.NewFlowStratonovich(a)
}

func (Flow) validateChain() error         { return nil }
func (Flow) largestChainBeta(int) float64 { return largestBeta }

func (Flow) chain(c Cell, of lanes.Clusters, count int) lanes.Lanes {
	return lanes.NewHybridChain(of, 0, 1/float64(c.Depth), nil, count)
}

func (Flow) amplitude(c Cell, _ kernels.Stream) func(trajectory, layer int64) float64 {
	drift := 1 / float64(c.Depth)
	return func(_, _ int64) float64 { return drift }
}

func (Flow) pairDeviation(Cell) (deviation float64, ok bool) { return 0, false }
func (Flow) rank(_, dim int) int                             { return dim }

func (Flow) matrices(c Cell) (draw drawMatrices, scale float64) {
	drift := 1 / float64(c.Depth)
	drifts := kernels.Vector{drift, drift, drift, drift, drift, drift, drift, drift}
	return func(dst []kernels.Vector, _ *kernels.Lanes) { fillDiagonal(dst, c.Dim, drifts) }, 1
}
