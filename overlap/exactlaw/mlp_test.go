package exactlaw

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sphere/activation"
)

func withMLP(t *testing.T, r *Recursion, m overlap.MLP) *Recursion {
	t.Helper()
	with, err := r.WithMLP(m)
	if err != nil {
		t.Fatal(err)
	}
	return with
}

// simulated returns the numbers of antipodal and of single pairs among trajectories of two tokens with
// softmax and σ = 1. The layers add Gaussian vectors with the covariance of attention and MLP, in
// parallel or in sequence, and a drift.
func simulated(
	dim int, beta float64, m overlap.MLP, drift float64, sequence bool, depth, layers, trajectories int,
) (antipodal, single float64) {
	var c *activation.Correlation
	if m.Strength > 0 {
		var err error
		if c, err = m.Correlation(); err != nil {
			panic(err)
		}
	}
	type sublayers struct{ attention, mlp bool }
	steps := []sublayers{{true, true}}
	if sequence {
		steps = []sublayers{{true, false}, {false, true}}
	}
	random := rand.New(rand.NewPCG(34, uint64(dim)))
	x, y := make([]float64, dim), make([]float64, dim)
	unit := func(v []float64) {
		square := 0.0
		for _, a := range v {
			square += a * a
		}
		for k := range v {
			v[k] /= math.Sqrt(square)
		}
	}
	overlapOf := func() (z float64) {
		for k := range x {
			z += x[k] * y[k]
		}
		return z
	}
	for range trajectories {
		for k := range x {
			x[k], y[k] = random.NormFloat64(), random.NormFloat64()
		}
		unit(x)
		unit(y)
		for range layers {
			for _, step := range steps {
				z := max(-1, min(1, overlapOf()))
				own, shared, mean, other := 0.0, 0.0, 1.0, 0.0
				if step.attention {
					r := math.Exp(-beta * (1 - z))
					p, q := 1/(1+r), r/(1+r)
					mean, other = 1+drift*p/float64(depth), drift*q/float64(depth)
					own, shared = p*p+q*q+2*p*q*z, (p*p+q*q)*z+2*p*q
				}
				if step.mlp && c != nil {
					own, shared = own+m.Strength, shared+m.Strength*c.At(z)
				}
				along := math.Sqrt((own + shared) / 2 / float64(depth))
				across := math.Sqrt(max(0, own-shared) / 2 / float64(depth))
				for k := range x {
					g, h := along*random.NormFloat64(), across*random.NormFloat64()
					x[k], y[k] = mean*x[k]+other*y[k]+g+h, mean*y[k]+other*x[k]+g-h
				}
				unit(x)
				unit(y)
			}
		}
		switch z := overlapOf(); {
		case z <= -1+1e-3:
			antipodal++
		case z >= 1-1e-3:
			single++
		}
	}
	return antipodal, single
}

// The law agrees with 2,000 trajectories of each cell, for odd activations and others, in parallel and in
// sequence by turns, and with drifts: |z| ≤ 4 in all 16 comparisons, which fails by chance for one seed in
// 1,000. More accuracy than the simulation has would be of no use.
func TestLawWithMLPAgainstSimulation(t *testing.T) {
	longtest.Only(t)
	compareMLPWithSimulation(t, func(cell int) []bool { return []bool{cell%2 == 1} })
}

// compareMLPWithSimulation compares laws with trajectories. For each cell the function arrangements says
// whether an MLP is compared in sequence, or in parallel.
func compareMLPWithSimulation(t *testing.T, arrangements func(cell int) []bool) {
	t.Helper()
	for cell, c := range []struct {
		dim           int
		beta          float64
		m             overlap.MLP
		depth, layers int
		drift         float64
	}{
		{4, 1.5, overlap.MLP{Activation: activation.Tanh, Strength: 0.5, Variance: 4}, 20, 200, 0},
		{12, 0.5, overlap.MLP{Activation: activation.Tanh, Strength: 5, Variance: 36}, 50, 100, 0},
		{5, 2, overlap.MLP{Activation: activation.ReLU, Strength: 0.03, Variance: 1}, 20, 60, 0},
		{3, 1, overlap.MLP{Activation: activation.GELU, Strength: 0.1, Variance: 2}, 10, 100, 0},
		{4, 1.2, overlap.MLP{Activation: activation.Tanh, Strength: 2, Variance: 4}, 4, 12, 0},
		{4, 1.5, overlap.MLP{Activation: activation.Tanh, Strength: 0.5, Variance: 4}, 10, 60, 1.5},
		{3, 0.8, overlap.MLP{Activation: activation.ReLU, Strength: 0.1, Variance: 1}, 5, 20, 2},
		{5, 2, overlap.MLP{}, 8, 40, 3},
	} {
		const trajectories = 2000
		attention := recursion(t, c.dim, c.beta, overlap.Softmax, 1, 1, 1, c.depth)
		for _, sequence := range arrangements(cell) {
			r, err := attention.WithDrift(c.drift)
			if err == nil {
				r, err = r.withMLP(c.m, sequence)
			}
			if err != nil {
				t.Fatal(err)
			}
			o := uniform(t, r, c.layers, 1e-3)
			antipodal, single := simulated(c.dim, c.beta, c.m, c.drift, sequence, c.depth, c.layers,
				trajectories)
			for k, p := range []float64{o.Antipodal.Value, o.Single.Value} {
				count := [2]float64{antipodal, single}[k]
				z := (count - trajectories*p) / math.Sqrt(max(1, trajectories*p*(1-p)))
				if !(math.Abs(z) <= 4) {
					t.Errorf("%+v, sequence %v: outcome %d: %v of %d, law %v, z = %.2f", c, sequence, k,
						count, trajectories, p, z)
				}
			}
			t.Logf("%+v, sequence %v: %+v; simulated %v, %v", c, sequence, o, antipodal, single)
		}
	}
}

// A linear MLP acts like a kernel of its own. Strength 0 adds nothing, and a small strength little.
func TestMLPOfNoStrength(t *testing.T) {
	r := recursion(t, 4, 1.1, overlap.Softmax, 1, 1, 1, 10)
	if withMLP(t, r, overlap.MLP{}) != r {
		t.Error("strength 0 changes the recursion")
	}
	plain := uniform(t, r, 100, 1e-6)
	weak := uniform(t, withMLP(t, r, overlap.MLP{Activation: activation.Sin, Strength: 1e-9, Variance: 1}),
		100, 1e-6)
	near(t, "P(antipodal)", weak.Antipodal.Value, plain.Antipodal.Value, 1e-7)
	near(t, "P(single)", weak.Single.Value, plain.Single.Value, 1e-7)
}

// A drift is refused if no law is available.
func TestDriftRefusals(t *testing.T) {
	equal := recursion(t, 4, 1, overlap.Softmax, 1, 1, 1, 10)
	if same, err := equal.WithDrift(0); same != equal || err != nil {
		t.Errorf("no drift: %v, %v", same, err)
	}
	hybrid := hybridOf(t, 3, 1, overlap.Softmax, 1.2, finitedepth.Uniform, 50)
	for _, c := range []struct {
		r    *Recursion
		mu   float64
		want string
	}{
		{equal, -0.1, "drift -0.1 is not allowed: it must be from 0 to 1e+06"},
		{equal, math.NaN(), "drift NaN is not allowed: it must be from 0 to 1e+06"},
		{hybrid, 1, "the law is not available: the hybrid model already has a drift"},
		{withMLP(t, hybrid, overlap.MLP{Activation: activation.Tanh, Strength: 0.3, Variance: 1}), 1,
			"the law is not available: the hybrid model already has a drift"},
		{recursion(t, 4, 1, overlap.Softmax, 1, 1, 2, 10), 1,
			"the law is not available: unequal clusters cannot have a drift"},
	} {
		if _, err := c.r.WithDrift(c.mu); err == nil || err.Error() != "exactlaw: "+c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestMLPRefusals(t *testing.T) {
	r := recursion(t, 4, 1, overlap.Softmax, 1, 1, 1, 10)
	m := overlap.MLP{Activation: activation.Tanh, Strength: 1, Variance: 1}
	if _, err := withMLP(t, r, m).WithMLP(m); err != errMLP {
		t.Errorf("a second MLP: %v", err)
	}
	m.Strength = 1e6
	const want = "exactlaw: the law is not available: the variance of a layer's noise, 1e+05 at overlap 0, " +
		"must be from 1e-16 to 10000"
	if _, err := r.WithMLP(m); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	m.Variance = 0
	if _, err := r.WithMLP(m); err == nil {
		t.Error("variance 0 is accepted")
	}
}
