package sde

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"antipode/internal/enum"
	"antipode/sde/internal/attention"
	"antipode/sde/internal/kernels"
)

// Cell holds the parameters that determine the law of one trajectory of tokens over the layers. Experiments
// run many cells, which form a grid of parameters.
type Cell struct {
	Model       Model
	Method      Method
	Attention   Attention
	Interaction []float64 // B = QᵀK, d×d, row-major; nil for the identity
	Tokens      int       // number of tokens N ≥ 1
	Dim         int       // dimension d ≥ 1 of a token
	Beta        float64   // inverse temperature β in [0, 10^6]
	Depth       int       // layers L ≥ 1, or steps of an equation, per unit of time
	Start       Start
	// AttentionSum says how the attention of a token is summed over the tokens.
	AttentionSum AttentionSum
	// Tangent says that the recursion is linearised about a start from two opposite clusters of equal size,
	// and that the growth of tangent vectors is followed; see View.Growth.
	Tangent bool
	// Resampling adds random queries and keys in each layer to the scores.
	Resampling Resampling
	// MLP is the random MLP that each layer has in addition to attention. An MLP is allowed for the models
	// Transformer, Hybrid and TransformerSDE. With the method Chain the MLP must be infinitely wide, and the
	// model must be Transformer.
	MLP MLP
	// Arrangement says whether the MLP of a layer is applied in parallel with attention or after it.
	Arrangement Arrangement
	// Heads is the number of attention heads, each with its own values of variance σ²/Heads and its own
	// random scores; both 0 and 1 mean one head. Several heads are allowed only for the model Transformer.
	Heads int
	// Drift is μ ≥ 0 if the value matrices have the mean μ/L times the identity; it is allowed for the models
	// Transformer and TransformerSDE.
	Drift float64
	// Kernel, if not nil, is user-defined attention that replaces Attention and Beta. A cell has the same
	// random numbers with a kernel as without one. With a kernel, tokens that coincide do not merge, because
	// their weights may differ.
	Kernel Kernel
	// PairKernel, if it has a function, also replaces Attention and Beta. The weights of a PairKernel depend
	// only on the score, and computing them is nearly as fast as Attention. A cell has the same random
	// numbers with a PairKernel as without one. With a PairKernel, tokens that coincide may merge.
	PairKernel PairKernel
}

const (
	largestBeta  = 1e6
	largestCount = 1 << 31
)

// Validate returns an error that names the first parameter of the cell outside its domain, its value and what
// is allowed. Validate also checks that the unnormalised attention cannot overflow.
func (c Cell) Validate() error {
	if err := enum.Check(AttentionNames, c.Attention, "attention"); err != nil {
		return err
	}
	switch {
	case c.Model == nil:
		return fmt.Errorf("model: missing; must be one of %s", strings.Join(ModelNames, ", "))
	case c.Tokens < 1 || c.Tokens > largestCount:
		return fmt.Errorf("tokens %d: must be from 1 to 2^31", c.Tokens)
	case c.Dim < 1 || c.Dim > largestCount:
		return fmt.Errorf("dimension %d: must be from 1 to 2^31", c.Dim)
	case c.Depth < 1 || c.Depth > largestCount:
		return fmt.Errorf("depth %d: must be from 1 to 2^31", c.Depth)
	case !(c.Beta >= 0 && c.Beta <= largestBeta):
		return fmt.Errorf("beta %v: must lie in [0, %g]", c.Beta, largestBeta)
	case c.Start == nil:
		return fmt.Errorf("start: missing")
	}
	if err := c.Model.validate(c.Dim); err != nil {
		return err
	}
	if err := c.validateInteraction(); err != nil {
		return err
	}
	if err := c.validateMethod(); err != nil {
		return err
	}
	if err := c.ValidateAttentionSum(); err != nil {
		return fmt.Errorf("attention sum %v: %w", c.AttentionSum, err)
	}
	if err := c.validateTangent(); err != nil {
		return err
	}
	if err := c.validateResampling(); err != nil {
		return err
	}
	if err := c.validateSublayers(); err != nil {
		return err
	}
	if err := c.validateKernel(); err != nil {
		return err
	}
	if largest := c.LargestBeta(); c.Beta > largest {
		return fmt.Errorf("beta %v: e^β overflows in unnormalized attention; "+
			"must be at most %.6g here, or use softmax", c.Beta, largest)
	}
	return c.Start.Validate(c.Tokens, c.Dim)
}

func (c Cell) validateInteraction() error {
	if c.Interaction == nil {
		return nil
	}
	if len(c.Interaction) != c.Dim*c.Dim {
		return fmt.Errorf("interaction matrix of %d entries: must have dimension² = %d",
			len(c.Interaction), c.Dim*c.Dim)
	}
	for k, v := range c.Interaction {
		if !(math.Abs(v) <= 1e100) {
			return fmt.Errorf("interaction matrix entry (%d, %d) is %v: must lie in ±1e100", k/c.Dim+1,
				k%c.Dim+1, v)
		}
	}
	return nil
}

// validateTangent returns an error for a cell with Tangent, unless it starts from two opposite clusters of
// equal size and its model is recursion (4).
func (c Cell) validateTangent() error {
	start, opposite := c.Start.(OppositeStart)
	_, transformer := c.Model.(Transformer)
	switch {
	case !c.Tangent:
		return nil
	case !transformer || c.Method != Tokens || c.Interaction != nil:
		return fmt.Errorf("tangent: is for the tokens of model transformer, " +
			"with the identity as interaction matrix")
	case !opposite || start.First != start.Second:
		return fmt.Errorf("tangent: needs opposite clusters of equal size, not start %v", c.Start)
	}
	return nil
}

// LargestBeta returns the largest β that the cell's other parameters allow. For unnormalised attention, the
// product of the sum over the tokens, the largest increment of the laws and the dimension must be within the
// range of float64. For equations in continuous time, the squared length of a step times 1+2β must also be
// within the range of float64, because the drift contains a product of two fields. The method Chain allows
// only smaller β.
func (c Cell) LargestBeta() float64 {
	if c.Attention != Unnormalized {
		return largestBeta
	}
	amplitude := max(1, c.Model.equation().reach(float64(c.Dim))) * float64(c.Tokens)
	logarithm := math.Floor(math.Log(math.MaxFloat64 / 16 / amplitude))
	if c.Model.recursion() == nil {
		const drift = 1 << 10 // above 1 + 2β, because the largest β is below 400 here
		logarithm = math.Floor(float64(math.Log(math.MaxFloat64/16/drift/drift)/4) - math.Log(amplitude))
	}
	const farthest = 40 // no sampled standard normal number exceeds 40
	logarithm -= float64(farthest * c.Resampling.Spread)
	return min(logarithm/attention.LargestScore(c.Interaction, c.Dim), c.largestChainBeta())
}

// IncrementLen returns the number of random entries of one layer of the cell's model.
func (c Cell) IncrementLen() int { return int(c.increments()) }

// increments returns IncrementLen as a real number, because the integer might overflow for a cell whose size
// has not been checked.
func (c Cell) increments() float64 {
	return c.Model.equation().increments(float64(c.Tokens), float64(c.Dim))
}

// ID identifies the cell's random numbers: it is the first 64 bits of a SHA-256 of the parameters that the
// law of a trajectory depends on. The ID does not depend on the seed, the horizon, tolerances, or other
// cells.
func (c Cell) ID() uint64 {
	var b strings.Builder
	fmt.Fprintf(&b, "model=%v method=%v attention=%v tokens=%d dim=%d beta=%x depth=%d start=%v",
		c.Model, c.Method, c.Attention, c.Tokens, c.Dim, math.Float64bits(c.Beta+0), c.Depth, c.Start)
	b.WriteString(c.Model.address())
	if c.Interaction != nil {
		fmt.Fprintf(&b, " interaction=%s", Checksum(c.Interaction))
	}
	if c.Tangent {
		b.WriteString(" tangent")
	}
	b.WriteString(c.Resampling.address())
	b.WriteString(c.sublayersAddress())
	return hash(b.String())
}

// hash returns the first 64 bits of the SHA-256 of a text.
func hash(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:8])
}

// Checksum returns, in hexadecimal digits, the SHA-256 of the bits of numbers, lowest byte of each number
// first, with -0 replaced by 0.
func Checksum(numbers []float64) string {
	hash := sha256.New()
	var bytes [8]byte
	for _, v := range numbers {
		binary.LittleEndian.PutUint64(bytes[:], math.Float64bits(v+0))
		hash.Write(bytes[:])
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// stream returns the generator of the random numbers of the cell under a seed.
func (c Cell) stream(seed uint64) kernels.Stream { return kernels.NewStream(seed, c.ID()) }
