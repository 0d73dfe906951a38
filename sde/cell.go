package sde

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"antipode/sde/internal/kernels"
)

// Model is a recursion of the tokens over the layers, or its limit in continuous time.
type Model int8

const (
	// Transformer is eq. (4), with a random value matrix in each layer.
	Transformer Model = iota
	// Hybrid is eq. (7), an identity value matrix with a random scalar amplitude.
	Hybrid
	// Flow is eq. (7) without noise, ε = 0.
	Flow
	// TransformerSDE is eq. (6), the limit of Transformer.
	TransformerSDE
	// HybridSDE is eq. (8), the limit of Hybrid.
	HybridSDE
)

// ModelNames are the names of the models, in the order of their values.
var ModelNames = []string{"transformer", "hybrid", "flow", "transformer-sde", "hybrid-sde"}

// String returns the model's name.
func (m Model) String() string { return nameOf(ModelNames, int(m), "Model") }

// Cell is the law of one trajectory: a point of a grid of parameters.
type Cell struct {
	Model       Model
	Method      Method
	Attention   Attention
	Interaction []float64 // B = QᵀK, d×d, row-major; nil for the identity
	Law         Law       // of a recursion's increments; those of an SDE are Gaussian, the flow has none
	Scheme      Scheme    // of an SDE or the flow; Euler for a recursion
	Noise       Noise     // of an SDE; CommonNoise for the others
	Tokens      int       // N ≥ 1
	Dim         int       // d ≥ 1
	Beta        float64   // inverse temperature β in [0, 10^6]
	Epsilon     float64   // noise amplitude ε ≥ 0 of the hybrids; ignored by the others
	Sigma       float64   // standard deviation σ > 0 of a value-matrix entry; ignored by hybrids and flow
	Depth       int       // L ≥ 1, layers or steps per unit of time
	Start       Start
}

const (
	largestBeta  = 1e6
	largestCount = 1 << 31
)

// Validate returns an error that names the first parameter that is out of its
// domain, its value and what is allowed. That includes parameters for which the
// unnormalised attention could overflow.
func (c Cell) Validate() error {
	switch {
	case c.Model < 0 || int(c.Model) >= len(ModelNames):
		return fmt.Errorf("model %v: must be one of %s", c.Model, strings.Join(ModelNames, ", "))
	case c.Attention < 0 || int(c.Attention) >= len(AttentionNames):
		return fmt.Errorf("attention %v: must be one of %s", c.Attention, strings.Join(AttentionNames, ", "))
	case c.Law < 0 || int(c.Law) >= len(LawNames):
		return fmt.Errorf("law %v: must be one of %s", c.Law, strings.Join(LawNames, ", "))
	case c.Tokens < 1 || c.Tokens > largestCount:
		return fmt.Errorf("tokens %d: must be from 1 to 2^31", c.Tokens)
	case c.Dim < 1 || c.Dim > largestCount:
		return fmt.Errorf("dimension %d: must be from 1 to 2^31", c.Dim)
	case c.Depth < 1 || c.Depth > largestCount:
		return fmt.Errorf("depth %d: must be from 1 to 2^31", c.Depth)
	case !(c.Beta >= 0 && c.Beta <= largestBeta):
		return fmt.Errorf("beta %v: must lie in [0, %g]", c.Beta, largestBeta)
	case c.hybrid() && !(c.Epsilon >= 0 && c.Epsilon <= 1e6):
		return fmt.Errorf("epsilon %v: must lie in [0, 1e6]", c.Epsilon)
	case c.transformer() && !(c.Sigma > 0 && c.Sigma <= 1e6):
		return fmt.Errorf("sigma %v: must lie in (0, 1e6]", c.Sigma)
	case c.limit() && c.Law != Gaussian:
		return fmt.Errorf("law %v: Brownian increments have the law gaussian", c.Law)
	case c.Start == nil:
		return fmt.Errorf("start: missing")
	}
	if err := checkFit("scheme", c.Scheme, c.Model.Schemes(), c.Model); err != nil {
		return err
	}
	if err := checkFit("noise", c.Noise, c.Model.Noises(), c.Model); err != nil {
		return err
	}
	if err := c.validateInteraction(); err != nil {
		return err
	}
	if err := c.validateMethod(); err != nil {
		return err
	}
	if largest := c.LargestBeta(); c.Beta > largest {
		return fmt.Errorf("beta %v: e^β overflows in unnormalized attention; must be at most %.6g here, or use softmax", c.Beta, largest)
	}
	return c.Start.Validate(c.Tokens, c.Dim)
}

// transformer and hybrid say whether the model or its limit is that one; limit whether
// it is a limit with noise.
func (c Cell) transformer() bool { return c.Model == Transformer || c.Model == TransformerSDE }
func (c Cell) hybrid() bool      { return c.Model == Hybrid || c.Model == HybridSDE }
func (c Cell) limit() bool       { return c.Model == TransformerSDE || c.Model == HybridSDE }

func (c Cell) validateInteraction() error {
	if c.Interaction == nil {
		return nil
	}
	if len(c.Interaction) != c.Dim*c.Dim {
		return fmt.Errorf("interaction matrix of %d entries: must have dimension² = %d", len(c.Interaction), c.Dim*c.Dim)
	}
	for k, v := range c.Interaction {
		if !(math.Abs(v) <= 1e100) {
			return fmt.Errorf("interaction matrix entry (%d, %d) is %v: must lie in ±1e100", k/c.Dim+1, k%c.Dim+1, v)
		}
	}
	return nil
}

// LargestBeta is the largest β that the cell's other parameters allow. For
// unnormalised attention it keeps the sum over the tokens, times the largest increment
// that the laws give and the dimension, within the range of float64; and with the
// scheme of a limit the squared length of a step, whose drift has a product of two
// fields, times 1+2β. Chains end earlier.
func (c Cell) LargestBeta() float64 {
	if c.Attention != Unnormalized {
		return largestBeta
	}
	amplitude := c.Sigma * float64(c.Dim)
	if !c.transformer() {
		amplitude = 1 + c.Epsilon
	}
	amplitude = max(1, amplitude) * float64(c.Tokens)
	logarithm := math.Floor(math.Log(math.MaxFloat64 / 16 / amplitude))
	if c.limit() || c.Scheme != Euler {
		const drift = 1 << 10 // above 1 + 2β, which is below 400 here
		logarithm = math.Floor(float64(math.Log(math.MaxFloat64/16/drift/drift)/4) - math.Log(amplitude))
	}
	return min(logarithm/largestScore(c.Interaction, c.Dim), c.largestChainBeta())
}

// IncrementLen is the number of random entries of one layer of the cell's model.
func (c Cell) IncrementLen() int {
	switch {
	case c.transformer():
		return c.Noise.noiseLen(c.Tokens, c.Dim*c.Dim)
	case c.hybrid():
		return c.Noise.noiseLen(c.Tokens, 1)
	}
	return 0
}

// ID identifies the cell's random numbers: the first 64 bits of a SHA-256 of the
// parameters that the law of a trajectory depends on. It does not depend on the
// seed, the horizon, tolerances, or on other cells.
func (c Cell) ID() uint64 {
	var b strings.Builder
	fmt.Fprintf(&b, "model=%v method=%v attention=%v tokens=%d dim=%d beta=%x depth=%d start=%v",
		c.Model, c.Method, c.Attention, c.Tokens, c.Dim, math.Float64bits(c.Beta+0), c.Depth, c.Start)
	switch c.Model {
	case Transformer:
		fmt.Fprintf(&b, " law=%v sigma=%x", c.Law, math.Float64bits(c.Sigma))
	case Hybrid:
		fmt.Fprintf(&b, " law=%v epsilon=%x", c.Law, math.Float64bits(c.Epsilon+0))
	case Flow:
		if c.Scheme != Euler {
			fmt.Fprintf(&b, " scheme=%v", c.Scheme)
		}
	case TransformerSDE:
		fmt.Fprintf(&b, " scheme=%v noise=%v sigma=%x", c.Scheme, c.Noise, math.Float64bits(c.Sigma))
	case HybridSDE:
		fmt.Fprintf(&b, " scheme=%v noise=%v epsilon=%x", c.Scheme, c.Noise, math.Float64bits(c.Epsilon+0))
	}
	if c.Interaction != nil {
		fmt.Fprintf(&b, " interaction=%s", Checksum(c.Interaction))
	}
	return hash(b.String())
}

// hash is the first 64 bits of a SHA-256.
func hash(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:8])
}

// Checksum is the SHA-256 of numbers, in hexadecimal digits: of their bits, lowest
// byte first, with -0 as 0.
func Checksum(numbers []float64) string {
	hash := sha256.New()
	var bytes [8]byte
	for _, v := range numbers {
		binary.LittleEndian.PutUint64(bytes[:], math.Float64bits(v+0))
		hash.Write(bytes[:])
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// stream returns the cell's random numbers under a seed.
func (c Cell) stream(seed uint64) kernels.Stream { return kernels.NewStream(seed, c.ID()) }

// draw fills the increment of one layer; layers are counted from 0.
func (c Cell) draw(increment []float64, s kernels.Stream, trajectory, layer int64) {
	switch c.Model {
	case Transformer:
		c.Law.draw(increment, c.Sigma, s, trajectory, layer)
	case Hybrid:
		c.Law.draw(increment, 1, s, trajectory, layer)
	case TransformerSDE, HybridSDE:
		Gaussian.draw(increment, math.Sqrt(1/float64(c.Depth)), s, trajectory, layer)
	}
}
