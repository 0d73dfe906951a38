package propagation_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap/internal/overlaptest"
	"antipode/overlap/propagation"
)

// Blocks of all kinds compute what is recorded: maps, curves, fixed points, gradients, verdicts and
// recommendations.
func TestBlocksAreAsRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(77, 1))
	number := func(low, high float64) float64 { return overlaptest.Linear(random, low, high) }
	var records []overlaptest.Record
	for range 24 {
		b := propagation.Block{
			Kind: propagation.Kind(random.IntN(len(propagation.KindNames))), Beta: number(0, 3),
			SigmaV2: number(0.1, 2), SigmaW2: number(0.1, 2), SigmaB2: number(0, 0.5),
			AlphaSA: number(0.3, 2), AlphaMLP: number(0.3, 2),
			Activation: propagation.Activation(random.IntN(len(propagation.ActivationNames))),
			Tokens:     math.Inf(1),
		}
		if random.IntN(4) == 0 {
			b.SigmaB2 = 0
		}
		if len(records)%8 == 5 { // which takes longer
			b.Tokens = []float64{2, 17, 1000}[random.IntN(3)]
		}
		s := propagation.State{Q: number(0.3, 2)}
		s.P = s.Q * number(0, 1)
		r := overlaptest.Record{Cell: fmt.Sprintf("%+v %.4g", b, s)}
		m, err := propagation.NewMap(b)
		if r.AddBool(err == nil); err != nil {
			records = append(records, r)
			continue
		}
		curve, err := m.Curve(s, 5)
		r.AddBool(err == nil)
		for _, at := range curve {
			r.Add(at.Q, at.P, m.CriticalBeta(at))
		}
		if b.Tokens > 17 {
			points, err := m.FixedPoints()
			r.AddBool(err == nil)
			for _, p := range points {
				r.Add(p.Q, p.P, p.Multiplier, p.CorrelationDepth())
				r.AddBool(p.Stable())
			}
		}
		g, err := m.Gradients(s)
		r.AddBool(err == nil)
		r.Add(g.Query, g.Value, g.Hidden, g.Output)
		signal, err := m.Signal(s, 6)
		r.AddBool(err == nil)
		r.Add(signal.Cosine, signal.CriticalBeta, float64(signal.Verdict(b.Beta, 0.8)))
		depth, reached, err := m.Reach(s, 0.97, 50)
		r.AddBool(err == nil)
		r.AddBool(reached)
		r.Add(float64(depth))
		if len(records)%6 == 0 {
			best, exists, err := propagation.Recommend(b, s, 6, 0.9)
			r.AddBool(err == nil)
			r.AddBool(exists)
			r.Add(best.Edge, best.AlphaSA, best.Beta)
		}
		records = append(records, r)
	}
	overlaptest.CompareRecords(t, "testdata/blocks.txt", records)
}

// Rows of attention, kernels of activations and functions of the phase are as recorded.
func TestRowsAreAsRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(77, 2))
	number := func(low, high float64) float64 { return overlaptest.Linear(random, low, high) }
	var records []overlaptest.Record
	for range 14 {
		tokens := []float64{2, 3, 50.5, 1e4, 1e9, 1e40}[random.IntN(6)]
		deviation, rho := number(0, 9), number(0, 1)
		q := number(0.2, 3)
		p := q * rho
		r := overlaptest.Record{Cell: fmt.Sprintf("T=%g s=%.4g ρ=%.4g q=%.4g", tokens, deviation, rho, q)}
		row, err := propagation.FiniteRow(tokens, deviation)
		r.AddBool(err == nil)
		limit := propagation.LimitRow(0.2 + deviation/6)
		for _, row := range []propagation.Row{row, limit} {
			a := propagation.Attention{Beta: 1.3, SigmaV2: 0.7, Tokens: tokens, GainControlled: rho > 0.5}
			s := propagation.State{Q: q, P: p}
			r.Add(row.Y2, row.Y3, row.Y2Squared, row.Entropy, propagation.QueryGradient(a, s, row),
				propagation.ValueGradient(s, row))
		}
		share, err := propagation.CrossParticipation(min(tokens, 1e9), deviation, rho)
		r.AddBool(err == nil)
		r.Add(share)
		effective, err := propagation.EffectiveBeta(0.02, 8+int(100*deviation), 2+int(min(tokens, 1e6)))
		r.AddBool(err == nil)
		r.Add(effective, propagation.CriticalBeta(q, p), propagation.EntropyShare(deviation/4),
			propagation.MomentExponent(deviation/4), propagation.ScoreDeviation(deviation, tokens, q, p),
			float64(propagation.PhaseAt(deviation/3, q, p)))
		for a := range propagation.Activation(len(propagation.ActivationNames)) {
			r.Add(a.Kernel(q, p), a.Slope(q, p), a.Kernel(q, -0.3*q), a.Slope(q, -0.3*q))
		}
		causal, err := propagation.UniformCausal([]float64{q, p, p / 2}, 6, 1.2)
		r.AddBool(err == nil)
		r.Add(causal...)
		records = append(records, r)
	}
	overlaptest.CompareRecords(t, "testdata/rows.txt", records)
}
