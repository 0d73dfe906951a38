package sde

import (
	"fmt"
	"slices"
	"strings"

	"antipode/sde/internal/attention"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/lanes"
)

// Model is a recursion of the tokens over the layers, or an equation in continuous time, with its own
// parameters: Transformer, Hybrid, Flow, TransformerSDE or HybridSDE, and no other type.
type Model interface {
	// String returns the model's name, one of ModelNames.
	String() string
	// Schemes returns the schemes that fit the model. A recursion is itself an Euler scheme with retraction,
	// so Euler is the only scheme of a recursion.
	Schemes() []Scheme
	// Noises returns the kinds of noise that fit the model.
	Noises() []Noise
	// Laws returns the laws of increments that fit the model; any law fits the flow, which has no increments.
	Laws() []Law
	// Limit returns the limit of infinite depth, in continuous time; for a model in continuous time, the
	// model itself.
	Limit() Model

	// validate returns an error if a parameter of the model is outside its domain for tokens of the given
	// dimension.
	validate(dim int) error
	// address describes the parameters of the model, each after a space. The text is a part of the text that
	// Cell.ID hashes.
	address() string
	// equation returns the limit of infinite depth as an equation.
	equation() equation
	// recursion returns the model itself if it is a recursion over layers, and nil otherwise.
	recursion() recursion
	// stepper returns a stepper for a cell of the model, whose tokens have the attention a.
	stepper(c Cell, a *attention.Attention) Stepper
	// draw samples the increment of one layer of a cell with the given depth; layers are counted from 0.
	draw(increment []float64, depth int, s kernels.Stream, trajectory, layer int64)
	// fromBrownian converts, in place, Brownian increments of time steps 1/depth to the increments that the
	// stepper takes; see Cell.FromBrownian.
	fromBrownian(increment []float64, depth int)
}

// equation is a model in continuous time, a differential equation of the tokens.
type equation interface {
	// path returns what the Brownian path of the equation depends on: the kind of noise, and a text that
	// lists parameters.
	path() (noise Noise, parameters string)
	// increments returns the number of random entries of a step. The number of entries is returned as a real
	// number, because an integer would overflow for cells that are far too large.
	increments(tokens, dim float64) float64
	// reach returns an upper bound of the change of a token in a layer if the norm of its attention is at
	// most 1.
	reach(dim float64) float64
	// multiplications returns the number of multiplications that a step takes for the noise and the attention
	// of N tokens.
	multiplications(tokens, dim float64) float64
	// ito and stratonovich return the equation in Itô and in Stratonovich form, with the attention of the
	// tokens.
	ito(a *attention.Attention) Term[Ito]
	stratonovich(a *attention.Attention) Term[Stratonovich]
}

// recursion is a model with layers, which are advanced in lanes, and for which the overlap of two tokens or
// two clusters may be a Markov chain.
type recursion interface {
	// validateChain returns an error for parameters of the model for which the overlap is not a Markov chain.
	validateChain() error
	// largestChainBeta returns the largest β that a chain with unnormalised attention allows.
	largestChainBeta(depth int) float64
	// chain returns lanes for the overlap of two tokens or two clusters of a cell.
	chain(c Cell, of lanes.Clusters, count int) lanes.Lanes
	// pairDeviation returns the standard deviation of an entry of the value matrix of a layer, times
	// L^{-1/2}, at depth L. The result ok says whether only the overlap is simulated, as a chain, once the
	// tokens of a cell have become two atoms.
	pairDeviation(c Cell) (deviation float64, ok bool)
	// rank returns the number of columns of the random matrices that are sampled for a layer.
	rank(tokens, dim int) int
	// matrices returns the function that samples the matrices of a layer of a cell in the lanes of a Vector,
	// and the factor by which these matrices must be multiplied.
	matrices(c Cell) (draw drawMatrices, scale float64)
	// amplitude returns the factor of the attention in a layer of a cell; amplitude returns nil for a model
	// that has a value matrix instead of a factor.
	amplitude(c Cell, s kernels.Stream) func(trajectory, layer int64) float64
}

// drawMatrices fills d×d matrices (row-major), one in each lane of a Vector.
type drawMatrices = func(dst []kernels.Vector, numbers *kernels.Lanes)

// ModelNames are the names of the models.
var ModelNames = []string{
	Transformer{}.String(), Hybrid{}.String(), Flow{}.String(),
	TransformerSDE{}.String(), HybridSDE{}.String(),
}

// checkFit returns an error for a value that is not among the values that fit a model.
func checkFit[T interface {
	comparable
	fmt.Stringer
}](what string, value T, fit []T, m Model) error {
	if slices.Contains(fit, value) {
		return nil
	}
	names := make([]string, len(fit))
	for k, v := range fit {
		names[k] = v.String()
	}
	return fmt.Errorf("%s %v: does not fit model %v; must be %s", what, value, m, strings.Join(names, " or "))
}

// sigmaInDomain and epsilonInDomain return an error for amplitudes of the noise that are outside their
// domains.
func sigmaInDomain(sigma float64) error {
	if !(sigma > 0 && sigma <= 1e6) {
		return fmt.Errorf("sigma %v: must lie in (0, 1e6]", sigma)
	}
	return nil
}

func epsilonInDomain(epsilon float64) error {
	if !(epsilon >= 0 && epsilon <= 1e6) {
		return fmt.Errorf("epsilon %v: must lie in [0, 1e6]", epsilon)
	}
	return nil
}
