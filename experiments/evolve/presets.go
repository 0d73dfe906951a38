package evolve

import (
	"slices"

	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/sde"
)

// paperFigures are the settings of the paper's figures, except for depth and number of trajectories.
var paperFigures = []struct {
	name    string
	setting func(e *Experiment)
}{
	{"7", func(e *Experiment) { // the caption gives all parameters
		e.Model, e.Tokens, e.Dim = []setting.Model{setting.Transformer}, 50, []int{4}
		e.Beta, e.Horizon = []float64{5}, 50
	}},
	{"8", func(e *Experiment) {
		// The captions say that β is below 1, equal to 1, and above 1. They claim that opposite clusters
		// attract in all dimensions of Fig. 3 for β above 1, but this is true only above 1.384. They also
		// claim that opposite clusters attract in none of these dimensions for β below 1, but this is true
		// only up to 0.658. The horizons are 50 and 100.
		e.Model, e.Tokens, e.Dim = []setting.Model{setting.Transformer}, 2, []int{4, 5, 6, 7, 8, 9, 10}
		e.Beta, e.Horizon = []float64{0.5, 1, 2}, 100
	}},
	{"9", func(e *Experiment) {
		// Fig. 9a ends at time 15, which is half of this horizon, and Fig. 9b at 30. The dimension is that of
		// the flow in Section 6, Id(4).
		e.Model, e.Tokens, e.Dim = []setting.Model{setting.Transformer, setting.Flow}, 50, []int{4}
		e.Beta, e.Horizon = []float64{0.5, 4.5}, 30
	}},
}

// figures is the choice of one of these figures. Choosing a figure also sets the parameters of the figure.
func (e *Experiment) figures() parameter.Choice {
	var names []string
	for _, figure := range paperFigures {
		names = append(names, figure.name)
	}
	return parameter.Choice{Field: &e.Figure, Names: names, Then: func(string) {
		paperFigures[slices.Index(names, e.Figure)].setting(e)
		e.Law = defaultLaw(e.Model)
	}}
}

// modelNames are the models of a layer.
var modelNames = []string{setting.Transformer.String(), setting.Hybrid.String(), setting.Flow.String()}

// modelsChoice is a list of names of models; setting it also sets the default law.
type modelsChoice struct {
	parameter.SeveralChooser
	*Experiment
}

func (e *Experiment) models() parameter.Value {
	return modelsChoice{parameter.NamedList(&e.Model, modelNames), e}
}

// Set implements parameter.Value.
func (v modelsChoice) Set(text string) error {
	if err := v.SeveralChooser.Set(text); err != nil {
		return err
	}
	v.Law = defaultLaw(v.Model)
	return nil
}

// defaultLaw returns rademacher if the hybrid is the only noisy model, and gaussian otherwise.
func defaultLaw(models []setting.Model) sde.Law {
	if slices.Contains(models, setting.Hybrid) && !slices.Contains(models, setting.Transformer) {
		return sde.Rademacher
	}
	return sde.Gaussian
}
