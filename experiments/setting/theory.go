package setting

import "antipode/experiments/parameter"

// ThreeTokensParameter returns the parameter that adds the theory of three tokens to the simulation.
func ThreeTokensParameter(on *bool) parameter.Parameter {
	return parameter.Parameter{Name: "theory",
		Meaning: "adds the theoretical probabilities for three tokens in the limit of infinite depth, " +
			"which takes seconds per cell",
		Value: parameter.Switch{On: on}}
}
