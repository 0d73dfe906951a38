package sde

import (
	"fmt"
	"math"

	"antipode/internal/enum"
	"antipode/sde/internal/increments"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/lanes"
	"antipode/sde/internal/steppers"
)

// Arrangement says how attention and the MLP of a layer are combined. The arrangement of attention and MLP
// has no effect in the limit of infinite depth.
type Arrangement int8

const (
	// Together adds both attention and the output of the MLP to a token, which is then normalised.
	Together Arrangement = iota
	// InSequence adds attention to a token and normalises it; the MLP is then applied to the normalised
	// token, its output is added, and the token is normalised again, as in the blocks of Transformers.
	InSequence
)

// ArrangementNames are the names of the arrangements, in the order of the constants.
var ArrangementNames = []string{"together", "in-sequence"}

// String returns the name of the arrangement.
func (a Arrangement) String() string { return enum.Name(ArrangementNames, a, "Arrangement") }

// MarshalText returns the name of the arrangement, or an error for a value that has no name.
func (a Arrangement) MarshalText() ([]byte, error) {
	return enum.Marshal(ArrangementNames, a, "arrangement")
}

// UnmarshalText sets the arrangement to that with the given name, one of ArrangementNames.
func (a *Arrangement) UnmarshalText(text []byte) error {
	return enum.Unmarshal(ArrangementNames, a, "arrangement", text)
}

// Plain reports whether a layer of the cell consists of one head of attention only, without MLP, further
// heads or drift.
func (c Cell) Plain() bool { return c.MLP.none() && c.Heads <= 1 && c.Drift == 0 }

// heads returns the number of attention heads of a layer, at least 1.
func (c Cell) heads() int { return max(1, c.Heads) }

const (
	largestHeads = 1 << 12
	largestDrift = 1e6
)

func (c Cell) validateSublayers() error {
	if err := c.MLP.validate(c.Method); err != nil {
		return err
	}
	if err := c.validateArrangement(); err != nil {
		return err
	}
	transformer, isTransformer := c.Model.(Transformer)
	equation, isEquation := c.Model.(TransformerSDE)
	switch {
	case c.Heads < 0 || c.Heads > largestHeads:
		return fmt.Errorf("%d heads: must be from 1 to %d", c.Heads, largestHeads)
	case !(c.Drift >= 0 && c.Drift <= largestDrift):
		return fmt.Errorf("drift %v: must be from 0 to 1e6", c.Drift)
	case c.Plain():
		return nil
	case c.Heads > 1 && !isTransformer:
		return fmt.Errorf("%d heads: are for model %v, not for %v", c.Heads, transformer, c.Model)
	case c.Drift > 0 && !isTransformer && !isEquation:
		return fmt.Errorf("drift %v: is for models %v and %v, not for %v", c.Drift, transformer, equation,
			c.Model)
	case c.Method == Chain && !isTransformer:
		return fmt.Errorf("method chain: has an MLP or drift beside model %v, not beside %v", transformer,
			c.Model)
	case c.Method == Chain && !transformer.Covariance.IsGinibre():
		return fmt.Errorf("method chain: has an MLP, heads or drift beside independent entries alone")
	case c.Method == Chain && c.Heads > 1 && !c.Resampling.none():
		return fmt.Errorf("method chain: %d heads: must be 1 beside random queries and keys", c.Heads)
	case c.Tangent:
		return fmt.Errorf("tangent vectors: have no MLP, heads or drift")
	case isEquation && equation.Noise == IndependentNoise:
		return fmt.Errorf("independent noise: has no MLP or drift")
	}
	if _, isFlow := c.Model.(Flow); isFlow {
		return fmt.Errorf("model flow: has no MLP")
	}
	if _, isHybrid := c.Model.(HybridSDE); isHybrid {
		return fmt.Errorf("model %v: has no MLP", c.Model)
	}
	return nil
}

// validateArrangement returns an error for the arrangement InSequence if the cell has no MLP, or if its model
// has no layers.
func (c Cell) validateArrangement() error {
	err := enum.Check(ArrangementNames, c.Arrangement, "sublayers")
	switch {
	case err != nil || c.Arrangement == Together:
		return err
	case c.MLP.none():
		return fmt.Errorf("sublayers %v: need an MLP", c.Arrangement)
	case c.Model.recursion() == nil:
		return fmt.Errorf("sublayers %v: are for recursions, not for model %v", c.Arrangement, c.Model)
	}
	return nil
}

// driftMLP returns the drift and the MLP of a layer for the method Chain, or nil if the cell has neither
// drift nor MLP.
func (c Cell) driftMLP() *lanes.DriftMLP {
	depth := float64(c.Depth)
	b := &lanes.DriftMLP{Drift: c.Drift / depth}
	if !c.MLP.none() {
		b.Strength, b.Correlation = c.MLP.Strength/depth, c.MLP.layer().Correlation()
		b.InSequence = c.Arrangement == InSequence
	} else if c.Drift == 0 {
		return nil
	}
	return b
}

// sublayersAddress returns a text that describes the MLP, the further heads and the drift, after a space, for
// Cell.ID; the text is empty for a plain cell.
func (c Cell) sublayersAddress() string {
	text := c.MLP.address()
	if c.Arrangement != Together {
		text += fmt.Sprintf(" %v", c.Arrangement)
	}
	if c.Heads > 1 {
		text += fmt.Sprintf(" heads=%d", c.Heads)
	}
	if c.Drift > 0 {
		text += fmt.Sprintf(" drift=%x", math.Float64bits(c.Drift))
	}
	return text
}

// layer describes what a layer of a recursion adds to a token, for a cell that is not plain.
func (c Cell) layer() steppers.Layer {
	depth, heads := float64(c.Depth), float64(c.heads())
	l := steppers.Layer{
		Heads: c.heads(), Values: c.IncrementLen(), Noise: 1 / math.Sqrt(float64(depth*heads)),
		Drift: c.Drift / depth / heads,
		MLP:   c.MLP.layer(), MLPFactor: 1 / math.Sqrt(depth), InSequence: c.Arrangement == InSequence,
	}
	if m, ok := c.Model.(Hybrid); ok {
		l.Noise, l.Drift = m.noiseAndDrift(c)
	}
	return l
}

// sublayersDraw returns the function that samples the increment of a layer, for a cell that is not plain. The
// numbers of the MLP are sampled by vector instructions.
func (c Cell) sublayersDraw(seed uint64) lanes.Draw {
	own, weights := c.IncrementLen(), int(c.MLP.numbers(float64(c.Dim)))
	numbers, vectors := kernels.NewLanes(c.stream(seed), 1), make([]kernels.Vector, kernels.Width(weights))
	return func(increment []float64, s kernels.Stream, trajectory, layer int64) {
		first := len(increment) - weights
		c.drawHeads(increment[:first], own, s, trajectory, layer)
		if weights > 0 {
			numbers.SetAll(kernels.Weights, trajectory, layer)
			numbers.Normals(vectors, 1, 0)
			copy(increment[first:], kernels.Numbers(vectors))
		}
	}
}

// drawHeads samples the value matrices of all attention heads of a layer, and the normal numbers of their
// random scores. The argument own is the number of entries of the value matrix of one head.
func (c Cell) drawHeads(increment []float64, own int, s kernels.Stream, trajectory, layer int64) {
	heads := c.heads()
	values, rest := increment[:heads*own], increment[heads*own:]
	if transformer, ok := c.Model.(Transformer); ok {
		transformer.Law.entries().Draw(values, transformer.Sigma, s, trajectory, layer)
		for h := range heads {
			increments.Mix(transformer.Covariance, values[h*own:(h+1)*own])
		}
	} else {
		c.Model.draw(values, c.Depth, s, trajectory, layer)
	}
	drawScores(rest, s, trajectory, layer)
}
