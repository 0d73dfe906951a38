package exactlaw

import (
	"fmt"

	"antipode/overlap"
)

// Derivatives are those of Outcomes with respect to a parameter, with estimated errors like theirs.
type Derivatives struct{ Antipodal, Single overlap.Derivative }

// UniformDerivative returns the derivatives of the probabilities of Uniform with respect to a parameter, with
// errors below the accuracy where some seconds suffice. They are those of the chain itself: transitions
// and their derivatives go through the layers together. In recursion (4) the latter come from those of the
// matrix N of the package comment; in recursion (7) F_n and the points x of F_(n+1)(y) = E F_n(x) move,
//
//	dF_(n+1)(y) = E[dF_n(x) - F_n'(x) dg/g'(x)].
//
// It returns false where they are not known: of unequal clusters, of an MLP that is not odd, a step of its
// own or beside the hybrid model, of a drift, of layers that fold the line, and for parameters that the
// recursion has not. The errors are those of
// Uniform.
func (r *Recursion) UniformDerivative(
	by overlap.Parameter, layers int, tolerance, accuracy float64,
) (d Derivatives, ok bool, err error) {
	return r.derivative(problem{nil, layers, tolerance}, by, accuracy)
}

// FromDerivative is the same of From.
func (r *Recursion) FromDerivative(
	z0 float64, by overlap.Parameter, layers int, tolerance, accuracy float64,
) (d Derivatives, ok bool, err error) {
	if !(z0 >= -1 && z0 <= 1) {
		return d, false, fmt.Errorf("exactlaw: z0 = %v is not allowed: it must be from -1 to 1", z0)
	}
	p := problem{&z0, layers, tolerance}
	if z0 == 1 || z0 == -1 || layers == 0 { // where clusters stay, if the derivative is known
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
		return r.solver.outcomesBy(p, effort, by)
	})
	if err != nil {
		return d, false, err
	}
	worst := max(a.Error, s.Error)
	return Derivatives{overlap.Derivative{Value: a.Value, Error: worst},
		overlap.Derivative{Value: s.Value, Error: worst}}, true, nil
}
