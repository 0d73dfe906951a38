package run

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"antipode/experiments/parameter"
)

// FigureParameter is the name of a parameter that chooses a figure of a paper. Configure sets the figure
// parameter before all other parameters and before it calls Paper, because the parameters of the paper depend
// on the figure.
const FigureParameter = "figure"

// DefaultSeed is the seed of the random numbers of a run if the user gives no seed.
const DefaultSeed = 1

// Parameters returns the parameters of an experiment, and then the parameter of the seed of its random
// numbers. Setting that last parameter changes *seed.
func Parameters(e Experiment, seed *uint64) []parameter.Parameter {
	return append(e.Parameters(), SeedParameter(e, seed))
}

// Configure sets the parameters of an experiment, which must have its defaults, and returns the seed of the
// random numbers. The map given holds the user's values as texts, by the names of parameters. If paper is
// true, the parameters that the user has not given get the values of the paper. The error joins one error for
// each unknown name and a *parameter.Error for each value that is invalid by itself. If all names and single
// values are valid, the error is that of Validate. If Validate has no error either, the error is that of the
// first given parameter that has no effect.
func Configure(e Experiment, given map[string]string, paper bool) (seed uint64, err error) {
	before := copyOf(e)
	if seed, err = configure(e, given, paper); err != nil {
		return seed, err
	}
	return seed, checkPresets(e, before, given, paper)
}

// copyOf returns a copy of an experiment: a new experiment of the same type with the same parameters.
func copyOf(e Experiment) Experiment {
	of := reflect.New(reflect.TypeOf(e).Elem())
	of.Elem().Set(reflect.ValueOf(e).Elem())
	return of.Interface().(Experiment)
}

// checkPresets returns an error if the user has given a preset that has no effect. A preset is a parameter
// that only chooses values of other parameters. A preset without effect differs from its default, but the
// user has also given all the values that the preset chooses. The argument before is the experiment with its
// default parameters.
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

// configure is Configure without the check that every given preset has an effect.
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
			if err := p.Set(text); err != nil {
				problems = append(problems, parameter.Errorf(p.Name, text, "%v", err))
			}
		}
	}
	set(true)
	if r, has := e.(Reproducer); paper && has {
		r.Paper()
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

// unknown returns an error for each given name that is not the name of a parameter of the experiment.
func unknown(e Experiment, parameters []parameter.Parameter, given map[string]string) (problems []error) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(parameters, func(p parameter.Parameter) bool { return p.Name == name }) {
			problems = append(problems, fmt.Errorf("%s has no parameter %.40q", e.Name(), name))
		}
	}
	return problems
}
