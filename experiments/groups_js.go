package experiments

import (
	"antipode/experiments/hybrid"
	"antipode/experiments/mlp"
	"antipode/experiments/overlap"
	"antipode/experiments/phase"
	"antipode/experiments/run"
	"antipode/experiments/simulate"
	"antipode/experiments/tokens"
)

// Groups returns the experiments that a page in a browser has, by subject, each with its default parameters:
// those whose runs are small, as all of them would be twice as much to load.
func Groups() []Group {
	return []Group{
		{"Two tokens", []run.Experiment{phase.New(), overlap.New(), hybrid.New(), mlp.New()}},
		{"Many tokens", []run.Experiment{simulate.New(), tokens.New()}},
	}
}
