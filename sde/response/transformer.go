// Package response estimates how the final state of two tokens responds to the parameters of a cell: package
// response computes the derivatives of the probability of the antipodal outcome, and of the mean overlap,
// with respect to these parameters, without finite differences.
//
//	cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1.5, Depth: 50,
//		Start: sde.UniformStart{}}
//	r := response.Transformer{Cell: cell, Layers: 10 * 50, Trajectories: 2000, Tolerance: 1e-3, Seed: 1}
//	derivatives, err := r.Run(context.Background())
package response

import (
	"context"
	"fmt"

	"antipode/sde"
)

// Transformer estimates the derivatives with respect to β and to σ of the probability of the antipodal
// outcome, and of the mean overlap, of two tokens under Gaussian value matrices.
//
// The overlap z of the tokens X¹ and X² is a Markov chain, which is followed in the coordinate u = atanh z.
// Let e₁ and e₂ be the orthogonal unit vectors along X¹+X² and X¹-X², and let p and q be the attention
// weights of a token for itself and for the other token at overlap z. A layer takes e₁ and e₂ to e₁+c₁g and
// e₂+c₂h, with standard normal vectors g and h, c₁ = σ(p+q)/√L and c₂ = σ(p-q)/√L. The law of u' after the
// layer depends on the parameters β and σ only through c₁ and c₂:
//
//	2 sinh u' = (e^u A - e^-u C)/√(AC-B²), A = |e₁+c₁g|², C = |e₂+c₂h|², B = <e₁+c₁g, e₂+c₂h>.
//
// With the noise held fixed the overlap is a smooth function of the parameters, so that the derivative of the
// mean overlap is the mean of the derivative of the overlap along a path. At long times the mean of this
// derivative is dominated by the few paths that are still far from both ends, z = ±1. If a sample has no path
// far from both ends, the estimated standard error is too small.
//
// Whether the outcome is antipodal is not a smooth function of the parameters; the derivative of the
// probability of this outcome is the mean of its indicator times a score. To define the score, let f be a
// function of normal noise n and a parameter, with the derivative f' with respect to the parameter.
// Integration by parts shows that the derivative of the mean of any function ψ(f) is the mean of ψ(f) times
// n·W - div W, with
//
//	W = f'∇f/|∇f|²,
//
// the shortest displacement of the noise that changes f as the parameter does. For Transformer, f is u' after
// a layer, given u before the layer, and the scores n·W - div W of the layers add up to a martingale. The
// score of the noise itself, (|g|²-d) c₁'/c₁ + (|h|²-d) c₂'/c₂, has the same mean given u' as this score, and
// tens of times its variance. A control variate reduces the variance of the estimates. For each layer, the
// control at the overlap before the layer is subtracted from the indicator of the antipodal outcome, and the
// difference is multiplied by the score of the layer. Subtracting the control does not change the mean. The
// variance is small if the control is close to the conditional probability of the antipodal outcome given the
// overlap before the layer. The derivative of the mean overlap is also estimated by scores, with one minus
// twice the control subtracted from the final overlap.
type Transformer struct {
	// Cell has two tokens under Gaussian value matrices with independent entries, with interaction matrix B =
	// I and one plain head of attention, and with a positive β.
	Cell         sde.Cell
	Layers       int64
	Trajectories int64                   // number of trajectories, at least 2
	Tolerance    float64                 // tolerance of the antipodal outcome, Z ≤ -1+Tolerance, in (0, 1)
	Control      func(u float64) float64 // control variate, from 0 to 1; nil for 0
	// Stop, if not nil, ends a trajectory early: where Stop returns true for u = atanh z, at overlap z. Stop
	// should report whether neither the outcome nor the overlap will change noticeably after u.
	Stop    func(u float64) bool
	Seed    uint64
	Workers int // number of goroutines; 0 for one
}

// A ByParameter holds the estimated derivatives, with respect to one parameter, of the final state of two
// tokens. Antipodal is the derivative of the probability of the antipodal outcome, estimated by scores.
// Overlap and OverlapAlong are estimates of the derivative of the mean overlap: Overlap by scores, and
// OverlapAlong by derivatives along paths.
type ByParameter struct{ Antipodal, Overlap, OverlapAlong Mean }

// TransformerDerivatives holds the estimated derivatives with respect to β and to σ. The field Count is the
// number of trajectories with the antipodal outcome. If Count is small, or close to the number of all
// trajectories, the standard errors of the derivatives of the probability are unreliable.
type TransformerDerivatives struct {
	ByBeta, BySigma ByParameter
	Count           int64
}

// Run returns estimates of the derivatives, which are the same for any number of workers. Run returns an
// error if a field of r is out of its domain, and the error of the context if the context ends first.
func (r *Transformer) Run(ctx context.Context) (TransformerDerivatives, error) {
	if err := r.validate(); err != nil {
		return TransformerDerivatives{}, err
	}
	var total [2]sums
	join := func(to *[2]sums, some [2]sums) {
		for p := range to {
			to[p].join(some[p])
		}
	}
	err := overTrajectories(ctx, r.Trajectories, r.Workers, &total, join, func() func(int64) [2]sums {
		walk := newTransformerWalk(r)
		return func(trajectory int64) [2]sums {
			walk.run(trajectory)
			return [2]sums{walk.derivatives(0), walk.derivatives(1)}
		}
	})
	return TransformerDerivatives{ByBeta: total[0].byParameter(), BySigma: total[1].byParameter(),
		Count: int64(total[0].antipodal)}, err
}

func (r *Transformer) validate() error {
	c := r.Cell
	if err := c.Validate(); err != nil {
		return err
	}
	model, ok := c.Model.(sde.Transformer)
	switch {
	case !ok || model.Law != sde.Gaussian || !hasBareAttention(c) || !model.Covariance.IsGinibre():
		return fmt.Errorf("responses: must be those of two tokens under Gaussian value matrices with " +
			"independent entries, with nothing beside attention")
	case !(c.Beta > 0):
		return fmt.Errorf("responses: beta %v: must be positive", c.Beta)
	}
	return check(c.Dim, r.Trajectories, r.Layers, r.Tolerance)
}
