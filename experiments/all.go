package experiments

import (
	"fmt"

	"antipode/experiments/clustering"
	"antipode/experiments/evolve"
	"antipode/experiments/field"
	"antipode/experiments/hybrid"
	"antipode/experiments/phase"
	"antipode/experiments/propagation"
	"antipode/experiments/run"
	"antipode/experiments/spectrum"
	"antipode/experiments/tokens"
	"antipode/experiments/verify"
)

// All returns the experiments, each with its default parameters. Commands and tests
// come from here.
func All() []run.Experiment {
	return []run.Experiment{
		phase.New(), clustering.NewOverlap(), clustering.NewSimulate(), clustering.NewWeak(), field.New(),
		hybrid.New(), tokens.New(), evolve.New(), clustering.NewStability(),
		propagation.NewPropagation(), propagation.NewTrainability(), propagation.NewAttentionPhase(),
		propagation.NewGradients(), propagation.NewRankCollapse(),
		spectrum.NewSpectrum(), spectrum.NewStableRank(), spectrum.NewWidthGradients(),
		verify.NewVerification(),
	}
}

// HasPaper reports whether Paper changes the default parameters of the experiment of
// that name.
func HasPaper(name string) bool {
	e, err := ByName(name)
	if err != nil {
		return false
	}
	before := run.ParametersJSON(e)
	e.Paper()
	return run.ParametersJSON(e) != before
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
