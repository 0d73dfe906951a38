package setting

import "antipode/experiments/parameter"

// ThreeTokensParameter returns the parameter of a switch. If the switch is on, an experiment with three
// tokens also computes the theory. The argument three says whether the experiment has cells of three tokens.
func ThreeTokensParameter(on *bool, three bool) parameter.Parameter {
	return parameter.Parameter{Name: "theory",
		Meaning: "adds the theoretical probabilities for three tokens in the limit of infinite depth, " +
			"which takes seconds per cell",
		Value:        parameter.Switch{On: on},
		Inapplicable: parameter.Unless(three, "only three tokens have this theory; must be left out")}
}
