//go:build !js

package experiments

import (
	"antipode/experiments/advise"
	"antipode/experiments/attentionmatrix"
	"antipode/experiments/attentionphase"
	"antipode/experiments/crowd"
	"antipode/experiments/evolve"
	"antipode/experiments/field"
	"antipode/experiments/gradients"
	"antipode/experiments/hybrid"
	"antipode/experiments/measure"
	"antipode/experiments/mlp"
	"antipode/experiments/overlap"
	"antipode/experiments/phase"
	"antipode/experiments/propagation"
	"antipode/experiments/rankcollapse"
	"antipode/experiments/residual"
	"antipode/experiments/run"
	"antipode/experiments/simulate"
	"antipode/experiments/spectrum"
	"antipode/experiments/stability"
	"antipode/experiments/stablerank"
	"antipode/experiments/tokens"
	"antipode/experiments/train"
	"antipode/experiments/trainability"
	"antipode/experiments/verify"
	"antipode/experiments/weak"
	"antipode/experiments/widthgradients"
)

// Groups returns the experiments by subject, each with its default parameters. The commands of the program
// are derived from these groups.
func Groups() []Group {
	return []Group{
		{"Two tokens", []run.Experiment{phase.New(), overlap.New(), hybrid.New(), mlp.New(),
			weak.New()}},
		{"Many tokens", []run.Experiment{simulate.New(), tokens.New(), evolve.New(), crowd.New(),
			stability.New(), field.New(), residual.New()}},
		{"Networks at initialisation", []run.Experiment{propagation.New(), trainability.New(),
			gradients.New(), rankcollapse.New()}},
		{"Attention matrices and their spectra", []run.Experiment{attentionphase.New(),
			attentionmatrix.New(), spectrum.New(), stablerank.New(), widthgradients.New()}},
		{"Training", []run.Experiment{train.New()}},
		{"Your own model", []run.Experiment{advise.New(), measure.New()}},
		{"Claims of the papers", []run.Experiment{verify.New()}},
	}
}
