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

// Groups returns the experiments that are available on a page in a browser, by subject, each with its default
// parameters. The page offers only experiments with small runs. A page with all experiments would take twice
// as long to load.
func Groups() []Group {
	return []Group{
		{"Two tokens", []run.Experiment{phase.New(), overlap.New(), hybrid.New(), mlp.New()}},
		{"Many tokens", []run.Experiment{simulate.New(), tokens.New()}},
	}
}
