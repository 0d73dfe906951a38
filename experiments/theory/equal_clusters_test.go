package theory

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// nearEqualClusters returns count states of four tokens each, two near a point and two near its opposite.
func nearEqualClusters(count, dim int, near float64) []float64 {
	random := rand.New(rand.NewPCG(12, 34))
	states := make([]float64, 4*count*dim)
	for i := range 4 * count {
		x := states[i*dim : (i+1)*dim]
		norm := 0.0
		for j := range x {
			x[j] = near * random.NormFloat64()
			if j == 0 {
				x[j] += math.Copysign(1, float64(i%4)-1.5)
			}
			norm += x[j] * x[j]
		}
		for j := range x {
			x[j] /= math.Sqrt(norm)
		}
	}
	return states
}

// sizesWithin returns the logarithms of the distance between the first two of four tokens, and of the norm of
// the sum of all four.
func sizesWithin(x []float64) (inside, sum float64) {
	dim := len(x) / 4
	for j := range dim {
		d := x[j] - x[dim+j]
		s := x[j] + x[dim+j] + x[2*dim+j] + x[3*dim+j]
		inside, sum = inside+d*d, sum+s*s
	}
	return 0.5 * math.Log(inside), 0.5 * math.Log(sum)
}

// For four tokens with an MLP, the distance within a cluster and the sum of the two clusters grow with the
// exponents of two clusters of equal size. Without the MLP both exponents would differ by 0.35. One run in
// 8000 fails by chance.
func TestEqualClustersBesideAnMLP(t *testing.T) {
	const dim, beta, depth, layers, near, trajectories = 4, 1.5, 50, 50, 1e-7, 1500
	m := overlap.MLP{Activation: activation.Tanh, Strength: 0.5, Variance: 4}
	attention := must.Get(overlap.New(dim, beta, overlap.Softmax, 1))(t)
	block := must.Get(attention.WithMLP(m))(t)
	within, _ := block.Within()
	between, _ := block.Lyapunov()
	states := nearEqualClusters(trajectories, dim, near)
	start := must.Get(sde.NewStatesStart(states, 4, dim))(t)
	c := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 4, Dim: dim, Beta: beta, Depth: depth,
		Start: start}
	c.MLP = sde.MLP{Activation: m.Activation, Strength: m.Strength, Variance: m.Variance, Width: 16}
	var a, b, aa, bb float64
	ensemble := sde.Ensemble[[2]float64]{Cells: []sde.Cell{c}, Trajectories: trajectories,
		Layers: layers, Seed: 4, Merge: sde.KeepApart,
		Observer: func(int) func(*[2]float64, *sde.View) {
			return func(row *[2]float64, v *sde.View) { row[0], row[1] = sizesWithin(v.Tokens()) }
		},
		Reduce: func(_ int, k int64, row [2]float64) error {
			i, s := sizesWithin(states[k*4*dim : (k+1)*4*dim])
			i, s = row[0]-i, row[1]-s
			a, b, aa, bb = a+i, b+s, aa+i*i, bb+s*s
			return nil
		}}
	must.Do(t, ensemble.Run(t.Context()))
	const n, time = trajectories, float64(layers) / depth
	for _, x := range []struct {
		name              string
		sum, square, want float64
	}{{"within", a, aa, within}, {"between", b, bb, between}} {
		mean := x.sum / n / time
		err := math.Sqrt((x.square/n-x.sum/n*x.sum/n)/n) / time
		t.Logf("%s: %.4f ± %.4f, limit %.4f", x.name, mean, err, x.want)
		if !(math.Abs(mean-x.want) < 4*err+0.06) { // 0.06 for the finite depth
			t.Errorf("%s: %v ± %v, want %v", x.name, mean, err, x.want)
		}
	}
}
