package finitedepth

import (
	"fmt"
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// An Isotropic is recursion (4) of two tokens under Gaussian value matrices of a given covariance,
// optionally with queries and keys drawn anew in each layer.
type Isotropic struct {
	Dim        int
	Beta       float64
	Attention  overlap.Attention
	Sigma      float64
	Covariance overlap.Covariance
	Spread     float64 // S of the random scores, as in overlap.NewResampled
	Depth      int     // layers L ≥ 1 per unit of time
}

// A Growth is the effect of one layer of an Isotropic on two tokens near an end z = ±1 of the overlap: the
// layer multiplies the length of the short vector, X¹+X² near z = -1 and X¹-X² near z = +1, by the random
// factor |P_U^⊥ V|/|U| of the package comment.
type Growth struct {
	layers  []gaussian
	weights []float64 // probabilities of the layers, which differ in their attention weights
	err     float64
}

// Antipodal returns the Growth of two tokens near z = -1. The errors of Antipodal are those of
// overlap.NewResampled and of the function Antipodal. Antipodal also returns an error if the noise of a layer
// is so large that the estimated error of exponents is above 3e-6.
func (r Isotropic) Antipodal() (*Growth, error) {
	if r.Spread == 0 {
		sum, difference := sumAndDifference(r.Beta, r.Attention, 2)
		return r.growth([]gaussian{{f: sum, h: difference}}, []float64{1})
	}
	layers, weights := r.opposite()
	return r.growth(layers, weights)
}

// Single returns the Growth of two tokens near z = +1. The errors of Single are those of Antipodal.
func (r Isotropic) Single() (*Growth, error) {
	if r.Attention == overlap.Softmax || r.Spread == 0 {
		sum, _ := sumAndDifference(r.Beta, r.Attention, 0)
		return r.growth([]gaussian{{h: sum}}, []float64{1})
	}
	layers, weights := r.coincident()
	return r.growth(layers, weights)
}

// opposite returns the layers at z = -1 with random scores, for values of the scores with probabilities
// weights. At z = -1, with θ = β + S·g for the spread S, and independent standard normal g and n,
//
//	A¹+A² = f·S + w|S|·D/2, A¹-A² = h·D,
//
// where f = 1, h = tanh θ and w = S·n/cosh²θ for softmax, and f = cosh θ, h = sinh θ and w = S·n√cosh 2θ for
// unnormalized attention. The sign of n does not change the law of a layer.
func (r Isotropic) opposite() (layers []gaussian, weights []float64) {
	r.forEachScore(func(theta, n, weight float64) {
		grown, shrunk := elementary.Exp(theta), elementary.Exp(-theta)
		cosh, sinh := float64(0.5*(grown+shrunk)), float64(0.5*(grown-shrunk))
		l := gaussian{f: 1, h: sinh / cosh, w: r.Spread * n / (cosh * cosh)}
		if r.Attention == overlap.Unnormalized {
			l = gaussian{f: cosh, h: sinh,
				w: float64(r.Spread * n * math.Sqrt(float64(cosh*cosh)+float64(sinh*sinh)))}
		}
		layers, weights = append(layers, l), append(weights, weight)
	})
	return layers, weights
}

// coincident returns the layers at z = +1 with random scores and unnormalized attention, for values of the
// scores with probabilities weights. At z = +1 the sum of the attention outputs is e^θ times the long vector
// X¹+X², and their difference is S·n·e^θ|X¹-X²|/2 times X¹+X², with θ and n as in opposite.
func (r Isotropic) coincident() (layers []gaussian, weights []float64) {
	r.forEachScore(func(theta, n, weight float64) {
		grown := elementary.Exp(theta)
		layers = append(layers, gaussian{h: grown, w: float64(r.Spread * n * grown)})
		weights = append(weights, weight)
	})
	return layers, weights
}

// forEachScore visits values of the random scores θ and n ≥ 0 with their probabilities, by the trapezoidal
// rule. For widely spread scores and small depths the integrands are hardly analytic, so that averages over
// scores have only some six accurate digits.
func (r Isotropic) forEachScore(visit func(theta, n, weight float64)) {
	const reach, stepOfN = 5.5, 0.75
	step := min(0.75, 0.45/r.Spread)
	type node struct{ g, n, weight float64 }
	var nodes []node
	total := 0.0
	points := int(reach / step)
	for j := -points; j <= points; j++ {
		for k := 0.0; k*stepOfN <= reach; k++ {
			g, n, weight := float64(step*float64(j)), stepOfN*k, 2.0
			if k == 0 {
				weight = 1
			}
			if square := float64(g*g) + float64(n*n); square < reach*reach {
				weight = float64(weight * elementary.Exp(-0.5*square))
				nodes = append(nodes, node{g, n, weight})
				total += weight
			}
		}
	}
	for _, x := range nodes {
		visit(r.Beta+float64(r.Spread*x.g), x.n, x.weight/total)
	}
}

// growth returns the Growth of the given layers, whose noise it scales; it checks the parameters of r.
func (r Isotropic) growth(layers []gaussian, weights []float64) (*Growth, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	g := &Growth{layers, weights, 1e-9}
	if r.Spread > 0 { // the measured error of the quadrature over scores
		g.err = (2e-5 + float64(1e-5*r.Spread*r.Spread*r.Spread)) / float64(r.Depth)
	}
	scale := r.Sigma / math.Sqrt(float64(r.Depth))
	for k := range layers {
		l := &layers[k]
		l.dim, l.covariance = r.Dim, r.Covariance
		l.f, l.w, l.h = l.f*scale, l.w*scale, l.h*scale
		g.err += float64(weights[k] * l.cutOffError())
	}
	if largest := scale * (layers[0].f + layers[0].h); !(g.err <= 3e-6 && largest < 1e3) {
		return nil, fmt.Errorf("finitedepth: exponents are not available: the noise of a layer at depth %d "+
			"is too large for covariances and random scores in dimension %d", r.Depth, r.Dim)
	}
	return g, nil
}

func (r Isotropic) check() error {
	if r.Depth < 1 {
		return fmt.Errorf("finitedepth: depth %d is not allowed: it must be 1 or more", r.Depth)
	}
	if _, err := overlap.NewIsotropic(r.Dim, r.Beta, r.Attention, r.Sigma, r.Covariance, 1, 1); err != nil {
		return err
	}
	if r.Spread == 0 {
		return nil
	}
	_, err := overlap.NewResampled(r.Dim, r.Beta, r.Attention, r.Sigma, r.Spread, r.Covariance)
	return err
}

// Lyapunov returns the Lyapunov exponent λ = E log |P_U^⊥ V|/|U| per layer at the end of the overlap, and the
// estimated absolute error of λ.
func (g *Growth) Lyapunov() (lambda, err float64) {
	value, slope := g.moment(0)
	return 0.5 * slope / value, g.err
}

// moment returns the moment E R^κ of R = |P_U^⊥ V|²/|U|² and the derivative of the moment with respect to κ,
// averaged over the layers.
func (g *Growth) moment(kappa float64) (value, slope float64) {
	for k := range g.layers {
		a, b := g.layers[k].moment(kappa)
		value += float64(g.weights[k] * a)
		slope += float64(g.weights[k] * b)
	}
	return value, slope
}

// CriticalBeta returns the inverse temperature β at which the Lyapunov exponent λ of Antipodal changes sign;
// of several such β, the β near the largest of overlap.CriticalBetas. The second result of CriticalBeta is
// false if λ does not change sign. CriticalBeta ignores the fields Beta and Spread. The errors of
// CriticalBeta are those of Antipodal.
func (r Isotropic) CriticalBeta() (float64, bool, error) {
	betas := overlap.CriticalBetas(r.Dim, r.Covariance)
	r.Spread, r.Beta = 0, 0
	if _, err := r.Antipodal(); err != nil || len(betas) == 0 {
		return 0, false, err
	}
	var failed error
	lyapunov := func(beta float64) float64 {
		r.Beta = beta
		g, err := r.Antipodal()
		if err != nil {
			failed = err
			return 0
		}
		lambda, _ := g.Lyapunov()
		return lambda
	}
	const stride = 0.125
	at := betas[len(betas)-1]
	next, step := at, stride
	if !(lyapunov(at) > 0) { // search for a sign change at smaller β
		step = -stride
	}
	for failed == nil {
		at, next = next, max(0, next+step)
		if lyapunov(next)*step < 0 {
			zero := quadrature.Root(lyapunov, at, next)
			return zero, failed == nil, failed
		}
		if next == 0 || next > overlap.MaxBeta {
			return 0, false, failed
		}
	}
	return 0, false, failed
}
