//go:build long

package theory

import (
	"flag"
	"math"
	"strconv"
	"testing"
	"time"

	"antipode/overlap/exactlaw"
	"antipode/sde"
	"antipode/sphere"
)

var ofEachCell = flag.Int64("trajectories", 40_000,
	"trajectories of each cell that the exact law is compared with")

// comparison is a cell, a number of layers, and a function that computes the exact law of its outcomes.
type comparison struct {
	cell   sde.Cell
	layers int64
	law    func(tolerance float64) (exactlaw.Outcomes, error)
}

func chains(attention sde.Attention, dim int, beta, sigma float64, depth int, horizon float64) comparison {
	c := sde.Cell{
		Model: sde.Transformer{Law: sde.Gaussian, Sigma: sigma}, Method: sde.Chain, Attention: attention,
		Tokens: 2, Dim: dim, Beta: beta, Depth: depth, Start: sde.UniformStart{},
	}
	return ofCell(c, horizon)
}

func hybrids(attention sde.Attention, law sde.Law, dim int, beta, epsilon float64, depth int,
	horizon float64) comparison {
	c := sde.Cell{
		Model: sde.Hybrid{Law: law, Epsilon: epsilon}, Method: sde.Chain, Attention: attention,
		Tokens: 2, Dim: dim, Beta: beta, Depth: depth, Start: sde.UniformStart{},
	}
	return ofCell(c, horizon)
}

func ofCell(c sde.Cell, horizon float64) comparison {
	layers := int64(math.Round(float64(c.Depth) * horizon))
	return comparison{c, layers, func(tolerance float64) (exactlaw.Outcomes, error) {
		r, err := Recursion(c)
		if err != nil {
			return exactlaw.Outcomes{}, err
		}
		return r.Uniform(int(layers), tolerance, LargestDepthError)
	}}
}

func opposite(attention sde.Attention, dim int, beta float64, m1, m2, depth int, horizon float64) comparison {
	c := sde.Cell{
		Model: sde.Transformer{Law: sde.Gaussian, Sigma: 1}, Method: sde.Chain, Attention: attention,
		Tokens: m1 + m2, Dim: dim, Beta: beta, Depth: depth, Start: sde.OppositeStart{First: m1, Second: m2},
	}
	layers := int64(math.Round(float64(depth) * horizon))
	return comparison{c, layers, func(tolerance float64) (exactlaw.Outcomes, error) {
		r, err := exactlaw.Clusters(dim, beta, Attention(attention), 1, float64(m1), float64(m2), depth)
		if err != nil {
			return exactlaw.Outcomes{}, err
		}
		return r.From(-1, int(layers), tolerance, LargestDepthError)
	}}
}

// comparisons returns forty cells in all dimensions from 2 to 12.
func comparisons() (all []comparison) {
	for k, dim := range []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 4} {
		beta := []float64{0.4, 0.8, 1.1, 1.6, 1.5, 1.9, 2.2, 2, 2.5, 2.4, 3, 0.6}[k]
		depth := []int{5, 10, 20, 7, 40, 30, 12, 60, 25, 50, 100, 5}[k]
		horizon := []float64{50, 20, 30, 10, 12, 10, 30, 8, 20, 10, 5, 50}[k]
		all = append(all, chains(sde.Softmax, dim, beta, 1, depth, horizon),
			chains(sde.Unnormalized, dim, 0.6*beta, 0.7, 2*depth, []float64{5, 10, 8}[k%3]))
	}
	for k, m := range [][2]int{{1, 2}, {2, 3}, {1, 3}, {3, 1}} {
		beta := []float64{1.3, 0.9, 2, 1.6}[k]
		all = append(all, opposite(sde.Softmax, []int{4, 3, 6, 2}[k], beta, m[0], m[1], 10+15*k, 10),
			opposite(sde.Unnormalized, []int{3, 5, 7, 4}[k], 0.5*beta, m[0], m[1], 60-12*k, 5))
	}
	for k, law := range []sde.Law{sde.Rademacher, sde.Uniform, sde.TruncatedNormal, sde.Gaussian} {
		depth := []int{5, 10, 20, 60}[k]
		all = append(all, hybrids(sde.Softmax, law, 3+k, 0.5+0.3*float64(k), 1.15, depth, 12),
			hybrids(sde.Unnormalized, law, 2+2*k, 0.3+0.15*float64(k), 0.6-0.03*float64(k), 40+20*k, 8))
	}
	return all
}

// Both outcomes of forty cells agree with the exact law: their deviations in standard errors have mean 0 and
// variance 1. A single one beyond 4.5, or the mean or the mean square more than 4 standard errors off, is a
// false alarm in one of 2000 seeds; the seed is fixed.
func TestExactLawAgainstSimulation(t *testing.T) {
	all := comparisons()
	if len(all) != 40 {
		t.Fatalf("there are %d cells", len(all))
	}
	var n, sum, squares float64
	for k, c := range all {
		t.Run(strconv.Itoa(k), func(t *testing.T) {
			for _, z := range c.deviations(t) {
				n, sum, squares = n+1, sum+z, squares+z*z
			}
		})
	}
	mean, deviation := sum/n, math.Sqrt(squares/n)
	t.Logf("%v deviations: mean %.3f, deviation %.3f", n, mean, deviation)
	if !(math.Abs(mean) <= 4/math.Sqrt(n)) || !(math.Abs(squares/n-1) <= 4*math.Sqrt(2/n)) {
		t.Errorf("%v deviations have mean %.3f and deviation %.3f", n, mean, deviation)
	}
}

// deviations returns the deviations from the exact law, in standard errors, of those outcomes that are
// frequent enough.
func (c comparison) deviations(t *testing.T) (z []float64) {
	const tolerance = 1e-3
	begin := time.Now()
	o, err := c.law(tolerance)
	if err != nil {
		t.Fatalf("%+v: %v", c.cell, err)
	}
	took := time.Since(begin)
	if known := DepthOf(o); math.IsNaN(known.Antipodal) || math.IsNaN(known.Single) {
		t.Errorf("%+v is not known: %+v", c.cell, o)
	}
	counts := simulated(t, c.cell, c.layers, *ofEachCell, tolerance)
	trajectories := float64(*ofEachCell)
	for _, outcome := range []sphere.Outcome{sphere.Antipodal, sphere.Single} {
		p := o.Antipodal.Value
		if outcome == sphere.Single {
			p = o.Single.Value
		}
		variance := trajectories * p * (1 - p)
		if variance < 30 {
			continue
		}
		deviation := (float64(counts[outcome]) - trajectories*p) / math.Sqrt(variance)
		t.Logf("%-12v %v d=%d β=%.2f L=%d n=%d masses of %d: %-9v %.6f, %+.2f, %v", c.cell.Model,
			c.cell.Attention,
			c.cell.Dim, c.cell.Beta, c.cell.Depth, c.layers, c.cell.Tokens, outcome, p, deviation,
			took.Round(time.Millisecond))
		if !(math.Abs(deviation) <= 4.5) {
			t.Errorf("%+v: %d %v of %v, the exact law has %v: %.1f standard errors", c.cell, counts[outcome],
				outcome, trajectories, p, deviation)
		}
		z = append(z, deviation)
	}
	return z
}
