package exactlaw

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/integrate/quad"
)

// byDefinition returns the mean of f(u') after a layer from overlap z, from recursion (4) itself: V acts
// on the plane of two tokens, and its 2d entries are integrated by a product of Gauss-Hermite rules.
func byDefinition(c *clusters, z float64, nodes int, f func(u float64) float64) float64 {
	d := c.dim
	x, w := make([]float64, nodes), make([]float64, nodes)
	quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
	a, b := math.Exp(c.beta), math.Exp(c.beta*z)
	p1, q1 := c.m1*a/(c.m1*a+c.m2*b), c.m2*b/(c.m1*a+c.m2*b)
	p2, q2 := c.m2*a/(c.m2*a+c.m1*b), c.m1*b/(c.m2*a+c.m1*b)
	if c.attention == overlap.Unnormalized {
		p1, q1, p2, q2 = c.m1*a, c.m2*b, c.m2*a, c.m1*b
	}
	sine := math.Sqrt(1 - z*z)
	// X¹ is the first unit vector, X² = (z, sine, 0, …).
	a1, a2 := [2]float64{p1 + q1*z, q1 * sine}, [2]float64{q2 + p2*z, p2 * sine}
	scale := c.scale * math.Sqrt2 // scale of nodes for the weight exp(-x²)
	sum := 0.0
	index := make([]int, 2*d)
	for done := false; !done; {
		weight, n1, n2, inner := 1.0, 0.0, 0.0, 0.0
		for i := range d {
			g, h := scale*x[index[2*i]], scale*x[index[2*i+1]]
			weight *= w[index[2*i]] * w[index[2*i+1]]
			y1, y2 := g*a1[0]+h*a1[1], g*a2[0]+h*a2[1]
			switch i {
			case 0:
				y1, y2 = y1+1, y2+z
			case 1:
				y2 += sine
			}
			n1, n2, inner = n1+y1*y1, n2+y2*y2, inner+y1*y2
		}
		sum += weight * f(math.Atanh(inner/math.Sqrt(n1*n2)))
		done = true
		for k := range index {
			if index[k]++; index[k] < nodes {
				done = false
				break
			}
			index[k] = 0
		}
	}
	return sum / math.Pow(math.Pi, float64(d))
}

// meanAfter returns the same mean, from the law of a step.
func meanAfter(c *clusters, z float64, f func(u float64) float64) float64 {
	const width = 0.02
	u := math.Atanh(z)
	s := c.layer(u, effort{0.4, 1e-13, 0}).stepLaw(width)
	sum, total := 0.0, 0.0
	for k, p := range s.p {
		sum += p * f(u+width*float64(s.first+k))
		total += p
	}
	return sum / total
}

// A layer agrees with the recursion: for both attentions, equal and unequal masses, in two and three
// dimensions.
func TestLayerIsThatOfTheRecursion(t *testing.T) {
	for _, c := range []struct {
		dim, nodes  int
		beta        float64
		attention   overlap.Attention
		m1, m2, z   float64
		depth       int
		sigma, near float64
	}{
		{2, 24, 0.7, overlap.Softmax, 1, 1, 0.3, 60, 1.1, 1e-9},
		{2, 24, 1.3, overlap.Softmax, 1, 3, -0.6, 60, 0.9, 1e-9},
		{2, 24, 0.4, overlap.Unnormalized, 2, 1, 0.5, 80, 1, 1e-9},
		{3, 9, 0.9, overlap.Softmax, 1, 1, -0.4, 80, 0.8, 2e-8},
		{3, 9, 0.6, overlap.Unnormalized, 1, 2, -0.2, 150, 0.8, 2e-8},
	} {
		r := recursion(t, c.dim, c.beta, c.attention, c.sigma, c.m1, c.m2, c.depth)
		clusters := r.solver.(*clusters)
		for name, f := range map[string]func(u float64) float64{
			"tanh u":   math.Tanh,
			"tanh² u":  func(u float64) float64 { return math.Pow(math.Tanh(u), 2) },
			"sin(u-1)": func(u float64) float64 { return math.Sin(u - 1) },
		} {
			want := byDefinition(clusters, c.z, c.nodes, f)
			near(t, name, meanAfter(clusters, c.z, f), want, c.near)
			if math.Abs(want-f(math.Atanh(c.z))) < 1e-3 {
				t.Errorf("%+v: %s hardly moves", c, name)
			}
		}
	}
}

// Far out a step is that of the ends. Its mean is the Lyapunov exponent, and its exponent θ is about
// twice the Lundberg exponent, as the law of a step omits negligible entries. Both references are
// computed from other integrals.
func TestStepsFarOutAreThoseOfTheEnds(t *testing.T) {
	for _, c := range []struct {
		dim       int
		beta      float64
		attention overlap.Attention
		sigma     float64
		depth     int
	}{
		{3, 1, overlap.Softmax, 1, 10}, {4, 1.2, overlap.Softmax, 0.7, 100}, {8, 1.9, overlap.Softmax, 1, 30},
		{12, 2.5, overlap.Unnormalized, 0.3, 200}, {2, 0.4, overlap.Unnormalized, 1.2, 15},
	} {
		chain := recursion(t, c.dim, c.beta, c.attention, c.sigma, 1, 1, c.depth).solver.(*clusters)
		for side, end := range map[float64]func(
			int, float64, overlap.Attention, float64, int) (finitedepth.Layer, error){
			-1: finitedepth.Antipodal, 1: finitedepth.Single,
		} {
			layer := must.Get(end(c.dim, c.beta, c.attention, c.sigma, c.depth))(t)
			kappa, ok := layer.Lundberg()
			if !ok {
				t.Fatalf("%+v: %v does not attract", c, side)
			}
			const u = 18
			l := chain.layer(side*u, effort{0.4, 1e-13, 0})
			width := 0.4 * l.deviation()
			s := l.stepLaw(width)
			scaleToSum(1, s.p)
			mean, steps := 0.0, make([]float64, len(s.p))
			for k, p := range s.p {
				steps[k] = side * width * float64(s.first+k)
				mean += p * steps[k]
			}
			near(t, "mean step outwards", mean, -layer.Lyapunov(), 1e-9)
			near(t, "exponent of steps", lundbergExponent(s.p, steps, mean, 1), -2*kappa, 0.02*kappa)
		}
	}
}
