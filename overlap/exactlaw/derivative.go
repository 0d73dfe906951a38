package exactlaw

import (
	"fmt"

	"antipode/overlap"
)

// Derivatives are the derivatives, with respect to a parameter, of the probabilities Antipodal and Single of
// Outcomes. The errors of Derivatives are estimated as those of Outcomes.
type Derivatives struct{ Antipodal, Single overlap.Derivative }

// UniformDerivative returns the derivatives of the probabilities of Uniform with respect to a parameter, with
// errors below accuracy if some seconds of computation suffice. Transition probabilities of the Markov chain
// of overlaps and their derivatives are propagated through the layers together. In recursion (4) the
// derivatives of transition probabilities follow from those of the noise covariance N of the package comment.
// In recursion (7), both the distribution function F_n after n layers and the points x in F_(n+1)(y) = E
// F_n(x), with g(x) = y for the effect g of a layer, depend on the parameter:
//
//	dF_(n+1)(y) = E[dF_n(x) - F_n'(x) dg/g'(x)].
//
// The second result of UniformDerivative is false if the derivatives are not known. Derivatives are not known
// for unequal clusters, for a drift, for layers that fold the line, and for parameters that the recursion
// does not have. Derivatives are also not known for an MLP whose activation is not odd, that follows
// attention, or that is added to the hybrid model. The errors of UniformDerivative are those of Uniform.
func (r *Recursion) UniformDerivative(
	by overlap.Parameter, layers int, tolerance, accuracy float64,
) (d Derivatives, ok bool, err error) {
	return r.derivative(problem{nil, layers, tolerance}, by, accuracy)
}

// FromDerivative returns the derivatives of the probabilities of From with respect to a parameter; see
// UniformDerivative.
func (r *Recursion) FromDerivative(
	z0 float64, by overlap.Parameter, layers int, tolerance, accuracy float64,
) (d Derivatives, ok bool, err error) {
	if !(z0 >= -1 && z0 <= 1) {
		return d, false, fmt.Errorf("exactlaw: z0 = %v is not allowed: it must be from -1 to 1", z0)
	}
	p := problem{&z0, layers, tolerance}
	if z0 == 1 || z0 == -1 || layers == 0 { // the overlap does not move, if the derivative is known
		return d, r.solver.hasDerivative(by), p.check()
	}
	return r.derivative(p, by, accuracy)
}

func (r *Recursion) derivative(
	p problem, by overlap.Parameter, accuracy float64,
) (d Derivatives, ok bool, err error) {
	if !r.solver.hasDerivative(by) {
		return d, false, p.check()
	}
	a, s, err := r.refine(p, accuracy, func(effort int) (law, error) {
		return r.solver.outcomeDerivatives(p, effort, by)
	})
	if err != nil {
		return d, false, err
	}
	// Errors of rounding and of densityTable are several times as large in a derivative as in a probability:
	// 1.2e-8 for one layer in two dimensions.
	const rounding = 2e-8
	worst := rounding + max(a.Error, s.Error)
	return Derivatives{overlap.Derivative{Value: a.Value, Error: worst},
		overlap.Derivative{Value: s.Value, Error: worst}}, true, nil
}
