package response

import (
	"math"
	"strings"
	"testing"

	"antipode/sde"
	"antipode/sde/internal/kernels"
	"antipode/sphere"

	"gonum.org/v1/gonum/stat"
)

func hybridCell(dim int, beta, epsilon float64, depth int, law sde.Law, attention sde.Attention) sde.Cell {
	return sde.Cell{Model: sde.Hybrid{Law: law, Epsilon: epsilon}, Method: sde.Chain, Attention: attention,
		Tokens: 2, Dim: dim, Beta: beta, Depth: depth, Start: sde.UniformStart{}}
}

var hybridCells = []sde.Cell{
	hybridCell(3, 1, 1.2, 30, sde.Rademacher, sde.Softmax),
	hybridCell(2, 0.3, 1.3, 40, sde.Uniform, sde.Unnormalized),
	hybridCell(5, 0.8, 1.4, 60, sde.TruncatedNormal, sde.Softmax),
	hybridCell(4, 0.7, 1.3, 100, sde.Gaussian, sde.Softmax),
}

// A trajectory that an ensemble counts as antipodal is one that starts below the start that leads to the edge
// of the outcome.
func TestStartsOfHybridOutcomes(t *testing.T) {
	for _, c := range hybridCells {
		const trajectories, tolerance = 400, 0.05
		layers := int64(6 * c.Depth)
		want, err := c.Outcomes(t.Context(), 7, trajectories, layers, tolerance)
		if err != nil {
			t.Fatal(err)
		}
		walk := newHybridWalk(&Hybrid{Cell: c, Layers: layers, Tolerance: tolerance, Seed: 7})
		at := &transformerWalk{Transformer: &Transformer{Cell: c}, stream: kernels.NewStream(7, c.ID()),
			tokens: make([]float64, 2*c.Dim)}
		count := int64(0)
		for k := range int64(trajectories) {
			walk.run(k)
			if at.start(k); at.u < walk.u {
				count++
			}
		}
		if n := want[sphere.Antipodal]; count != n || n < 20 || n > trajectories-20 {
			t.Errorf("%v: %d trajectories start below, %d are antipodal", c, count, n)
		}
	}
}

// The derivatives of that start are those by differences with the same scalars.
func TestHybridAlongAPath(t *testing.T) {
	for _, c := range hybridCells {
		model := c.Model.(sde.Hybrid)
		at := func(beta, epsilon float64, k int64) *hybridWalk {
			other := hybridCell(c.Dim, beta, epsilon, c.Depth, model.Law, c.Attention)
			w := newHybridWalk(&Hybrid{Cell: other, Layers: int64(3 * c.Depth), Tolerance: 0.1})
			w.stream = kernels.NewStream(5, c.ID()) // the same scalars
			w.run(k)
			return w
		}
		for k := range int64(10) {
			const h = 1e-5
			got := at(c.Beta, model.Epsilon, k).by
			for p, step := range [][2]float64{{h, 0}, {0, h}} {
				want := (at(c.Beta+step[0], model.Epsilon+step[1], k).u -
					at(c.Beta-step[0], model.Epsilon-step[1], k).u) / (2 * h)
				if !(math.Abs(got[p]-want) <= 1e-5*max(1, math.Abs(want))) {
					t.Errorf("%v, trajectory %d, parameter %d: %v, differences %v", c, k, p, got[p], want)
				}
			}
		}
	}
}

// The density of u at the start has the integral 1, and gives E tanh² u = 1/d.
func TestStartDensity(t *testing.T) {
	for _, d := range []int{2, 3, 4, 7, 50} {
		density := startDensity(d)
		mass, second := 0.0, 0.0
		const width = 0.01
		for k := -4000; k <= 4000; k++ {
			u := width * float64(k)
			rho, z := width*density(u), math.Tanh(u)
			mass, second = mass+rho, second+rho*z*z
		}
		if !(math.Abs(mass-1) < 1e-12) || !(math.Abs(second*float64(d)-1) < 1e-12) {
			t.Errorf("d = %d: mass %v, second moment %v", d, mass, second)
		}
	}
}

// A layer for which folds reports false has a positive slope everywhere.
func TestFolds(t *testing.T) {
	for _, attention := range []sde.Attention{sde.Softmax, sde.Unnormalized} {
		for _, beta := range []float64{0.2, 1, 4} {
			least := 1.0
			w := -1e-3
			for ; !folds(w, beta, attention); w *= 1.01 {
				for u := -8.0; u <= 8; u += 0.05 {
					a, b := amplitudes(u, beta, attention, 1)
					least = min(least, 1+w*a.byU/(1+w*a.value)-w*b.byU/(1+w*b.value), 1+w*a.value)
				}
			}
			if !(least > 0) || !(w < -0.05*math.Exp(-beta)) {
				t.Errorf("%v, β = %v: slope %v up to the scalar %v", attention, beta, least, w)
			}
		}
	}
}

// The result has the same bits for any number of workers.
func TestHybridDoNotDependOnWorkers(t *testing.T) {
	of := func(workers int) HybridDerivatives {
		r := &Hybrid{Cell: hybridCells[0], Layers: 60, Trajectories: 75, Tolerance: 0.1, Seed: 3,
			Workers: workers}
		all, err := r.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if one, three := of(1), of(3); one != three || one.ByBeta.Value == 0 || one.ByEpsilon.Error == 0 {
		t.Errorf("%+v, %+v", one, three)
	}
}

func TestHybridRefuse(t *testing.T) {
	good := Hybrid{Cell: hybridCells[0], Layers: 10, Trajectories: 10, Tolerance: 0.1}
	for want, change := range map[string]func(*Hybrid){
		"trajectories 1: must be at least 2":   func(r *Hybrid) { r.Trajectories = 1 },
		"layers -1: must not be negative":      func(r *Hybrid) { r.Layers = -1 },
		"tolerance 1: must be between 0 and 1": func(r *Hybrid) { r.Tolerance = 1 },
		"epsilon 9 at depth 30 and beta 1: a layer may fold": func(r *Hybrid) {
			r.Cell.Model = sde.Hybrid{Law: sde.Rademacher, Epsilon: 9}
		},
		"those of two tokens under recursion (7)": func(r *Hybrid) {
			r.Cell.Model = sde.Transformer{Law: sde.Gaussian, Sigma: 1}
		},
		"depth 0: must be from 1": func(r *Hybrid) { r.Cell.Depth = 0 },
	} {
		r := good
		change(&r)
		if _, err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A layer may fold from a scalar on that follows from the bounds of the weight, which is 1 or e^β, and of the
// slope: ½β or 4/e with softmax, and e^β β or 2e^β/e with unnormalised attention.
func TestLeastScalarThatFolds(t *testing.T) {
	for _, c := range []struct {
		attention sde.Attention
		beta, sum float64
	}{
		{sde.Softmax, 0, 1}, {sde.Softmax, 1, 1.5}, {sde.Softmax, 2.9, 2.45}, {sde.Softmax, 10, 1 + 4/math.E},
		{sde.Unnormalized, 0, 1}, {sde.Unnormalized, 0.3, 1.3 * math.Exp(0.3)},
		{sde.Unnormalized, 0.7, 1.7 * math.Exp(0.7)}, {sde.Unnormalized, 2, (1 + 2/math.E) * math.Exp(2)},
	} {
		for factor, want := range map[float64]bool{1 - 1e-12: false, 1 + 1e-12: true, 2: true, -2: false} {
			if got := folds(-factor/c.sum, c.beta, c.attention); got != want {
				t.Errorf("%+v: %v times the least scalar: %v", c, factor, got)
			}
		}
	}
	if !folds(-0.5, 2, sde.Softmax) { // where the derivative is exactly 0
		t.Error("a layer without slope does not fold")
	}
}

// The estimates are the means, over trajectories, of the derivatives of the start times its density, with
// their standard errors.
func TestHybridIsAMeanOfPaths(t *testing.T) {
	const trajectories = 40
	r := &Hybrid{Cell: hybridCells[2], Layers: 100, Trajectories: trajectories, Tolerance: 0.1, Seed: 3}
	got, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	walk, density := newHybridWalk(r), startDensity(5)
	var values [2][]float64
	for k := range int64(trajectories) {
		walk.run(k)
		for p := range values {
			values[p] = append(values[p], density(walk.u)*walk.by[p])
		}
	}
	for p, estimate := range []Mean{got.ByBeta, got.ByEpsilon} {
		mean, deviation := stat.MeanStdDev(values[p], nil)
		want := Mean{mean, deviation / math.Sqrt(trajectories)}
		if !(math.Abs(estimate.Value-want.Value) <= 1e-12*want.Error) ||
			!(math.Abs(estimate.Error/want.Error-1) <= 1e-10) {
			t.Errorf("parameter %d: %+v, want %+v", p, estimate, want)
		}
	}
}
