package firstpassage

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/must"
)

// A volume is a simple finite-volume discretisation of the Fokker-Planck equation in a coordinate x. It
// uses only the drift and the variance of z from the package. The flux between cells is drift × mean
// density - ½ d(variance × density)/dx. Walls reflect or absorb.
type volume struct {
	left, right                 float64
	absorbLeft, absorbRight     bool
	drift, variance             func(x float64) float64
	lower, diagonal, upper, old []float64
	width                       float64
}

// divide creates n cells.
func (v *volume) divide(n int) {
	v.width = (v.right - v.left) / float64(n)
	v.lower, v.diagonal = make([]float64, n), make([]float64, n)
	v.upper, v.old = make([]float64, n), make([]float64, n)
	variance := func(i int) float64 { return v.variance(v.left + (float64(i)+0.5)*v.width) }
	for i := range n - 1 { // the flux from cell i to i+1
		b := v.drift(v.left+float64(i+1)*v.width) / (2 * v.width)
		out, back := b+variance(i)/(2*v.width*v.width), b-variance(i+1)/(2*v.width*v.width)
		v.diagonal[i] -= out
		v.lower[i+1] += out
		v.upper[i] -= back
		v.diagonal[i+1] += back
	}
	if v.absorbLeft {
		v.diagonal[0] -= variance(0) / (v.width * v.width)
	}
	if v.absorbRight {
		v.diagonal[n-1] -= variance(n-1) / (v.width * v.width)
	}
}

// step advances the masses by an implicit step.
func (v *volume) step(mass []float64, t float64) {
	n := len(mass)
	c := make([]float64, n)
	for i := range n {
		e, right := 1-t*v.diagonal[i], mass[i]
		if i > 0 {
			e += t * v.lower[i] * c[i-1]
			right += t * v.lower[i] * mass[i-1]
		}
		c[i], mass[i] = -t*v.upper[i]/e, right/e
	}
	for i := n - 2; i >= 0; i-- {
		mass[i] -= c[i] * mass[i+1]
	}
}

// meanTime returns ∫ survival dt from x. With implicit steps, the sum over steps equals the integral for
// any step length.
func (v *volume) meanTime(x float64, n int, guess float64) float64 {
	v.divide(n)
	mass := make([]float64, n)
	at := max(0, (x-v.left)/v.width-0.5)
	i := min(int(at), n-2)
	mass[i], mass[i+1] = 1-(at-float64(i)), at-float64(i)
	sum := 0.0
	for survival := 1.0; survival > 1e-10; {
		v.step(mass, guess)
		survival = 0
		for _, m := range mass {
			survival += m
		}
		sum += guess * survival
	}
	return sum
}

// inAngle returns the volume in x = arccos(-z), in which an entrance is smooth, and inAtanh the volume in
// x = atanh z.
func inAngle(d *overlap.Diffusion) *volume {
	square := func(x float64) float64 { return math.Sin(x) * math.Sin(x) }
	return &volume{
		drift: func(x float64) float64 {
			z := -math.Cos(x)
			return (d.Drift(z) + z*d.Variance(z)/(2*square(x))) / math.Sin(x)
		},
		variance: func(x float64) float64 { return d.Variance(-math.Cos(x)) / square(x) },
	}
}

func inAtanh(d *overlap.Diffusion) *volume {
	v := &volume{variance: func(x float64) float64 {
		return d.Variance(math.Tanh(x)) * math.Pow(math.Cosh(x), 4)
	}}
	v.drift = func(x float64) float64 {
		return d.Drift(math.Tanh(x))*math.Pow(math.Cosh(x), 2) + math.Tanh(x)*v.variance(x)
	}
	return v
}

func TestPassageTimesAgainstAbsorption(t *testing.T) {
	compare := func(name string, got Time, v *volume, x float64) {
		t.Helper()
		coarse, fine := v.meanTime(x, 6000, got.Value), v.meanTime(x, 12000, got.Value)
		want := fine + (fine-coarse)/3
		t.Logf("%s: %.9g, off by %.1e", name, got.Value, got.Value/want-1)
		near(t, name, got.Value, want, 1e-6*want)
	}
	passage := func(name string, d *overlap.Diffusion, from, to float64) {
		t.Helper()
		got := must.Get(Between(d, from, to))(t)
		v := inAngle(d)
		v.right, v.absorbRight = math.Acos(-to), true
		if d.Line().Minus.Enterable {
			compare(name, got, v, math.Acos(-from))
			return
		}
		v = inAtanh(d)
		v.left, v.right, v.absorbRight = -14, math.Atanh(to), true
		if to < from {
			v.left, v.right, v.absorbLeft, v.absorbRight = math.Atanh(to), 14, true, false
		}
		compare(name, got, v, math.Atanh(from))
	}
	masses := func(dim int, beta float64, attention overlap.Attention, m2 float64) *overlap.Diffusion {
		return must.Get(overlap.NewMasses(dim, beta, attention, 1, 1, m2))(t)
	}
	passage("masses 1, 2: lifetime", masses(4, 1.5, overlap.Softmax, 2), -1, 0)
	passage("masses 1, 2: a long lifetime", masses(4, 2.5, overlap.Softmax, 2), -1, 0)
	passage("masses 1, 3: from -1 to 0.5", masses(3, 2, overlap.Softmax, 3), -1, 0.5)
	passage("masses 1, 3: from -0.9 to 0.5", masses(5, 1, overlap.Softmax, 3), -0.9, 0.5)
	passage("masses 1, 2: two dimensions", masses(2, 1, overlap.Softmax, 2), -1, 0)
	passage("masses 1, 3: unnormalized", masses(4, 1.2, overlap.Unnormalized, 3), -1, 0)
	passage("masses 1, 2: thirty dimensions", masses(30, 2, overlap.Softmax, 2), -1, -0.2)
	passage("equal masses below the threshold", diffusion(t, 5, 0.3), -0.5, 0.5)
	passage("hybrid, up", must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, 0.7))(t), -0.5, 0.5)
	passage("hybrid, down", must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, 9))(t), 0.5, -0.5)
	passage("hybrid, unnormalized",
		must.Get(overlap.NewHybrid(3, 0.5, overlap.Unnormalized, 0.6))(t), -0.2, 0.8)

	exit := func(name string, d *overlap.Diffusion, z0, a, b float64) {
		t.Helper()
		got := must.Get(Exit(d, z0, a, b))(t)
		v := inAtanh(d)
		v.left, v.right, v.absorbLeft, v.absorbRight = math.Atanh(a), math.Atanh(b), true, true
		compare(name, got, v, math.Atanh(z0))
	}
	exit("exit, equal masses", diffusion(t, 4, 1.5), 0.1, -0.9, 0.8)
	exit("exit, masses 1, 2", masses(4, 2.5, overlap.Softmax, 2), -0.6, -0.99, 0.5)
	exit("exit, hybrid", must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, 1.2))(t), -0.2, -0.95, 0.99)

	wall := must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, 1.2))(t)
	got := must.Get(reflectedPassage(wall.Line(), -0.9, -0.4, 0.7))(t)
	v := inAtanh(wall)
	v.left, v.right, v.absorbRight = math.Atanh(-0.9), math.Atanh(0.7), true
	compare("wall", got, v, math.Atanh(-0.4))
}

// A case in which the scale is steep and the flux does not yet follow the source: near a wall.
func TestPassageFromAWallAgainstAbsorption(t *testing.T) {
	d := must.Get(overlap.NewMasses(300, 1, overlap.Softmax, 1, 1, 2))(t)
	got := value(t)(reflectedPassage(d.Line(), -0.5, -0.5, 0.5))
	v := inAtanh(d)
	v.left, v.right, v.absorbRight = math.Atanh(-0.5), math.Atanh(0.5), true
	coarse, fine := v.meanTime(v.left, 10_000, got), v.meanTime(v.left, 20_000, got)
	want := fine + (fine-coarse)/3
	t.Logf("%.9g, off by %.1e", got, got/want-1)
	near(t, "passage time", got, want, 1e-5*want)
}

// Exit times from any interval, where the scale is steep and stiff steps cross most of the way.
func TestExitTimesOnASteepScale(t *testing.T) {
	longtest.Only(t)
	r := rand.New(rand.NewPCG(11, 12))
	for range 24 {
		dim, beta := int(60*math.Exp(2.5*r.Float64())), 0.1*math.Exp(3.5*r.Float64())
		d := must.Get(overlap.NewMasses(dim, beta, overlap.Softmax, 1, 1,
			[]float64{1, 1.5, 10}[r.IntN(3)]))(t)
		points := []float64{2*r.Float64() - 1, 2*r.Float64() - 1, 2*r.Float64() - 1}
		slices.Sort(points)
		a, z0, b := points[0], points[1], points[2]
		got := must.Get(Exit(d, z0, a, b))(t)
		v := inAtanh(d)
		v.left, v.right, v.absorbLeft, v.absorbRight = math.Atanh(a), math.Atanh(b), true, true
		coarse, fine := v.meanTime(math.Atanh(z0), 10_000, got.Value),
			v.meanTime(math.Atanh(z0), 20_000, got.Value)
		want := fine + (fine-coarse)/3
		t.Logf("d = %d, β = %.3g, from %.3f to %.3f or %.3f: %.9g, off by %.1e",
			dim, beta, z0, a, b, got.Value, got.Value/want-1)
		near(t, "exit time", got.Value, want, 2e-6*want)
	}
}

// Systems of random numbers with zeros on the diagonal are solved.
func TestSolve(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 3))
	for range 20 {
		var system [quadrature.Order][quadrature.Order + 1]float64
		for i := range system {
			for j := range quadrature.Order {
				if j != i {
					system[i][j] = random.NormFloat64()
				}
				system[i][quadrature.Order] += system[i][j] * float64(j+1)
			}
		}
		for j, x := range solveLinear(&system) {
			near(t, "solution", x, float64(j+1), 1e-9)
		}
	}
}
