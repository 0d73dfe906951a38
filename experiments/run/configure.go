package run

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"antipode/experiments/parameter"
)

// FigureParameter is the name of a parameter that chooses a figure of a paper. It is set before all others
// and before Paper, which may depend on it.
const FigureParameter = "figure"

// DefaultSeed is the seed of a run without a given seed.
const DefaultSeed = 1

// Parameters returns the parameters of an experiment and of its seed.
func Parameters(e Experiment, seed *uint64) []parameter.Parameter {
	return append(e.Parameters(), SeedParameter(e, seed))
}

// Configure sets an experiment that has its default parameters, and its seed. The map given holds the values
// of the user as texts, by the names of parameters. If paper is true, the parameters that are not given have
// the values of the paper. The error joins one error for each unknown name and a *parameter.Error for each
// value that is invalid by itself. If there are no such errors, it is the error of Validate. If Validate has
// no error either, it is the error of the first given parameter that has no effect.
func Configure(e Experiment, given map[string]string, paper bool) (seed uint64, err error) {
	before := copyOf(e)
	if seed, err = configure(e, given, paper); err != nil {
		return seed, err
	}
	return seed, checkPresets(e, before, given, paper)
}

// copyOf returns an experiment with the parameters of another one.
func copyOf(e Experiment) Experiment {
	of := reflect.New(reflect.TypeOf(e).Elem())
	of.Elem().Set(reflect.ValueOf(e).Elem())
	return of.Interface().(Experiment)
}

// checkPresets returns an error if a given preset has no effect. A preset is a parameter that only chooses
// values of other parameters. It has no effect if it differs from its default, but all the values that it
// chooses are given too. The argument before is the experiment with its default parameters.
func checkPresets(e, before Experiment, given map[string]string, paper bool) error {
	for _, p := range before.Parameters() {
		text, is := given[p.Name]
		if !is || !p.Preset || text == p.Value.String() {
			continue
		}
		without, rest := copyOf(before), maps.Clone(given)
		delete(rest, p.Name)
		if _, err := configure(without, rest, paper); err == nil &&
			ParametersJSON(without) == ParametersJSON(e) {
			return parameter.Errorf(p.Name, text, "sets what is not given, and all that it would change is "+
				"given; must be left out")
		}
	}
	return nil
}

// configure is Configure without the check of presets.
func configure(e Experiment, given map[string]string, paper bool) (seed uint64, err error) {
	seed = DefaultSeed
	parameters := Parameters(e, &seed)
	problems := unknown(e, parameters, given)
	set := func(isFigure bool) {
		for _, p := range parameters {
			text, is := given[p.Name]
			if !is || (p.Name == FigureParameter) != isFigure {
				continue
			}
			if err := p.Value.Set(text); err != nil {
				problems = append(problems, parameter.Errorf(p.Name, text, "%v", err))
			}
		}
	}
	set(true)
	if paper {
		e.Paper()
	}
	set(false)
	if problems != nil {
		return seed, errors.Join(problems...)
	}
	if err := e.Validate(); err != nil {
		return seed, err
	}
	return seed, parameter.CheckGiven(Parameters(e, &seed), func(p parameter.Parameter) bool {
		_, is := given[p.Name]
		return is && !(p.Preset && paper)
	})
}

// unknown returns an error for each name that is not that of a parameter.
func unknown(e Experiment, parameters []parameter.Parameter, given map[string]string) (problems []error) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(parameters, func(p parameter.Parameter) bool { return p.Name == name }) {
			problems = append(problems, fmt.Errorf("%s has no parameter %.40q", e.Name(), name))
		}
	}
	return problems
}
