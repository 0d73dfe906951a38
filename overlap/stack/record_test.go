package stack_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"antipode/overlap/internal/overlaptest"
	"antipode/overlap/stack"
)

// attentions are the parts of architectures on which the rows of attention depend. These take most of the
// time of a new stack, so that there are few of them.
var attentions = []stack.Architecture{
	{Tokens: 5, Causal: true, QueryKey2: 1.1, Bias2: 0.2, Input: stack.Input{First: 0.7}},
	{Tokens: 512, QueryKey2: 1.7},
	{Tokens: 24, QueryKey2: 5, Bias2: 0.3, AttentionUnbiased: true},
	{Tokens: 2, Causal: true, QueryKey2: 0.6, Bias2: 0.05, Unmixed: true},
	{Tokens: 9, Input: stack.Input{First: 1.4}},
}

// drawArchitecture draws the rest of an architecture.
func drawArchitecture(random *rand.Rand, s stack.Architecture) stack.Architecture {
	number := func(low, high float64) float64 { return overlaptest.Linear(random, low, high) }
	s.Layers, s.Dim = 1+random.IntN(5), []int{8, 64, 768}[random.IntN(3)]
	s.Norm = stack.Placement(random.IntN(3))
	s.SkipSA, s.SkipMLP = number(0.3, 1.5), number(0.3, 1.5)
	s.BranchSA, s.BranchMLP = number(0.3, 1.5), number(0.3, 1.5)
	s.Value2, s.Projection2 = number(0.1, 2), number(0.2, 2)
	s.Hidden2, s.Output2 = number(0.2, 3), number(0.2, 2)
	s.Width, s.Gated = []int{16, 256, 3072}[random.IntN(3)], random.IntN(3) == 0
	s.Activation = stack.Activation(random.IntN(len(stack.ActivationNames)))
	s.Input.Square, s.Input.Cosine, s.Input.Fixed = number(0.2, 3), number(0, 0.8), random.IntN(3) == 0
	if random.IntN(3) == 0 {
		s.Input.Features = 4 + random.IntN(40)
	}
	return s
}

// Stacks of all architectures compute what is recorded.
func TestStacksAreAsRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(76, 1))
	var records []overlaptest.Record
	var bases []*stack.Stack
	for _, a := range attentions {
		made, err := stack.New(drawArchitecture(random, a))
		if err != nil {
			t.Fatal(err)
		}
		bases = append(bases, made)
	}
	for k := range 40 {
		s := drawArchitecture(random, attentions[k%len(attentions)])
		made, err := bases[k%len(attentions)].With(s)
		if err != nil {
			t.Fatal(err)
		}
		r := overlaptest.Record{Cell: fmt.Sprintf("%+v", s)}
		layers, err := made.Forward()
		r.AddBool(err == nil)
		for _, l := range layers {
			r.Add(l.Square, l.Cosine, l.Low, l.High, l.StableRank, l.RankLow, l.RankHigh, l.ScoreDeviation,
				l.Participation, l.StepValues, l.StepMLP)
		}
		gradients, err := made.Backward()
		r.AddBool(err == nil)
		for _, g := range gradients {
			r.Add(g.Query, g.Key, g.Value, g.Projection, g.Hidden, g.Output, g.Input)
		}
		cosines, err := made.Cosines(2 + random.IntN(s.Tokens-1))
		r.AddBool(err == nil)
		for _, c := range cosines {
			r.Add(c.All, c.First, c.Last)
		}
		signal, err := made.Signal()
		r.AddBool(err == nil)
		r.Add(signal.Cosine, signal.Margin, signal.Growth, made.HiddenSquare(), made.Margin(0.7), s.Spread())
		if k%8 == 1 {
			alpha, ok := made.CriticalSkip(0.9)
			r.AddBool(ok)
			r.Add(alpha)
		}
		for _, layer := range made.Reach(30, 0.5, 0.9, 0.999) {
			r.Add(float64(layer))
		}
		if s.QueryKey2 == 0 || k == 2 { // elsewhere it takes long
			changes, err := made.Changes(0.3)
			r.AddBool(err == nil)
			for _, c := range changes {
				r.Add(float64(c.Kind), c.Factor, c.Signal.Cosine, c.Signal.Margin, c.Signal.Growth)
				r.AddBool(c.Passes)
			}
		}
		records = append(records, r)
	}
	overlaptest.CompareRecords(t, "testdata/stacks.txt", records)
}
