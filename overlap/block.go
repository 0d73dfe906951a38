package overlap

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// WithMLP returns the overlap diffusion of a Transformer block that contains an MLP in addition to the
// sublayers that d describes. Whether the MLP acts in parallel with the other sublayers or after them does
// not change the limit of infinite depth. An MLP of strength 0 gives d itself.
//
// With r = φ̂'(1), an MLP of strength c, and attention with value matrices of independent entries, the end +1
// attracts if and only if
//
//	(d-3) c r < (d-1)(σ²+c) with softmax,
//
// and the end -1 is invariant if and only if the activation φ is odd; for an odd activation -1 attracts if
// and only if
//
//	(d-3)(σ²+cr) < (d-1)(σ² tanh²β + c).
//
// If the activation is not odd, the end -1 is an Entrance, or Reflecting for d = 2, so two clusters do not
// stay opposite for any β. WithMLP returns an error if a field of the MLP is out of its domain, or if the
// variance of d exceeds float64.
func (d *Diffusion) WithMLP(m MLP) (*Diffusion, error) {
	if m.Strength == 0 {
		return d, nil
	}
	c, err := m.Correlation()
	if err != nil {
		return nil, err
	}
	b, err := d.block()
	if err != nil {
		return nil, err
	}
	b.mlps = append(b.mlps, &feedforward{d.line.Dim, m.Strength, c})
	return b.diffusion(), nil
}

// MaxDrift is the largest drift μ of the value matrices that package overlap accepts.
const MaxDrift = 1e6

// WithDrift returns the overlap diffusion of a block whose value matrices have mean μI/L in addition to the
// noise of d, where L is the depth. A positive mean μI/L draws clusters together: the overlap z has the
// additional drift μ(q₁+q₂)(1-z²). With softmax and value matrices of independent entries, the end -1 of a
// diffusion with drift μ attracts if and only if cosh 2β > d-2 + μ(1+e^(-2β))/σ². Drift 0 gives d itself.
// WithDrift returns an error if the drift is not in [0, MaxDrift], if the attention weights of d are not
// known, or if the variance of d exceeds float64.
func (d *Diffusion) WithDrift(drift float64) (*Diffusion, error) {
	if !(drift >= 0 && drift <= MaxDrift) {
		return nil, fmt.Errorf("overlap: drift %v is not allowed: it must be from 0 to %v", drift, MaxDrift)
	}
	if drift == 0 {
		return d, nil
	}
	b, err := d.block()
	if err != nil {
		return nil, err
	}
	weights, ok := b.base.model.(attending)
	if !ok {
		return nil, errNoAttention
	}
	b.pushes = append(b.pushes, push{drift, weights})
	return b.diffusion(), nil
}

var errNoAttention = errors.New("overlap: a drift needs attention: this diffusion has none")

// block is the model of a layer whose noise and drift are sums over several independent sources: attention,
// MLPs and means of value matrices.
type block struct {
	base   *Diffusion // the diffusion to which MLPs and drifts are added
	mlps   []*feedforward
	pushes []push
}

// block returns the diffusion d as a block to which MLPs and drifts can be added.
func (d *Diffusion) block() (*block, error) {
	if b, ok := d.model.(*block); ok {
		return &block{b.base, slices.Clone(b.mlps), slices.Clone(b.pushes)}, nil
	}
	if d.line.Velocity == nil {
		if err := d.line.CheckClock(); err != nil {
			return nil, err
		}
	}
	return &block{base: d}, nil
}

// sums returns the variance γ² of u = atanh z and γ²h', summed over all sources of a block.
func (b *block) sums(at line.Position) (variance, pull float64) {
	if flow := b.base.line.Velocity; flow != nil {
		pull = 2 * flow(at)
	} else {
		variance, pull = b.base.line.VarianceAndPull(at)
	}
	for _, m := range b.mlps {
		v, more := m.add(at)
		variance += v
		pull += more
	}
	for _, p := range b.pushes {
		pull += float64(p.pull(at))
	}
	return variance, pull
}

func (b *block) Slope(at line.Position) float64 {
	variance, pull := b.sums(at)
	return bounded(pull / variance)
}

func (b *block) Variance(at line.Position) float64 {
	variance, _ := b.sums(at)
	return variance
}

// Pull returns γ²h'.
func (b *block) Pull(at line.Position) float64 {
	_, pull := b.sums(at)
	return pull
}

func (b *block) drift(at line.Position) float64 {
	variance, pull := b.sums(at)
	return times(at.Above*at.Below, float64(0.5*pull)-float64(at.Z*variance))
}

// velocity returns du/dt, u = atanh z, for a block without noise.
func (b *block) velocity(at line.Position) float64 {
	_, pull := b.sums(at)
	return 0.5 * pull
}

// noiseless reports whether the overlap follows a deterministic flow.
func (b *block) noiseless() bool { return b.base.line.Velocity != nil && len(b.mlps) == 0 }

func (b *block) diffusion() *Diffusion {
	dim := b.base.line.Dim
	if b.noiseless() {
		d := newDiffusion(dim, b, b.base.line.Minus, b.base.line.Plus, false)
		d.line.Velocity = b.velocity
		return d
	}
	return newDiffusion(dim, b, b.minusOne(), b.end(1, b.base.line.Plus.Reach), false)
}

// end returns the end of the overlap on the given side, -1 or 1. The variance of u = atanh z must have a
// limit at this end.
func (b *block) end(side, reach float64) line.End {
	for _, m := range b.mlps {
		reach = max(reach, m.correlation.Reach())
	}
	variance, pull := b.sums(line.At(side))
	slope := bounded(pull / variance)
	if math.Abs(slope) < endRounding(b.base.line.Dim) {
		slope = 0
	}
	return line.Converging(side, slope, reach)
}

// minusOne returns the end z = -1 of the overlap of a block. An MLP or attention under which -1 is not
// invariant contributes a drift of z at -1. A source with drift at -1 also contributes the variance
// 2·drift/((d-1)(1-z²)). The reach of the end -1 must be so large that all other sources are small compared
// with the variance of the sources with drift.
func (b *block) minusOne() line.End {
	base := b.base.line.Minus
	drift, rest := base.Drift, 0.0
	if !base.Enterable {
		rest = b.base.line.Variance(line.At(-1))
	}
	for _, m := range b.mlps {
		drift += float64(float64(b.base.line.Dim-1) * m.strength * m.correlation.Opposite())
		rest += float64(2 * m.strength * (1 + m.correlation.Slope()))
	}
	if drift == 0 {
		return b.end(-1, base.Reach)
	}
	for _, p := range b.pushes {
		rest += float64(p.pull(line.At(-1)))
	}
	ratio := elementary.Log(max(1, float64(b.base.line.Dim)*rest/drift))
	if math.IsInf(ratio, 1) { // the quotient exceeds float64
		ratio = elementary.Log(float64(b.base.line.Dim)*rest) - elementary.Log(drift)
	}
	reach := line.Asymptote + float64(0.5*ratio)
	return line.End{Enterable: true, Slope: float64(b.base.line.Dim - 3), Drift: drift,
		Reach: max(reach, base.Reach), Variance: -2}
}
