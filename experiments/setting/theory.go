package setting

import "antipode/experiments/parameter"

// ThreeTokensParameter is the parameter of the theory of three tokens beside what is simulated.
func ThreeTokensParameter(on *bool) parameter.Parameter {
	return parameter.Parameter{Name: "theory",
		Meaning: "adds the theory of the outcomes of three tokens, in the limit of infinite depth; takes " +
			"seconds a cell",
		Value: parameter.Switch{On: on}}
}
