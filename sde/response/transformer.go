// Package response estimates how the final state of two tokens responds to the parameters of a cell: the
// derivatives of the probability of the antipodal outcome, and of the mean overlap, with respect to these
// parameters, without finite differences.
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
// The overlap z is a Markov chain in u = atanh z. Let e₁ and e₂ be the orthogonal unit vectors along X¹+X²
// and X¹-X². A layer takes them to e₁+c₁g and e₂+c₂h, with standard normal vectors g and h, c₁ = σ(p+q)/√L
// and c₂ = σ(p-q)/√L at u. The law of u' depends on the parameters only through c₁ and c₂:
//
//	2 sinh u' = (e^u A - e^-u C)/√(AC-B²), A = |e₁+c₁g|², C = |e₂+c₂h|², B = <e₁+c₁g, e₂+c₂h>.
//
// With the noise held fixed the overlap is a smooth function of the parameters, so that the derivative of its
// mean is the mean of its derivative along the path. At long times this mean is dominated by the few paths
// that are still far from both ends, z = ±1. If a sample has no such path, its standard error is too small.
//
// The outcome is not a smooth function of the parameters; the derivative of its probability is the mean of
// the outcome times a score. Let f be a function of normal noise n and a parameter, with the derivative f'
// with respect to the parameter. Integration by parts shows that the derivative of the mean of any function
// ψ(f) is the mean of ψ(f) times n·W - div W, with
//
//	W = f'∇f/|∇f|²,
//
// the shortest displacement of the noise that changes f as the parameter does. Here f is u' of a layer, given
// u, and the scores of the layers add up to a martingale. The score of the noise itself, (|g|²-d) c₁'/c₁ +
// (|h|²-d) c₂'/c₂, has the same mean given u' and tens of times the variance. A control variate reduces the
// variance. For each layer, the control at the overlap before the layer is subtracted from the outcome, and
// the difference is multiplied by the score of the layer. The subtraction does not change the mean. The
// variance is small if the control is close to the probability of the outcome given this overlap. The
// derivative of the mean overlap is also estimated by scores. From the overlap, one minus twice the control
// is subtracted.
type Transformer struct {
	// Cell has two tokens under Gaussian value matrices with independent entries, with B = I and attention
	// only, at a positive β.
	Cell         sde.Cell
	Layers       int64
	Trajectories int64                   // at least 2
	Tolerance    float64                 // of the antipodal outcome, Z ≤ -1+Tolerance, in (0, 1)
	Control      func(u float64) float64 // control variate, from 0 to 1; nil for 0
	// Stop, if not nil, ends a trajectory at u if it returns true. It should report whether neither the
	// outcome nor the overlap will change noticeably after u.
	Stop    func(u float64) bool
	Seed    uint64
	Workers int // 0 for one
}

// A ByParameter holds the derivatives with respect to one parameter. Antipodal is the derivative of the
// probability of the antipodal outcome, estimated by scores. Overlap and OverlapAlong are estimates of the
// derivative of the mean overlap: Overlap by scores, and OverlapAlong by derivatives along paths.
type ByParameter struct{ Antipodal, Overlap, OverlapAlong Mean }

// TransformerDerivatives holds the derivatives with respect to β and to σ. Count is the number of
// trajectories with the antipodal outcome. If Count is small, or close to the number of all trajectories, the
// standard errors of the derivatives of the probability are unreliable.
type TransformerDerivatives struct {
	ByBeta, BySigma ByParameter
	Count           int64
}

// Run returns the derivatives. They are the same for any number of workers. It returns an error if a field is
// out of its domain, and the error of the context if that ends first.
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
