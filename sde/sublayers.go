package sde

import (
	"fmt"
	"math"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/lanes"
	"antipode/sphere"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Plain reports whether a layer has nothing beside one head of attention: no MLP, no further heads and no
// drift.
func (c Cell) Plain() bool { return c.MLP.none() && c.Heads <= 1 && c.Drift == 0 }

// heads is the number of heads.
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
	case c.Method == Chain && !isGinibre(transformer.Covariance):
		return fmt.Errorf("method chain: has an MLP, heads or drift beside independent entries alone")
	case c.Method == Chain && c.Heads > 1 && !c.Resampling.none():
		return fmt.Errorf("method chain: %d heads: have no random scores of their own; must be 1", c.Heads)
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

// beside is what stands beside attention in a layer of two clusters, nil for nothing.
func (c Cell) beside() *lanes.Beside {
	depth := float64(c.Depth)
	b := &lanes.Beside{Drift: c.Drift / depth}
	if !c.MLP.none() {
		b.Strength, b.Correlation = c.MLP.Strength/depth, c.MLP.correlation()
		b.InSequence = c.Arrangement == InSequence
	} else if c.Drift == 0 {
		return nil
	}
	return b
}

// sublayersAddress describes what is beside a head of attention, after a space; nothing if there is nothing.
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

// sublayersStepper is a recursion with several heads, a drift and an MLP side by side,
//
//	X_i ← normalise(X_i + L^{-1/2} (H^{-1/2} Σ_h V_h A_i^h + W₂φ(W₁X_i)) + μ/(LH) Σ_h A_i^h),
//
// or of the hybrid model with 1/L + ε v L^{-1/2} in place of the matrices. In sequence tokens are normalised
// before the MLP is computed of them, and again after it. The increment is the heads' values
// one after the other, the numbers of their random scores, and those of the MLP.
type sublayersStepper struct {
	attention *attention
	mlp       *feedforward
	sequence  bool // the MLP follows attention
	heads     int
	values    int // of one head: d² entries of a matrix, or one amplitude
	scores    int // of one head

	noise, drift, beside  float64 // of values, of attention itself, and of the MLP
	field, update, pushed []float64
	products              *products.Multiplier // for many tokens, of which pushed has all; nil else
}

func newSublayersStepper(c Cell) *sublayersStepper {
	depth, heads := float64(c.Depth), float64(c.heads())
	s := &sublayersStepper{
		attention: newAttention(c), mlp: newFeedforward(c), sequence: c.Arrangement == InSequence,
		heads: c.heads(), values: c.IncrementLen(),
		noise: 1 / math.Sqrt(float64(depth*heads)), drift: c.Drift / depth / heads,
		beside: 1 / math.Sqrt(depth),
		field:  make([]float64, c.Tokens*c.Dim), update: make([]float64, c.Tokens*c.Dim),
		pushed: make([]float64, c.Dim),
	}
	const worthwhile = 1 << 14 // multiplications, from which on products of matrices are faster
	if s.values > 1 && c.Tokens*c.Dim*c.Dim >= worthwhile {
		s.pushed, s.products = make([]float64, c.Tokens*c.Dim), products.For(team.New(1))
	}
	if s.attention.random != nil {
		s.scores = len(s.attention.random.numbers)
	}
	if m, ok := c.Model.(Hybrid); ok {
		s.noise, s.drift = m.Epsilon/math.Sqrt(depth), 1/depth
	}
	return s
}

// SetMasses implements lanes.MassStepper.
func (s *sublayersStepper) SetMasses(masses []float64) { s.attention.setMasses(masses) }

func (s *sublayersStepper) IncrementLen() int {
	numbers := s.heads * (s.values + s.scores)
	if s.mlp != nil {
		numbers += int(s.mlp.numbers(float64(s.mlp.d)))
	}
	return numbers
}

func (s *sublayersStepper) Step(x, increment []float64) error {
	n, d := s.attention.n, s.attention.d
	values, rest := increment[:s.heads*s.values], increment[s.heads*s.values:]
	scores, numbers := rest[:s.heads*s.scores], rest[s.heads*s.scores:]
	x, update := x[:n*d], s.update[:n*d]
	clear(update)
	for h := range s.heads {
		if s.scores > 0 {
			copy(s.attention.random.numbers, scores[h*s.scores:(h+1)*s.scores])
		}
		if h == 0 || s.scores > 0 {
			s.attention.field(s.field, x)
		}
		s.attend(update, values[h*s.values:(h+1)*s.values])
	}
	switch {
	case s.mlp == nil:
		return s.advance(x, update, 1)
	case s.sequence:
		if err := s.advance(x, update, 1); err != nil {
			return err
		}
		return s.advance(x, s.mlp.of(x, numbers), s.beside)
	}
	addScaled(update, s.beside, s.mlp.of(x, numbers))
	return s.advance(x, update, 1)
}

// advance replaces tokens by normalise(token + scale·update).
func (s *sublayersStepper) advance(x, update []float64, scale float64) error {
	d := s.attention.d
	for i := range s.attention.n {
		if err := advance(x[i*d:(i+1)*d], update[i*d:(i+1)*d], scale, i); err != nil {
			return err
		}
	}
	return nil
}

// attend adds what a head does with its field.
func (s *sublayersStepper) attend(update, values []float64) {
	n, d := s.attention.n, s.attention.d
	if s.products != nil {
		general := func(data []float64) blas64.General {
			return blas64.General{Rows: len(data) / d, Cols: d, Stride: d, Data: data}
		}
		s.products.Multiply(blas.NoTrans, blas.Trans, 1, general(s.field[:n*d]), general(values), 0,
			general(s.pushed[:n*d]))
		addScaled(update, s.noise, s.pushed[:n*d])
		addScaled(update, s.drift, s.field[:n*d])
		return
	}
	for i := range n {
		to, field := update[i*d:(i+1)*d], s.field[i*d:(i+1)*d]
		if len(values) == 1 && d > 1 {
			addScaled(to, math.FMA(s.noise, values[0], s.drift), field)
			continue
		}
		multiply(s.pushed, values, field)
		addScaled(to, s.noise, s.pushed)
		addScaled(to, s.drift, field)
	}
}

// sublayersDraw fills the increment of a layer of a cell that is not plain, the numbers of its MLP in
// vectors.
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

// drawHeads fills the values of all heads, of which one has some own numbers, and the numbers of their
// scores.
func (c Cell) drawHeads(increment []float64, own int, s kernels.Stream, trajectory, layer int64) {
	heads := c.heads()
	values, rest := increment[:heads*own], increment[heads*own:]
	if transformer, ok := c.Model.(Transformer); ok {
		transformer.Law.draw(values, transformer.Sigma, s, trajectory, layer)
		for h := range heads {
			mixEntries(transformer.Covariance, values[h*own:(h+1)*own])
		}
	} else {
		c.Model.draw(values, c.Depth, s, trajectory, layer)
	}
	drawScores(rest, s, trajectory, layer)
}

// sublayersTerm adds a drift and an MLP to a term. Over a step dt the MLP is √dt W₂φ(W₁Y) with weights of its
// own: its increments have the first three moments of those of Gaussian noise with covariance cφ̂(<Y_i,Y_j>)
// up to order dt², which is what weak order 1 takes. Given W₁, ½ Dg[g] in the sense of Stratonovich is radial
// in the mean, as E φ(w·Y)φ'(w·Y) P_Y w = 0, so that both calculi have the same tangent drift.
type sublayersTerm[C Calculus] struct {
	Term[C]
	attention *attention // nil without a drift
	drift     float64
	mlp       *feedforward
	field     []float64
}

// withSublayers returns a term with the drift and the MLP of a cell, the term itself if there are none.
func withSublayers[C Calculus](c Cell, term Term[C]) Term[C] {
	if c.Plain() {
		return term
	}
	s := &sublayersTerm[C]{Term: term, drift: c.Drift, mlp: newFeedforward(c),
		field: make([]float64, c.Tokens*c.Dim)}
	if c.Drift > 0 {
		s.attention = newAttention(c)
	}
	return s
}

func (s *sublayersTerm[C]) NoiseLen() int {
	if s.mlp == nil {
		return s.Term.NoiseLen()
	}
	return s.Term.NoiseLen() + int(s.mlp.numbers(float64(s.mlp.d)))
}

func (s *sublayersTerm[C]) Increment(dst, x []float64, dt float64, noise []float64) {
	own := s.Term.NoiseLen()
	s.Term.Increment(dst, x, dt, noise[:own])
	_, d := s.Shape()
	if s.attention != nil {
		s.attention.field(s.field, x)
		s.addTangents(dst, x, s.field, float64(s.drift*dt), d)
	}
	if s.mlp != nil {
		s.addTangents(dst, x, s.mlp.of(x, noise[own:]), math.Sqrt(dt), d)
	}
}

// addTangents adds the tangent parts of vectors at the tokens, times a factor. It overwrites the vectors.
func (s *sublayersTerm[C]) addTangents(dst, x, vectors []float64, factor float64, d int) {
	for i := 0; i < len(x); i += d {
		sphere.Project(vectors[i:i+d], x[i:i+d], vectors[i:i+d])
		addScaled(dst[i:i+d], factor, vectors[i:i+d])
	}
}
