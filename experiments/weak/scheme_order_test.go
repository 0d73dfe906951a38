package weak

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere/must"
)

// Recursion (4) and each scheme for (6) have weak order 1, and their Talay-Tubaro extrapolations order 2, for
// the means of z and z² of two tokens. The means are computed without random numbers, to nine digits, at
// depths 512 to 8192. The orders estimated from successive differences lie within 0.02 of 1, and those of the
// extrapolated means within 0.4 of 2: for the recursion the term of third order still shows, for the others
// they are within 0.1. No leading term vanishes here; at d = 4 that of second order nearly does for z with
// geodesic. The limit is the solution of the Fokker-Planck equation.
func TestOrdersWithoutNoise(t *testing.T) {
	longtest.Only(t)
	const dim, beta, accuracy = 3, 1, 1e-7
	d := must.Get(overlap.New(dim, beta, overlap.Softmax, 1))(t)
	laws := must.Get(fokkerplanck.From(d, 0, []float64{1}, accuracy))(t)
	cells := []sde.Cell{{Model: sde.Transformer{Sigma: 1}}}
	for _, scheme := range (sde.TransformerSDE{}).Schemes() {
		cells = append(cells, sde.Cell{Model: sde.TransformerSDE{Sigma: 1, Scheme: scheme}})
	}
	for _, c := range cells {
		c.Tokens, c.Dim, c.Beta, c.Start = 2, dim, beta, sde.UniformStart{}
		var means [2][]float64
		for c.Depth = 512; c.Depth <= 8192; c.Depth *= 2 {
			k := newSchemeKernel(t, c, 2, 40)
			for s := range means {
				mean := k.mean(func(z float64) float64 { return statisticsAt(z)[s] }, c.Depth)(0)
				means[s] = append(means[s], mean)
			}
		}
		for s, plain := range means {
			extrapolated := doubled(plain, 2, -1)
			limit := laws[0].Expectation(func(z float64) float64 { return statisticsAt(z)[s] })
			first, second := orders(plain), orders(extrapolated)
			off := extrapolated[len(extrapolated)-1] - limit
			t.Logf("%#v, %s: orders %.3f and, extrapolated, %.3f; off the limit by %.1g", c.Model,
				statisticNames[s], first, second, off)
			for _, order := range first {
				if !(math.Abs(order-1) <= 0.02) {
					t.Errorf("%#v, %s: order %.3f", c.Model, statisticNames[s], order)
				}
			}
			for _, order := range second {
				if !(math.Abs(order-2) <= 0.4) {
					t.Errorf("%#v, %s: extrapolated, order %.3f", c.Model, statisticNames[s], order)
				}
			}
			if !(math.Abs(off) <= 3*accuracy) {
				t.Errorf("%#v, %s: off the limit by %.1g", c.Model, statisticNames[s], off)
			}
		}
	}
}

// doubled returns a·values[i] + b·values[i-1] for each i ≥ 1. The values are means at depths of which each is
// twice the one before.
func doubled(values []float64, a, b float64) (combined []float64) {
	for i := 1; i < len(values); i++ {
		combined = append(combined, a*values[i]+b*values[i-1])
	}
	return combined
}

// orders returns the orders of values at doubled depths, each estimated from three successive values; the
// limit is not needed.
func orders(values []float64) (orders []float64) {
	differences := doubled(values, 1, -1)
	for i := 1; i < len(differences); i++ {
		orders = append(orders, math.Log2(differences[i-1]/differences[i]))
	}
	return orders
}
