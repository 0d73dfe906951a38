package sde

import (
	"context"
	"fmt"
)

// Multilevel is what a multilevel Monte Carlo run is asked for: M. B. Giles,
// Operations Research 56 (2008) 607. The mean at a depth L is that at a smaller depth and the
// differences between depths of which each is twice the one before,
//
//	E f_L = E f_ℓ + E[f_2ℓ - f_ℓ] + … + E[f_L - f_L/2].
//
// Each of these means has its own independent samples, and the two depths of a difference one
// Brownian path. The n samples of a mean, of variance V and cost C (in steps) each,
// are in proportion to √(V/C), which is cheapest for the sum.
//
// With the increment of a step the sum of its halves, as here, differences have a variance
// of order 1/L for every scheme, as the noise does not commute. It is of order
// 1/L² for scalar noise that all tokens share and Heun.
//
// The antithetic coupling (M. B. Giles, L. Szpruch, Annals of Applied Probability 24 (2014)
// 1585, for the scheme of Milstein without Lévy areas) replaces f_2ℓ by its mean over two
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
type Multilevel struct {
	// StandardError is the one that the estimate is to have, in the units of f. It is also
	// the largest bias, unless Finest is given.
	StandardError float64
	// Finest is the depth of which the mean is estimated, Cell.Depth·2^k with k ≥ 1; or 0 to
	// refine until the estimate of the bias is at most StandardError.
	Finest int
	// Antithetic asks for the antithetic coupling, for Heun alone.
	Antithetic bool
}

// MultilevelEstimate is the result of a multilevel Monte Carlo run.
type MultilevelEstimate struct {
	Value         float64
	StandardError float64
	// Bias is an estimate of the absolute difference from the limit of infinite depth, by
	// the last three differences and WeakDecay: the largest of |m| 2^{-jα}/(2^α - 1), m being
	// the j-th mean from the last. α is at least ½, and 1 where WeakDecay is not known.
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
// Depth and its half.
type Level struct {
	Depth         int
	Samples       int64
	Mean          float64
	Variance      float64 // of a sample
	VarianceError float64 // the standard error of Variance
	Cost          float64 // steps of a sample
}

const (
	firstPairs     = 5    // before a bias is judged, if no finest depth is given
	mostFirstPairs = 9    // where none is cheaper than to leave all differences out
	fittedPairs    = 3    // as many differences remain above the coarsest level
	firstPilot     = 1024 // samples of the first pair, half as many of a finer one
	leastPilot     = 64
)

// Multilevel estimates the expectation in the limit of infinite depth.
//
// Pilot samples at all depths tell the variances. The coarsest level is Cell.Depth or the
// multiple for which the cost that they predict is least; the others are its doubles. After
// more samples the variances are estimated anew, until the standard error is reached.
//
// A decay near the bound can be taken for one that is seen: of a function that jumps, with
// plain coupling, the differences are rare and their variance is known badly.
//
// It returns an error that names what is out of its domain; or, unless Finest is given, of
// which the mean needs no decay, that says which decay was not seen: for the variances an order of at least ¾ (5/4 for the antithetic coupling), for
// the means ½, where the interval of the fitted one lies below, or the order itself after more pilot
// samples. Then the theory does
// not cover f, which may be discontinuous, or the recursion, which with another law than
// Gaussian does not converge along its path. It returns an error also if the last depth that
// a path has is too coarse; and the context's error once that is done.
//
// The result depends on the expectation and on m alone, neither on Workers nor on the machine
// (if that is so of f). No two samples share random numbers.
func (e *Expectation) Multilevel(ctx context.Context, m Multilevel) (*MultilevelEstimate, error) {
	if err := e.validate(m.StandardError); err != nil {
		return nil, err
	}
	if m.Antithetic && e.Cell.Scheme != Heun {
		return nil, fmt.Errorf("antithetic coupling: does not fit scheme %v; must be %v", e.Cell.Scheme, Heun)
	}
	pairs, err := e.pairs(m.Finest)
	if err != nil {
		return nil, err
	}
	r := &multilevelRun{Expectation: e, request: m}
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
		if pairs > e.mostPairs() {
			return nil, fmt.Errorf("the bias is still %.3g at depth %d, the last that a path has; must be at most %.3g",
				estimate.Bias, e.Cell.Depth<<(pairs-1), m.StandardError)
		}
		if err := r.pilot(ctx, pairs); err != nil {
			return nil, err
		}
	}
}

// mostPairs is the number of pairs that the smallest depth and the horizon allow.
func (e *Expectation) mostPairs() int {
	n := 0
	for e.Steps<<n <= MaxBaseSteps && e.Cell.Depth<<(n+1) <= largestCount {
		n++
	}
	return n
}

// pairs is the number of depths, but one, up to the finest one or to begin with.
func (e *Expectation) pairs(finest int) (int, error) {
	most := e.mostPairs()
	if finest == 0 {
		if most < firstPairs {
			return 0, fmt.Errorf("steps %d of depth %d: must allow %d doublings of the depth, but do %d", e.Steps, e.Cell.Depth, firstPairs, most)
		}
		return firstPairs, nil
	}
	for n := 1; n <= most; n++ {
		if e.Cell.Depth<<n == finest {
			return n, nil
		}
	}
	return 0, fmt.Errorf("finest depth %d: must be %d·2^k with k from 1 to %d", finest, e.Cell.Depth, most)
}
