package setting

import "antipode/experiments/parameter"

// ThreeTokensParameter is the parameter of the theory of three tokens beside what is simulated.
func ThreeTokensParameter(on *bool) parameter.Parameter {
	return parameter.Parameter{Name: "theory",
		Meaning: "adds the theoretical probabilities for three tokens in the limit of infinite depth, " +
			"which takes seconds per cell",
		Value: parameter.Switch{On: on}}
}
