package simulate

import (
	"fmt"
	"strings"

	"antipode/experiments/parameter"
	"antipode/sde"
)

// method returns the parameter that says whether tokens or the Markov chain of their overlap is simulated.
func (s *Experiment) method() parameter.Parameter {
	return parameter.Parameter{Name: "method",
		Meaning: "what is simulated: the tokens, or the exact Markov chain of the overlap of two " +
			"tokens or of two opposite clusters, whose cost does not depend on the dimension, and " +
			"which has no states to save",
		Value: parameter.Named{Field: &s.Method, Names: sde.MethodNames}}
}

// checkMethod returns an error for the method chain if the overlap of the tokens of the cell is not a Markov
// chain, or if the table needs tokens, which a chain does not have.
func (s *Experiment) checkMethod(cell sde.Cell) error {
	if s.Method != sde.Chain {
		return nil
	}
	if !s.splits() && (s.Save == saveStates || s.Save == saveAttention || s.Save == saveDensity) {
		return s.refusedMethod(fmt.Sprintf("the chain has no tokens for --save %s; must be tokens, or with "+
			"--save outcomes, overlaps or summary", s.Save))
	}
	if s.interpolates() {
		return s.refusedMethod("the chain has no tokens to interpolate between layers; must be tokens, or " +
			"without --interpolate")
	}
	if err := cell.Validate(); err != nil && strings.HasPrefix(err.Error(), "method ") {
		problem := strings.TrimPrefix(err.Error(), "method chain: ")
		return s.refusedMethod(problem + "; must be tokens otherwise")
	}
	return nil
}

func (s *Experiment) refusedMethod(problem string) error {
	return parameter.Errorf("method", s.Method.String(), "%s", problem)
}
