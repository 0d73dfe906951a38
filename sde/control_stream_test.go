package sde

import (
	"fmt"
	"math"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sphere/must"
)

// A negative control: the comparison that guards the random numbers of the engine runs
// on numbers that repeat across seeds, cells, trajectories or layers, and must notice.

// turns[stream][trajectory][layer] is the angle by which a single token of dimension 2
// turns in one layer. A stream is a cell under a seed.
//
// The token attends to itself, so it goes to the direction of x + L^{-1/2} V x, and for
// Gaussian V the turn does not depend on x: with numbers of their own all turns are independent and
// symmetric. Two layers that share V turn independent tokens by angles of correlation
// ½ to leading order, (V₂₁-V₁₂)/2 being the part that does not depend on x.
type turns [][][]float64

const (
	controlStreams      = 6
	controlTrajectories = 24 // more than a block
	controlLayers       = 80 // more than 64
)

// controlCell is the cell of a stream: three cells under two seeds.
func controlCell(stream int) (c Cell, seed uint64) {
	return Cell{Model: Transformer{Sigma: 1}, Tokens: 1, Dim: 2, Depth: 100 + stream%3,
			Start: UniformStart{}},
		uint64(stream / 3)
}

// appendTurn appends the turn from the last direction to that of x.
func appendTurn(row *[]float64, last *float64, layer int64, x []float64) {
	angle := math.Atan2(x[1], x[0])
	if layer > 0 {
		*row = append(*row, math.Remainder(angle-*last, 2*math.Pi))
	}
	*last = angle
}

// engineTurns are the turns of the ensemble engine.
func engineTurns(t *testing.T) turns {
	t.Helper()
	type row struct {
		turns []float64
		last  float64
	}
	all := make(turns, controlStreams)
	var times []int64
	for layer := range int64(controlLayers + 1) {
		times = append(times, layer)
	}
	for stream := range all {
		c, seed := controlCell(stream)
		ensemble := &Ensemble[row]{
			Cells: []Cell{c}, Trajectories: controlTrajectories, Layers: controlLayers, Seed: seed,
			Times: times,
			Observer: func(int) func(*row, *View) {
				return func(r *row, v *View) { appendTurn(&r.turns, &r.last, v.Layer, v.Tokens()) }
			},
			Reduce: func(_ int, _ int64, r row) error {
				all[stream] = append(all[stream], r.turns)
				return nil
			},
		}
		must.Do(t, ensemble.Run(t.Context()))
	}
	return all
}

// drawAddress is where the engine takes the increment of a layer from.
type drawAddress struct {
	seed, cell        uint64
	trajectory, layer int64
}

// addressedTurns are the turns when the address of an increment is altered.
func addressedTurns(t *testing.T, alter func(*drawAddress)) turns {
	t.Helper()
	all := make(turns, controlStreams)
	for stream := range all {
		c, seed := controlCell(stream)
		stepper, increment, x := NewStepper(c), make([]float64, 4), make([]float64, 2)
		for trajectory := range int64(controlTrajectories) {
			var normals kernels.NormalSequence
			normals.Restart(c.stream(seed), kernels.Starts, trajectory, 0)
			must.Do(t, c.Start.Fill(x, 2, trajectory, normals.Next))
			var row []float64
			var last float64
			appendTurn(&row, &last, 0, x)
			for layer := range int64(controlLayers) {
				at := drawAddress{seed, c.ID(), trajectory, layer}
				alter(&at)
				c.Model.draw(increment, c.Depth, kernels.NewStream(at.seed, at.cell), at.trajectory, at.layer)
				must.Do(t, stepper.Step(x, increment))
				appendTurn(&row, &last, layer+1, x)
			}
			all[stream] = append(all[stream], row)
		}
	}
	return all
}

// repetition looks for repeated numbers: it correlates all turns with those a lag away
// in streams, trajectories or layers, or in two of them, and returns a bound on the
// probability that turns of independent numbers look as bad.
//
// A score is Σφφ'/√Σφ²φ'². Given the sizes of independent symmetric turns, the signs
// of the products of one lag are independent coins, so that a score exceeds s in size with
// probability at most 2exp(-s²/2) (Hoeffding); there are 109 lags. An alarm at 10^-6 needs a
// score of 6.2. Turns of correlation ½ at all n places of a lag give one of 0.4√n, which
// is 19 for layers that repeat after 64, and at a part of the places, as where
// cell and trajectory are added, 17. Its standard deviation is about 1: the power differs from 1
// by less than 10^-25.
func repetition(all turns) float64 {
	var lags [][3]int
	for k := 1; k < controlStreams; k++ {
		lags = append(lags, [3]int{k, 0, 0})
	}
	for k := 1; k < controlTrajectories; k++ {
		lags = append(lags, [3]int{0, k, 0})
	}
	for k := 1; k < controlLayers; k++ {
		lags = append(lags, [3]int{0, 0, k})
	}
	lags = append(lags, [3]int{0, 1, -1}, [3]int{1, -1, 0})
	smallest := 1.0
	for _, lag := range lags {
		product, square := 0.0, 0.0
		for s, stream := range all {
			for k, row := range stream {
				for n, turn := range row {
					s, k, n := s+lag[0], k+lag[1], n+lag[2]
					if s < controlStreams && k >= 0 && k < controlTrajectories && n >= 0 &&
						n < controlLayers {
						v := turn * all[s][k][n]
						product += v
						square += v * v
					}
				}
			}
		}
		smallest = min(smallest, 2*math.Exp(-product*product/(2*square)))
	}
	return min(1, smallest*float64(len(lags)))
}

// pValueText writes a p-value.
func pValueText(p float64) string {
	if p < 1e-300 {
		return "< 1e-300"
	}
	return fmt.Sprintf("%.1e", p)
}

func TestStreamsDoNotRepeat(t *testing.T) {
	const falseAlarm = 1e-6
	check := func(defect string, all turns, wrong bool) {
		t.Helper()
		p := repetition(all)
		t.Logf("defect: %-46s detector: %-42s p = %s", defect, "correlation of turns", pValueText(p))
		if wrong != (p < falseAlarm) {
			t.Errorf("%s: p = %.2g", defect, p)
		}
	}
	engine := engineTurns(t)
	check("none, the engine", engine, false)
	same := addressedTurns(t, func(*drawAddress) {})
	check("none, by address", same, false)
	if fmt.Sprint(same) != fmt.Sprint(engine) {
		t.Error("the engine's turns are not those of its addresses: what follows tests something else")
	}
	for _, defect := range []struct {
		name  string
		alter func(*drawAddress)
	}{
		{"the seed is dropped", func(a *drawAddress) { a.seed = 1 }},
		{"the cell is dropped", func(a *drawAddress) { a.cell = 1 }},
		{"the trajectory is dropped", func(a *drawAddress) { a.trajectory = 0 }},
		{"the trajectory counts within its block alone", func(a *drawAddress) { a.trajectory %= blockSize }},
		{"the layer is dropped", func(a *drawAddress) { a.layer = 0 }},
		{"layers repeat after 64", func(a *drawAddress) { a.layer %= 64 }},
		{"trajectory and layer are added", func(a *drawAddress) {
			a.layer, a.trajectory = a.layer+a.trajectory, 0
		}},
		{"cell and trajectory are added", func(a *drawAddress) {
			first, _ := controlCell(0)
			second, _ := controlCell(1)
			if a.cell == second.ID() {
				a.cell, a.trajectory = first.ID(), a.trajectory+1
			}
		}},
	} {
		check(defect.name, addressedTurns(t, defect.alter), true)
	}
}
