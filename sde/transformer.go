package sde

import (
	"fmt"
	"math"

	"antipode/internal/enum"
	"antipode/sde/internal/attention"
	"antipode/sde/internal/increments"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/lanes"
	"antipode/sde/internal/steppers"
)

// Transformer is recursion (4), with a random value matrix in each layer.
type Transformer struct {
	Law   Law     // law of the entries of a value matrix
	Sigma float64 // standard deviation σ of the entries, in (0, 10^6]
	// Covariance is the covariance of the entries of a value matrix, divided by σ²; the zero value stands for
	// independent entries. If B or C is not 0, the law must be Gaussian.
	Covariance Covariance
}

// String implements Model.
func (Transformer) String() string { return "transformer" }

// Schemes implements Model.
func (Transformer) Schemes() []Scheme { return []Scheme{Euler} }

// Noises implements Model.
func (Transformer) Noises() []Noise { return []Noise{CommonNoise} }

// Laws implements Model.
func (Transformer) Laws() []Law { return allLaws() }

// Limit implements Model.
func (m Transformer) Limit() Model { return m.limit() }

func (m Transformer) limit() TransformerSDE {
	return TransformerSDE{Sigma: m.Sigma, Covariance: m.Covariance}
}

func (m Transformer) validate(dim int) error {
	if err := enum.Check(LawNames, m.Law, "law"); err != nil {
		return err
	}
	if err := checkCovariance(m.Covariance, dim, m.Law); err != nil {
		return err
	}
	return sigmaInDomain(m.Sigma)
}

func (m Transformer) address() string {
	return fmt.Sprintf(" law=%v sigma=%x", m.Law, math.Float64bits(m.Sigma)) + covarianceAddress(m.Covariance)
}

func (m Transformer) equation() equation   { return m.limit() }
func (m Transformer) recursion() recursion { return m }

func (Transformer) stepper(c Cell, a *attention.Attention) Stepper {
	return steppers.NewTransformer(a, c.Depth)
}

func (m Transformer) draw(increment []float64, _ int, s kernels.Stream, trajectory, layer int64) {
	m.Law.entries().Draw(increment, m.Sigma, s, trajectory, layer)
	increments.Mix(m.Covariance, increment)
}

func (m Transformer) fromBrownian(increment []float64, depth int) {
	m.Law.entries().FromBrownian(increment, m.Sigma, depth)
	increments.Mix(m.Covariance, increment)
}

func (m Transformer) validateChain() error {
	if m.Law != Gaussian {
		return fmt.Errorf("method chain: needs the gaussian law, not %v", m.Law)
	}
	return nil
}

// largestChainBeta implements recursion. Let S and D be the sum and the difference of the two tokens. A layer
// of unnormalised attention divides the smaller of |S|² and |D|² by up to (e^β σL^{-1/2})² times a χ²
// variable with d degrees of freedom. The chain rescales the smaller square by at most 2^256 = e^177 in each
// layer.
func (m Transformer) largestChainBeta(depth int) float64 {
	const logarithm = 80 // 177 is twice this logarithm, and 17 for the χ² number
	return logarithm - math.Log(max(1, m.Sigma*covarianceReach(m.Covariance, 1)/math.Sqrt(float64(depth))))
}

func (m Transformer) chain(c Cell, of lanes.Clusters, count int) lanes.Lanes {
	oneHead := c // several heads with Gaussian values have the law of one head
	oneHead.Heads = 1
	if m.Covariance.IsGinibre() && c.Resampling.none() && oneHead.Plain() {
		return lanes.NewGaussianChain(of, m.deviation(c), count)
	}
	first, second := c.masses()
	if added := c.driftMLP(); !c.MLP.none() && c.Resampling.none() && first == second {
		return lanes.NewMLPChain(of, m.deviation(c), added, count)
	}
	v := m.Covariance.OrGinibre()
	return lanes.NewPlaneChain(of, lanes.Plane{A: v.A, B: v.B, C: v.C, Deviation: m.deviation(c),
		Spread: c.Resampling.Spread, DriftMLP: c.driftMLP()}, count)
}

func (m Transformer) pairDeviation(c Cell) (deviation float64, ok bool) {
	pair := c
	pair.Method, pair.Tokens, pair.Start = Chain, 2, PairStart{}
	return m.deviation(c), c.Tokens > 2 && m.Covariance.IsGinibre() && pair.Validate() == nil
}

// deviation returns the standard deviation of an entry of the value matrix of a layer, times L^{-1/2}, at
// depth L.
func (m Transformer) deviation(c Cell) float64 { return m.Sigma / math.Sqrt(float64(c.Depth)) }

// rank implements recursion. For independent Gaussian entries it suffices to sample a value matrix on the
// linear span of the N tokens. Sampling on the span is faster for two tokens, and also for more tokens if N
// is at most half the dimension.
func (m Transformer) rank(tokens, dim int) int {
	if m.Law == Gaussian && m.Covariance.IsGinibre() && (tokens <= 2 || tokens <= dim/2) {
		return min(tokens, dim)
	}
	return dim
}

func (m Transformer) matrices(c Cell) (draw drawMatrices, scale float64) {
	return func(dst []kernels.Vector, numbers *kernels.Lanes) {
		m.Law.entries().DrawLanes(dst, m.Sigma, numbers)
		increments.MixLanes(m.Covariance, dst, c.Dim)
	}, 1 / math.Sqrt(float64(c.Depth))
}

func (Transformer) amplitude(Cell, kernels.Stream) func(trajectory, layer int64) float64 { return nil }

// TransformerSDE is the stochastic differential equation (6), the limit of the model Transformer for infinite
// depth.
type TransformerSDE struct {
	Sigma  float64 // standard deviation σ of the increment of an entry in a unit of time, in (0, 10^6]
	Scheme Scheme  // numerical scheme: Euler, Geodesic or Heun
	Noise  Noise
	// Covariance is the covariance of the increments of the matrix-valued Brownian motion W, per unit of
	// time; the zero value stands for independent entries.
	Covariance Covariance
}

// String implements Model.
func (TransformerSDE) String() string { return "transformer-sde" }

// Schemes implements Model.
func (TransformerSDE) Schemes() []Scheme { return noisySchemes() }

// Noises implements Model.
func (TransformerSDE) Noises() []Noise { return []Noise{CommonNoise, IndependentNoise} }

// Laws implements Model.
func (TransformerSDE) Laws() []Law { return []Law{Gaussian} }

// Limit implements Model.
func (m TransformerSDE) Limit() Model { return m }

func (m TransformerSDE) validate(dim int) error {
	if err := sigmaInDomain(m.Sigma); err != nil {
		return err
	}
	if err := checkCovariance(m.Covariance, dim, Gaussian); err != nil {
		return err
	}
	return checkSchemeAndNoise(m, m.Scheme, m.Noise)
}

func (m TransformerSDE) address() string {
	return fmt.Sprintf(" scheme=%v noise=%v sigma=%x", m.Scheme, m.Noise, math.Float64bits(m.Sigma)) +
		covarianceAddress(m.Covariance)
}

func (m TransformerSDE) equation() equation { return m }
func (TransformerSDE) recursion() recursion { return nil }

func (m TransformerSDE) stepper(c Cell, a *attention.Attention) Stepper {
	return newScheme(m.Scheme, m, c, a)
}

func (TransformerSDE) draw(increment []float64, depth int, s kernels.Stream, trajectory, layer int64) {
	increments.Brownian(increment, depth, s, trajectory, layer)
}

func (TransformerSDE) fromBrownian([]float64, int) {}

func (m TransformerSDE) path() (noise Noise, parameters string) {
	return m.Noise, fmt.Sprintf(" transformer sigma=%x", math.Float64bits(m.Sigma)) +
		covarianceAddress(m.Covariance)
}

func (m TransformerSDE) increments(tokens, dim float64) float64 {
	if m.Noise == IndependentNoise {
		return tokens * float64(dim*dim)
	}
	return dim * dim
}

func (m TransformerSDE) reach(dim float64) float64 {
	return float64(float64(m.Sigma*dim) * covarianceReach(m.Covariance, dim))
}

func (TransformerSDE) multiplications(tokens, dim float64) float64 { return tokens * dim * dim }

func (m TransformerSDE) ito(a *attention.Attention) Term[Ito] {
	return steppers.NewTransformerIto(a, m.diffusion())
}

func (m TransformerSDE) stratonovich(a *attention.Attention) Term[Stratonovich] {
	return steppers.NewTransformerStratonovich(a, m.diffusion())
}

func (m TransformerSDE) diffusion() steppers.MatrixNoise {
	return steppers.MatrixNoise{Sigma: m.Sigma, Covariance: m.Covariance,
		Independent: m.Noise == IndependentNoise}
}
