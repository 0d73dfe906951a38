// Package inference estimates, from hidden states alone, the parameters of the Markov chain that the states
// would follow if the layers were random. A random layer maps a token X_i to normalise(X_i + F_i). The noise
// F is Gaussian, independent between layers, with E F_ia F_jb = κ_ij δ_ab and κ_ij = σ²⟨A_i, A_j⟩ + c
// φ̂(⟨X_i, X_j⟩) for attention A with scores β⟨X_i, X_j⟩ and an MLP of strength c. The likelihood is that of
// the chain, not of its continuous limit, so that it holds at any depth. For more than two tokens the
// likelihood is a product over pairs of tokens, with standard errors that allow for the dependence of pairs.
// A test detects states that do not follow such a chain.
//
//	steps := &inference.Data{Dim: 8}
//	steps.Add(sequence, 0, before, after) // tokens × 8 each, of length 1, of that sequence at layer 0
//	fit, err := steps.Fit(nil) // without an MLP
package inference

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Data are the transitions of the tokens of sequences from one layer to the next.
type Data struct {
	Dim int
	// Common says that all sequences pass through the same layers, those of a single network; then only
	// different layers are independent. If Common is false, each sequence passes through independent layers
	// of its own.
	Common      bool
	transitions []transition
}

// transition is the step of the tokens of a sequence through a layer.
type transition struct {
	sequence, layer int
	gram            *mat.SymDense // inner products of tokens before the layer
	pairs           []pair
}

// pair is a pair of tokens X_i and X_j in a transition, which become X_i' and X_j'. A pair holds the overlaps
// of the tokens before and after the layer, and the overlaps of each token before the layer with each token
// after the layer.
type pair struct {
	i, j                           int
	before, after                  float64
	first, firstJ, secondI, second float64 // X_i·X_i', X_i·X_j', X_j·X_i', X_j·X_j'
	same                           sameStep
}

// mostPairs is the greatest number of pairs of tokens of a transition that are used. No two pairs of a
// transition share a token.
const mostPairs = 8

// closest is the distance from ±1 within which the overlap of a pair of tokens is not used. An overlap near
// ±1 contains little information, and few of its digits are correct in single precision.
const closest = 0.01

// Add adds the step of the tokens of a sequence through a layer. The tokens before and after the layer
// (tokens × d) have length 1. The indices of the sequence and the layer determine which pairs of tokens are
// used.
func (d *Data) Add(sequence, layer int, before, after *mat.Dense) {
	tokens, _ := before.Dims()
	gram := mat.NewSymDense(tokens, nil)
	gram.SymOuterK(1, before)
	t := transition{sequence: sequence, layer: layer, gram: gram}
	order := rand.New(rand.NewPCG(uint64(sequence), uint64(layer))).Perm(tokens)
	for k := 0; k+1 < tokens && len(t.pairs) < mostPairs; k += 2 {
		i, j := order[k], order[k+1]
		x, y, u, v := before.RowView(i), before.RowView(j), after.RowView(i), after.RowView(j)
		p := pair{i: i, j: j, before: mat.Dot(x, y), after: mat.Dot(u, v), first: mat.Dot(x, u),
			firstJ: mat.Dot(x, v), secondI: mat.Dot(y, u), second: mat.Dot(y, v)}
		if math.Abs(p.before) < 1-closest && math.Abs(p.after) < 1-1e-6*closest {
			p.same = sameStepOf(x, y, u, v)
			t.pairs = append(t.pairs, p)
		}
	}
	if len(t.pairs) > 0 {
		d.transitions = append(d.transitions, t)
	}
}

// noise holds the variances κ_ii and κ_jj of the noise of two tokens, its covariance κ_ij, and the
// determinant of these. The determinant is positive if the two tokens receive linearly independent noise.
type noise struct{ first, both, second, determinant float64 }

// add adds independent noise that has the given variance at both tokens, and correlation z between them.
func (n noise) add(variance, z float64) noise {
	if variance == 0 {
		return n
	}
	n.determinant += variance * (n.first + n.second - 2*z*n.both + variance*(1-z*z))
	n.first, n.both, n.second = n.first+variance, n.both+variance*z, n.second+variance
	return n
}

// drift and variance return the drift and the variance of the overlap z of two tokens in a layer, to first
// order in the noise κ.
func (n noise) drift(dim int, z float64) float64 {
	return -float64(dim-1)/2*z*(n.first+n.second) + (float64(dim-2)+z*z)*n.both
}
func (n noise) variance(z float64) float64 { return (1 - z*z) * (n.first + n.second - 2*z*n.both) }

// logDensity returns the log density of the directions of two tokens of dimension d after a layer, up to a
// constant. The density is the integral over the lengths r₁ and r₂ of the tokens of r₁^{d-1} r₂^{d-1} exp(-½
// rᵀMr + bᵀr), computed by Laplace's method with its next term. The lengths have a standard deviation below
// √κ, and the error is of order κ².
func (p *pair) logDensity(n noise, dim int) float64 {
	det := n.determinant
	if !(n.first > 0 && n.second > 0 && det > 0) {
		return math.Inf(-1)
	}
	k11, k12, k22 := n.second/det, -n.both/det, n.first/det
	m12 := k12 * p.after
	b1, b2 := k11*p.first+k12*p.secondI, k22*p.second+k12*p.firstJ
	power := float64(dim - 1)
	r1, r2 := 1., 1.
	for range 50 { // Newton's method for a concave function
		g1, g2 := power/r1-k11*r1-m12*r2+b1, power/r2-k22*r2-m12*r1+b2
		h11, h22 := k11+power/(r1*r1), k22+power/(r2*r2)
		h := h11*h22 - m12*m12
		s1, s2 := (h22*g1-m12*g2)/h, (h11*g2-m12*g1)/h
		step := 1.
		for r1+step*s1 <= 0.1*r1 || r2+step*s2 <= 0.1*r2 {
			step /= 2
		}
		r1, r2 = r1+step*s1, r2+step*s2
		if math.Abs(s1)+math.Abs(s2) < 1e-10 {
			break
		}
	}
	h11, h22 := k11+power/(r1*r1), k22+power/(r2*r2)
	h := h11*h22 - m12*m12
	s11, s12, s22 := h22/h, -m12/h, h11/h
	t1, t2 := 2*power/(r1*r1*r1), 2*power/(r2*r2*r2)
	next := -6*power/8*(s11*s11/(r1*r1*r1*r1)+s22*s22/(r2*r2*r2*r2)) +
		5./24*(t1*t1*s11*s11*s11+t2*t2*s22*s22*s22) +
		2*t1*t2*(s11*s12*s22/8+s12*s12*s12/12)
	// The exponent is written as a square of r₁X₁'-X₁ and r₂X₂'-X₂ to avoid cancellation.
	q11 := r1*r1 - 2*r1*p.first + 1
	q22 := r2*r2 - 2*r2*p.second + 1
	q12 := r1*r2*p.after - r1*p.secondI - r2*p.firstJ + p.before
	return -float64(dim)/2*math.Log(det) - (k11*q11+2*k12*q12+k22*q22)/2 +
		power*math.Log(r1*r2) - math.Log(h)/2 + next
}
