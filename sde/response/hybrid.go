package response

import (
	"context"
	"errors"
	"fmt"
	"math"

	"antipode/sde"
	"antipode/sde/internal/increments"
	"antipode/sde/internal/kernels"
	"antipode/sphere/elementary"
)

// Hybrid estimates the derivatives with respect to β and to ε of the probability of the antipodal outcome of
// two tokens under recursion (7).
//
// A layer of the recursion multiplies attention by a scalar w = 1/L + εv/√L, where v is random, and takes u =
// atanh z, for the overlap z of the tokens, to
//
//	u' = u + log (1+w(p+q)) - log (1+w(p-q)),
//
// where p and q are the attention weights of a token for itself and for the other token. u' increases with u
// unless w is far below 0. So for given scalars w of all layers, the outcome of a trajectory is antipodal if
// and only if its initial u is at most some u₀. A trajectory from u₀ ends exactly at the edge of the
// antipodal outcome. Therefore the inverses of the layers, from the last to the first, lead from this edge to
// u₀. If ρ is the density of the initial u, the probability of the antipodal outcome is the mean of the
// integral of ρ up to u₀, and the derivative of this probability with respect to a parameter θ is the mean of
// ρ(u₀) du₀/dθ. The scores that Transformer uses are not defined for recursion (7): of the four laws of the
// scalars, two have densities with jumps, and one is discrete.
type Hybrid struct {
	// Cell has two tokens under recursion (7) from a uniform start, with interaction matrix B = I and one
	// plain head of attention. No layer may fold the overlaps (see ErrFolds), whatever its random scalar; for
	// the Gaussian law, no scalar within 6.5 standard deviations may fold them.
	Cell         sde.Cell
	Layers       int64
	Trajectories int64   // at least 2; their scalars are those of an Ensemble of the cell
	Tolerance    float64 // tolerance of the antipodal outcome, Z ≤ -1+Tolerance, in (0, 1)
	Seed         uint64
	Workers      int // number of goroutines; 0 for one
}

// HybridDerivatives are the derivatives, with respect to β and to ε, of the probability of the antipodal
// outcome of two tokens under recursion (7).
type HybridDerivatives struct{ ByBeta, ByEpsilon Mean }

// ErrFolds says that a layer of recursion (7) may fold the overlaps of two tokens: the overlap after the
// layer may decrease where the overlap before the layer increases, so that several starts can lead to the
// edge of the antipodal outcome.
var ErrFolds = errors.New("a layer may fold the overlaps")

// Run returns estimates of the derivatives, which are the same for any number of workers. Run returns an
// error if a field of r is out of its domain. If a layer may fold the overlaps, the error wraps ErrFolds. If
// the context ends first, Run returns the error of the context.
func (r *Hybrid) Run(ctx context.Context) (HybridDerivatives, error) {
	if err := r.validate(); err != nil {
		return HybridDerivatives{}, err
	}
	density := startDensity(r.Cell.Dim)
	var total sums
	err := overTrajectories(ctx, r.Trajectories, r.Workers, &total, (*sums).join,
		func() func(int64) sums {
			walk := newHybridWalk(r)
			return func(trajectory int64) sums {
				walk.run(trajectory)
				rho := density(walk.u)
				one := sums{count: 1, sum: [3]float64{rho * walk.by[0], rho * walk.by[1]}}
				for p, x := range one.sum {
					one.squares[p] = float64(x * x)
				}
				return one
			}
		})
	return HybridDerivatives{total.mean(0), total.mean(1)}, err
}

func (r *Hybrid) validate() error {
	c := r.Cell
	if err := c.Validate(); err != nil {
		return err
	}
	model, ok := c.Model.(sde.Hybrid)
	_, uniform := c.Start.(sde.UniformStart)
	if !ok || !uniform || !hasBareAttention(c) {
		return fmt.Errorf("responses: must be those of two tokens under recursion (7) from a uniform " +
			"start, with nothing beside attention")
	}
	if err := check(c.Dim, r.Trajectories, r.Layers, r.Tolerance); err != nil {
		return err
	}
	noise, drift := noiseAndDrift(c, model)
	least := drift - float64(noise*increments.Law(model.Law).Largest())
	if folds(least, c.Beta, c.Attention) {
		return fmt.Errorf("responses: epsilon %v at depth %d and beta %v: %w",
			model.Epsilon, c.Depth, c.Beta, ErrFolds)
	}
	return nil
}

// noiseAndDrift returns noise = ε/√L and drift = 1/L for a cell of depth L: the scalar of a layer with random
// number v is noise·v + drift.
func noiseAndDrift(c sde.Cell, m sde.Hybrid) (noise, drift float64) {
	return m.Epsilon / math.Sqrt(float64(c.Depth)), 1 / float64(c.Depth)
}

// folds reports whether u', after a layer with the scalar w < 0, may fail to increase with u before the
// layer. For a layer with w < 0, the expression
//
//	du'/du - 1 = w d(p+q)/du / (1+w(p+q)) - w d(p-q)/du / (1+w(p-q))
//
// is at least -|w|·slope/(1-|w|·weight). Let x = 1-z for the overlap z = tanh u. For softmax attention, the
// number slope is ½β x(2-x) sech²(½βx). The slope for softmax is at most ½β, and also at most 4/e, as sech² t
// ≤ 4e^(-2t). For unnormalised attention, slope is e^β β x(2-x) e^(-βx), which is at most e^β β and at most
// 2e^β/e.
func folds(w, beta float64, attention sde.Attention) bool {
	weight, slope := 1.0, min(0.5*beta, 4/math.E)
	if attention != sde.Softmax {
		weight = elementary.Exp(beta)
		slope = float64(weight * min(beta, 2/math.E))
	}
	return -float64(w*(weight+slope)) >= 1
}

// startDensity returns the density of u = atanh z, where z is the overlap of two independent uniform tokens
// on the sphere in R^d. The density is c_d cosh^-(d-1) u with c₂ = 1/π, c₃ = ½ and c_(d+2) = c_d·d/(d-1).
func startDensity(dim int) func(u float64) float64 {
	c, first := 1/math.Pi, 2
	if dim%2 == 1 {
		c, first = 0.5, 3
	}
	for d := first; d < dim; d += 2 {
		c *= float64(d) / float64(d-1)
	}
	return func(u float64) float64 {
		size := math.Abs(u)
		logCosh := size + elementary.Log1p(elementary.Exp(-2*size)) - math.Ln2
		return c * elementary.Exp(-float64(float64(dim-1)*logCosh))
	}
}

// A hybridWalk follows u = atanh z, for the overlap z of two tokens, from the edge of the antipodal outcome
// backwards through the layers of a trajectory.
type hybridWalk struct {
	*Hybrid
	model        sde.Hybrid
	stream       kernels.Stream
	noise, drift float64
	u            float64
	by           [2]float64 // derivatives of u with respect to β and to ε
}

func newHybridWalk(r *Hybrid) *hybridWalk {
	w := &hybridWalk{Hybrid: r, model: r.Cell.Model.(sde.Hybrid),
		stream: kernels.NewStream(r.Seed, r.Cell.ID())}
	w.noise, w.drift = noiseAndDrift(r.Cell, w.model)
	return w
}

// run sets u to u₀, the initial value from which a trajectory ends at the edge of the antipodal outcome, and
// sets by to the derivatives of u₀ with respect to β and to ε.
func (w *hybridWalk) run(trajectory int64) {
	const farthest = 300 // no start has |u| as large as this
	w.u, w.by = 0.5*elementary.Log(w.Tolerance/(2-w.Tolerance)), [2]float64{}
	var v [1]float64
	for layer := w.Layers - 1; layer >= 0 && math.Abs(w.u) < farthest; layer-- {
		increments.Law(w.model.Law).Draw(v[:], 1, w.stream, trajectory, layer)
		w.back(v[0])
	}
}

// back replaces u by the value that a layer with random number v takes to u, which it computes by Newton's
// method.
func (w *hybridWalk) back(v float64) {
	scalar := w.drift + float64(w.noise*v)
	to := w.u
	var byU, byBeta, byScalar float64
	for range 60 {
		first, second := amplitudes(w.u, w.Cell.Beta, w.Cell.Attention, 1)
		above, below := 1/(1+float64(scalar*first.value)), 1/(1+float64(scalar*second.value))
		byU = 1 + float64(scalar*(float64(above*first.byU)-float64(below*second.byU)))
		byBeta = float64(scalar * (float64(above*first.byBeta) - float64(below*second.byBeta)))
		byScalar = float64(above*first.value) - float64(below*second.value)
		moved := elementary.Log1p(float64(scalar*first.value)) -
			elementary.Log1p(float64(scalar*second.value))
		step := (w.u + moved - to) / byU
		w.u -= step
		if math.Abs(step) <= 1e-13*(1+math.Abs(w.u)) {
			break
		}
	}
	byEpsilon := float64(byScalar * v / math.Sqrt(float64(w.Cell.Depth)))
	w.by = [2]float64{(w.by[0] - byBeta) / byU, (w.by[1] - byEpsilon) / byU}
}
