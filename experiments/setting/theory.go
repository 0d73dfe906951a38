package setting

import "antipode/experiments/parameter"

// ThreeTokensParameter is the parameter of the theory of three tokens beside what is simulated.
func ThreeTokensParameter(on *bool) parameter.Parameter {
	return parameter.Parameter{Name: "theory",
		Meaning: "beside simulated outcomes of three tokens their theory, in the limit of infinite " +
			"depth, which " +
			"takes seconds a cell",
		Value: parameter.Switch{On: on}}
}
