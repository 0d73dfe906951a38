package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"

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

// Group is what there is on a subject.
type Group struct {
	Subject     string
	Experiments []run.Experiment
}

// Groups returns the experiments by subject, each with its default parameters. Commands and tests come from
// here.
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

// All returns the experiments of all groups.
func All() (all []run.Experiment) {
	for _, group := range Groups() {
		all = append(all, group.Experiments...)
	}
	return all
}

// HasPaper reports whether Paper changes the default parameters of the experiment of
// that name.
func HasPaper(name string) bool {
	e, err := ByName(name)
	if err != nil {
		return false
	}
	before := parameters(e)
	e.Paper()
	return !bytes.Equal(parameters(e), before)
}

// parameters are all of an experiment, whether they have an effect or not.
func parameters(e run.Experiment) []byte {
	text, err := json.Marshal(e)
	if err != nil { // valid parameters are finite numbers, strings and names
		panic(fmt.Sprintf("experiments: parameters of %s: %v", e.Name(), err))
	}
	return text
}

// ByName returns the experiment of that name with its default parameters.
func ByName(name string) (run.Experiment, error) {
	for _, e := range All() {
		if e.Name() == name {
			return e, nil
		}
	}
	return nil, fmt.Errorf("no experiment is called %q", name)
}
