// Package multilevel estimates means in the limit of infinite depth from coupled levels of depth.
package multilevel

import (
	"antipode/sde"
	"antipode/sde/brownian"
	"context"
	"fmt"
)

// Request is what a multilevel Monte Carlo run is asked for: M. B. Giles,
// Operations Research 56 (2008) 607. The mean at a depth L is that at a smaller depth and the
// differences between depths of which each is M times the one before,
//
//	E f_L = E f_ℓ + E[f_Mℓ - f_ℓ] + … + E[f_L - f_L/M].
//
// Each of these means has its own independent samples, and the two depths of a difference one
// Brownian path. The n samples of a mean, of variance V and cost C (in steps) each,
// are in proportion to √(V/C), which is cheapest for the sum.
//
// With the increment of a step the sum of its parts, as here, differences have a variance
// of order 1/L for every scheme, as the noise does not commute. It is of order
// 1/L² for scalar noise that all tokens share and Heun. With order 1 the differences of all
// levels together cost in proportion to (M-1/M)/(log M)²: 3.1, 2.0, 1.8 for M = 2, 4, 8. With
// M = 4, as here, there still are levels enough to tell a decay.
//
// The antithetic coupling (M. B. Giles, L. Szpruch, Annals of Applied Probability 24 (2014)
// 1585, for the scheme of Milstein without Lévy areas), here with M = 2, replaces f_2ℓ by its mean over two
// paths, the second with the halves of every step of the smaller depth exchanged. The law
// of the second path is that of the first. For halves u and v two steps of Heun make
//
//	g[u+v] + ½Dg[u][u] + ½Dg[v][v] + Dg[v][u] + …,  Dg[v][u] = Σ_kl v_k u_l (Dg_k)[g_l],
//
// and one makes g[u+v] + ½Dg[u+v][u+v] + …: a difference of ½(Dg[v][u] - Dg[u][v]), the Lévy
// area, of order 1/L and odd under the exchange. In the average it is gone; what remains is of
// order L^{-3/2} with mean 0 or L^{-2}, and the variance of order 1/L² for smooth f, L^{-3/2}
// for one with kinks. One step of Euler-Maruyama lacks the terms ½Dg[u+v][u+v], so that the
// difference is Dg[v][u], and with the retraction <g[u],g[v]> times the tokens more. The part of
// it that is even stays in the average. So the coupling is of no use to Euler, Geodesic and the
// recursions, and is refused for them; and for Heun with scalar common noise, where
// Dg[v][u] = Dg[u][v], only its cost remains.
type Request struct {
	// StandardError is the one that the estimate is to have, in the units of f. It is also
	// the largest bias, unless Finest is given.
	StandardError float64
	// Finest is the depth of which the mean is estimated, Cell.Depth·4^k with k ≥ 1, or
	// Cell.Depth·2^k with the antithetic coupling; or 0 to refine until the estimate of the bias is
	// at most StandardError.
	Finest int
	// Antithetic asks for the antithetic coupling, for Heun alone.
	Antithetic bool
}

// Estimate is the result of a multilevel Monte Carlo run.
type Estimate struct {
	Value         float64
	StandardError float64
	// Bias is an estimate from above of the absolute difference from the limit of infinite depth,
	// by the last three differences and WeakDecay: the largest of (|m|+s) M^{-jα}/(M^α - 1), m being
	// the j-th mean from the last and s its standard error. α is from ½ to 1, and 1 where WeakDecay
	// is not known. Of one token, where the bias is known, it was larger in 80 of 80 runs.
	Bias float64
	// Levels are the means that are summed, from the coarsest on.
	Levels []Level
	// WeakDecay is that of the means of the differences, from those of more than three
	// standard errors; VarianceDecay that of the variances of the last four.
	WeakDecay, VarianceDecay Decay
	// Cost is the number of steps that were made, with those of the pilot samples; PlainCost
	// that of plain Monte Carlo at the finest depth with the same StandardError, if f has
	// the variance there that it has at the coarsest level, of which there are most samples.
	// A step is one of the scheme, for all tokens.
	Cost, PlainCost float64
}

// Level is one of the means: of f at Depth for the first, else of the difference between
// Depth and that of the level before.
type Level struct {
	Depth         int
	Samples       int64
	Mean          float64
	Variance      float64 // of a sample
	VarianceError float64 // the standard error of Variance
	Cost          float64 // steps of a sample
}

const (
	largestDepth       = 1 << 31 // of a cell
	firstDoublings     = 6       // of the depth before a bias is judged, if no finest depth is given
	mostFirstDoublings = 8       // before a decay must be seen
	fittedPairs        = 3       // as many differences remain above the coarsest level
	firstPilot         = 1024    // samples of a pair, half as many for each doubling of the depth
	leastPilot         = 64
)

// Estimate estimates the expectation in the limit of infinite depth.
//
// Pilot samples at all depths tell the variances; where StandardError is so large that few samples
// more are needed, they are most of the cost, and nothing is gained. The coarsest level is Cell.Depth or the
// multiple for which the cost that they predict is least. After more samples the variances are
// estimated anew, until the standard error is reached.
//
// It returns an error that names what is out of its domain; or, unless Finest is given, of
// which the mean needs no decay, that says which decay is not seen. By their intervals the
// variances must fall with an order above ¼, and the mean of the samples' slopes
//
//	|f(x) - f(y)|² / |x-y|²
//
// for tokens x and y at the two depths must not grow with one above ¼; the order of the means
// must not be below ½ beyond doubt. The slopes tell a function that jumps, of which
// they grow with order ½, from one with bounded derivatives; the variances do not, at the depths
// of a pilot: of the overlap z of two tokens (d = 3, β = 1, T = 1, depths from 4 to 256) they fall
// with order 0.5, of the indicator of z > 0.3 with 0.4. More samples, then greater depths, up to 256
// times Cell.Depth, are drawn as long as a decay is not seen. In 60 runs for each of z, z²,
// |z| and that indicator, with other seeds, none of the first three was refused and each
// of the last; in 20 runs of one token with the antithetic coupling, none of |z| and 19 of the
// indicator. Of the sum of a smooth function and a jump that adds less to the slopes the jump
// is not noticed, nor is one that no sample meets. What is refused else is a recursion with
// another law than Gaussian, which does not converge along its path.
//
// It returns an error also if the last depth that a path has is too coarse; and the context's
// error once that is done.
//
// The result depends on the expectation and on m alone, neither on Workers nor on the machine
// (if that is so of f). No two samples share random numbers.
func (e *Expectation) Estimate(ctx context.Context, m Request) (*Estimate, error) {
	if err := e.validate(m.StandardError); err != nil {
		return nil, err
	}
	if scheme := sde.SchemeOf(e.Cell.Model); m.Antithetic && scheme != sde.Heun {
		return nil, fmt.Errorf("antithetic coupling: does not fit scheme %v; must be %v", scheme, sde.Heun)
	}
	r := &run{Expectation: e, request: m, doublings: m.doublings()}
	pairs, err := r.pairsTo(m.Finest)
	if err != nil {
		return nil, err
	}
	if err := r.begin(ctx, pairs); err != nil {
		return nil, err
	}
	if err := r.judge(ctx); err != nil {
		return nil, err
	}
	for {
		if err := r.sample(ctx); err != nil {
			return nil, err
		}
		if err := r.check(); err != nil {
			return nil, err
		}
		estimate := r.estimate()
		if m.Finest != 0 || estimate.Bias <= m.StandardError {
			return estimate, nil
		}
		pairs = len(r.pairs) + 1
		if pairs > r.mostPairs() {
			return nil, fmt.Errorf("the bias is still %.3g at depth %d, the last that a path has; must be at most %.3g",
				estimate.Bias, e.Cell.Depth<<((pairs-1)*r.doublings), m.StandardError)
		}
		if err := r.pilot(ctx, pairs); err != nil {
			return nil, err
		}
	}
}

// doublings of the depth from one level to the next.
func (m *Request) doublings() int {
	if m.Antithetic {
		return 1
	}
	return 2
}

// mostPairs is the number of pairs that the smallest depth and the horizon allow.
func (r *run) mostPairs() int {
	n := 0
	for r.Steps<<(n*r.doublings) <= brownian.MaxBaseSteps && r.Cell.Depth<<((n+1)*r.doublings) <= largestDepth {
		n++
	}
	return n
}

// mostFirstPairs are those by which the coarsest level is chosen and decays are judged.
func (r *run) mostFirstPairs() int {
	return min(r.mostPairs(), mostFirstDoublings/r.doublings)
}

// pairsTo is the number of pairs up to the finest depth, or to begin with.
func (r *run) pairsTo(finest int) (int, error) {
	most := r.mostPairs()
	if finest == 0 {
		first := firstDoublings / r.doublings
		if most < first {
			return 0, fmt.Errorf("steps %d of depth %d: must allow %d levels above it, but do %d", r.Steps, r.Cell.Depth, first, most)
		}
		return first, nil
	}
	for n := 1; n <= most; n++ {
		if r.Cell.Depth<<(n*r.doublings) == finest {
			return n, nil
		}
	}
	return 0, fmt.Errorf("finest depth %d: must be %d·%d^k with k from 1 to %d", finest, r.Cell.Depth, 1<<r.doublings, most)
}
