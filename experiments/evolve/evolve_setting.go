package evolve

import (
	"slices"

	"antipode/experiments/internal/grids"
	"antipode/experiments/parameter"
	"antipode/sde"
)

// evolveFigures are the settings of the paper's figures, but for depth and number of
// trajectories.
var evolveFigures = []struct {
	name    string
	setting func(e *Evolve)
}{
	{"7", func(e *Evolve) { // its caption gives all
		e.Model, e.Tokens, e.Dim, e.Beta, e.Horizon = []string{"transformer"}, 50, []int{4}, []float64{5}, 50
	}},
	{"8", func(e *Evolve) {
		// Of β the captions say below 1, 1, and above 1. Not for every β above 1 do opposite
		// clusters attract in all of the dimensions of Fig. 3, as they say, but from 1.384 on;
		// and below 1 they do not in any from 0.658 down. The horizons are 50 and 100.
		e.Model, e.Tokens, e.Dim, e.Beta, e.Horizon = []string{"transformer"}, 2, []int{4, 5, 6, 7, 8, 9, 10}, []float64{0.5, 1, 2}, 100
	}},
	{"9", func(e *Evolve) {
		// Fig. 9a ends at time 15, which is the first half of this horizon, Fig. 9b at 30. The
		// dimension is that of the flow in Section 6, Id(4).
		e.Model, e.Tokens, e.Dim, e.Beta, e.Horizon = []string{"transformer", "flow"}, 50, []int{4}, []float64{0.5, 4.5}, 30
	}},
}

// evolveFigure is the name of one of these figures, which brings its setting with it.
type evolveFigure struct{ *Evolve }

func (v evolveFigure) choice() parameter.Choice {
	var names []string
	for _, figure := range evolveFigures {
		names = append(names, figure.name)
	}
	return parameter.Choice{Field: &v.Figure, Names: names}
}

func (v evolveFigure) Set(text string) error {
	if err := v.choice().Set(text); err != nil {
		return err
	}
	for _, figure := range evolveFigures {
		if figure.name == text {
			figure.setting(v.Evolve)
		}
	}
	v.Law = defaultLaw(v.Model)
	return nil
}
func (v evolveFigure) String() string      { return v.Figure }
func (v evolveFigure) Allowed() string     { return v.choice().Allowed() }
func (v evolveFigure) Placeholder() string { return "NAME" }
func (v evolveFigure) Check() error        { return v.choice().Check() }

// evolveModelNames are the models of a layer.
var evolveModelNames = []string{grids.TransformerName, grids.HybridName, grids.FlowName}

// evolveModels are the names of models, which bring a default law with them.
type evolveModels struct{ *Evolve }

func (v evolveModels) list() parameter.Choices {
	return parameter.Choices{Field: &v.Model, Names: evolveModelNames}
}

func (v evolveModels) Set(text string) error {
	if err := v.list().Set(text); err != nil {
		return err
	}
	v.Law = defaultLaw(v.Model)
	return nil
}
func (v evolveModels) String() string      { return v.list().String() }
func (v evolveModels) Allowed() string     { return v.list().Allowed() }
func (v evolveModels) Placeholder() string { return v.list().Placeholder() }
func (v evolveModels) Check() error        { return v.list().Check() }

// defaultLaw is rademacher for the hybrid alone, else gaussian.
func defaultLaw(models []string) sde.Law {
	if slices.Contains(models, grids.HybridName) && !slices.Contains(models, grids.TransformerName) {
		return sde.Rademacher
	}
	return sde.Gaussian
}
