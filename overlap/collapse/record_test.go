package collapse_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"antipode/overlap/collapse"
	"antipode/overlap/internal/overlaptest"
)

// Gradients, distances and streams, over the whole domain, are as recorded.
func TestCollapseIsAsRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(78, 1))
	number := func(low, high float64) float64 { return overlaptest.Linear(random, low, high) }
	var records []overlaptest.Record
	for range 40 {
		g := collapse.Gaussian{Tokens: 1 + random.IntN(40), Dim: 1 + random.IntN(100), Variance: number(0, 3)}
		g.Correlation = number(0, 1)
		if random.IntN(4) == 0 && g.Tokens > 1 {
			g.Correlation = -1 / float64(g.Tokens-1)
		}
		layers, keyDim, temperature := random.IntN(30), 1+random.IntN(90), number(0.1, 3)
		branches := collapse.Residual{Attention: number(0, 1.5), MLP: number(0, 1.5)}
		if random.IntN(5) == 0 {
			branches.Attention = 0
		}
		r := overlaptest.Record{Cell: fmt.Sprintf("%+v d_k=%d τ=%g %+v %d layers", g, keyDim, temperature,
			branches, layers)}
		add := func(x float64, err error) {
			r.AddBool(err == nil)
			r.Add(x)
		}
		add(g.DerivativeDistance(keyDim))
		add(g.Distance(keyDim))
		add(g.InputGradient(temperature))
		add(g.PrintedInputBound())
		add(g.QueryGradient(temperature))
		add(g.Temperature())
		add(g.ValueGradient())
		r.Add(collapse.Glorot(g.Dim, keyDim))
		q := 0.1 + g.Variance
		stream := collapse.Alike(g.Tokens, q, q*g.Correlation)
		r.Add(stream.Square, stream.Inner, stream.Correlation())
		add(stream.DeepCorrelation(branches))
		for _, f := range []func() (collapse.Stream, error){
			func() (collapse.Stream, error) { return stream.After(branches, layers) },
			func() (collapse.Stream, error) { return stream.ReLU(branches) },
			func() (collapse.Stream, error) { return stream.Scaled(branches) },
		} {
			next, err := f()
			r.AddBool(err == nil)
			r.Add(next.Square, next.Inner)
		}
		records = append(records, r)
	}
	overlaptest.CompareRecords(t, "testdata/collapse.txt", records)
}
