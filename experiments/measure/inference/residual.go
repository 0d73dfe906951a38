package inference

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Check is a test of whether hidden states follow the fitted Markov chain.
type Check struct {
	// Overlaps and Lengths hold probability integral transforms, given the tokens before a layer. Overlaps
	// has the transforms of the overlap of two tokens after the layer, and Lengths has those of the cosine
	// between a token before and after the layer. The transforms are uniform on [0, 1] if the states follow
	// the fitted chain.
	Overlaps, Lengths []float64
	// The p-values of the hypothesis that the states follow the fitted chain. POverlap and PLength are for
	// deviations of Overlaps and Lengths from the uniform law (Kolmogorov and Smirnov), and PMemory is for
	// dependence between layers (the correlation of successive entries of Overlaps).
	POverlap, PLength, PMemory float64
}

// Level is the significance level of the test of the fitted chain.
const Level = 0.01

// P returns an upper bound of the p-value of the three tests together: the probability that the least of
// three p-values is as small as the least that was found.
func (c *Check) P() float64 { return min(1, 3*min(c.POverlap, c.PLength, c.PMemory)) }

// Rejected reports whether the hypothesis that the states follow the fitted chain is rejected at the
// significance level Level.
func (c *Check) Rejected() bool { return c.P() < Level }

// draws is the number of random samples of the overlap after a layer, given the overlap before the layer.
const draws = 199

// Check tests a fit with one pair of tokens of each transition or, if all sequences pass through the same
// layers, with one pair of each layer.
func (d *Data) Check(f *Fit, seed uint64) *Check {
	c := &Check{}
	random := rand.New(rand.NewPCG(seed, 1))
	seen := map[int]bool{}
	var memory correlation
	var to [mostPairs]noise
	last := math.NaN()
	for k := range d.transitions {
		t := &d.transitions[k]
		if seen[d.group(k)] {
			continue
		}
		seen[d.group(k)] = true
		f.noise(t, f.Values, to[:])
		overlap, length := t.pairs[0].place(to[0], d.Dim, random)
		c.Overlaps, c.Lengths = append(c.Overlaps, overlap), append(c.Lengths, length)
		normal := distuv.UnitNormal.Quantile(overlap)
		if k > 0 && !math.IsNaN(last) && (d.Common || d.transitions[k-1].sequence == t.sequence) {
			memory.add(last, normal)
		}
		last = normal
	}
	c.POverlap, c.PLength, c.PMemory = uniformity(c.Overlaps), uniformity(c.Lengths), memory.probability()
	return c
}

// place samples the overlap of a pair of tokens after a layer from the fitted chain. place returns the
// fraction of samples below the observed overlap, and the fraction below the observed cosine between a token
// before and after the layer. Each fraction is randomised between neighbouring samples.
func (p *pair) place(n noise, dim int, random *rand.Rand) (overlap, length float64) {
	belowOverlap, belowLength := 0, 0
	rest := math.Sqrt(1 - p.before*p.before)
	root, other, both := math.Sqrt(n.first), math.Sqrt(n.determinant/n.first), n.both/math.Sqrt(n.first)
	coordinate := func() (x, y float64) {
		g := random.NormFloat64()
		return root * g, both*g + other*random.NormFloat64()
	}
	for range draws {
		x1, y1 := coordinate() // component along the first token
		x2, y2 := coordinate() // component orthogonal to the first token in the plane of both
		x1++
		y1, y2 = y1+p.before, y2+rest
		norm1, norm2, inner := x1*x1+x2*x2, y1*y1+y2*y2, x1*y1+x2*y2
		if dim > 2 { // the other dimensions, by Bartlett's decomposition
			a := distuv.ChiSquared{K: float64(dim - 2), Src: random}.Rand()
			b, g := 0., random.NormFloat64()
			if dim > 3 {
				b = distuv.ChiSquared{K: float64(dim - 3), Src: random}.Rand()
			}
			along := math.Sqrt(a)
			norm1 += n.first * a
			inner += root * along * (both*along + other*g)
			norm2 += (both*along+other*g)*(both*along+other*g) + other*other*b
		}
		if inner/math.Sqrt(norm1*norm2) < p.after {
			belowOverlap++
		}
		if x1/math.Sqrt(norm1) < p.first {
			belowLength++
		}
	}
	at := func(below int) float64 { return (float64(below) + random.Float64()) / (draws + 1) }
	return at(belowOverlap), at(belowLength)
}

// uniformity returns the p-value of the Kolmogorov-Smirnov distance of the numbers x from the uniform law,
// with Stephens's correction for small samples.
func uniformity(x []float64) float64 {
	n, distance := float64(len(x)), 0.
	for k, u := range slices.Sorted(slices.Values(x)) {
		distance = max(distance, float64(k+1)/n-u, u-float64(k)/n)
	}
	at := distance * (math.Sqrt(n) + 0.12 + 0.11/math.Sqrt(n))
	if at < 0.2 {
		return 1
	}
	p := 0.
	for k := 1.; k < 100; k++ {
		term := 2 * math.Exp(-2*k*k*at*at)
		if math.Mod(k, 2) == 0 {
			term = -term
		}
		p += term
	}
	return max(0, min(1, p))
}

// correlation accumulates the correlation of pairs of numbers with mean 0.
type correlation struct{ count, xx, xy, yy float64 }

func (c *correlation) add(x, y float64) {
	c.count++
	c.xx += x * x
	c.xy += x * y
	c.yy += y * y
}

// probability returns the probability that independent numbers have an absolute correlation at least as large
// as the accumulated one. The probability is 1 for fewer than three pairs of numbers.
func (c *correlation) probability() float64 {
	if c.count < 3 {
		return 1
	}
	r := math.Abs(c.xy) / math.Sqrt(c.xx*c.yy)
	return 2 * distuv.UnitNormal.Survival(r*math.Sqrt(c.count))
}
