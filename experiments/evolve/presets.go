package evolve

import (
	"slices"

	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/sde"
)

// paperFigures are the parameters of the figures of the paper, except for the depth and the number of
// trajectories.
var paperFigures = []struct {
	name    string
	setting func(e *Experiment)
}{
	{"7", func(e *Experiment) { // the caption gives all parameters
		e.Model, e.Tokens, e.Dim = []setting.Model{setting.Transformer}, 50, []int{4}
		e.Beta, e.Horizon = []float64{5}, 50
	}},
	{"8", func(e *Experiment) {
		// The captions of Fig. 8 say that β is below 1, equal to 1, and above 1. The captions claim that
		// opposite clusters attract each other in all dimensions of Fig. 3 for β above 1, but β must be above
		// 1.384. The captions also claim that opposite clusters attract each other in no dimension of Fig. 3
		// for β below 1, but β must be below 0.658. The horizons in Fig. 8 are 50 and 100.
		e.Model, e.Tokens, e.Dim = []setting.Model{setting.Transformer}, 2, []int{4, 5, 6, 7, 8, 9, 10}
		e.Beta, e.Horizon = []float64{0.5, 1, 2}, 100
	}},
	{"9", func(e *Experiment) {
		// Fig. 9a ends at time 15, and Fig. 9b ends at time 30. The dimension is that of the flow in Section
		// 6 of the paper, whose value matrix is Id(4).
		e.Model, e.Tokens, e.Dim = []setting.Model{setting.Transformer, setting.Flow}, 50, []int{4}
		e.Beta, e.Horizon = []float64{0.5, 4.5}, 30
	}},
}

// figure returns the parameter figure. Choosing a figure of the paper also sets the parameters of that
// figure.
func (e *Experiment) figure() parameter.Parameter {
	var names []string
	for _, figure := range paperFigures {
		names = append(names, figure.name)
	}
	return parameter.Parameter{Name: "figure", Meaning: "figure of the paper; it sets model, tokens, dim, " +
		"beta, law and horizon where these are not given",
		Value: parameter.Choice{Field: &e.Figure, Names: names}, Preset: true,
		Then: func() {
			paperFigures[slices.Index(names, e.Figure)].setting(e)
			e.setLaw()
		}}
}

// modelNames are the names of the models with layers, which are recursions.
var modelNames = []string{setting.Transformer.String(), setting.Hybrid.String(), setting.Flow.String()}

// setLaw sets the default law of the increments for the models: Rademacher if the hybrid is the only model
// with noise, and Gaussian otherwise.
func (e *Experiment) setLaw() {
	e.Law = sde.Gaussian
	if slices.Contains(e.Model, setting.Hybrid) && !slices.Contains(e.Model, setting.Transformer) {
		e.Law = sde.Rademacher
	}
}
