package experiments

import (
	"fmt"

	"antipode/experiments/run"
)

// Group is the set of experiments on a subject, such as two tokens.
type Group struct {
	Subject     string
	Experiments []run.Experiment
}

// All returns the experiments of all groups, each with its default parameters.
func All() (all []run.Experiment) {
	for _, group := range Groups() {
		all = append(all, group.Experiments...)
	}
	return all
}

// ByName returns the experiment with the given name, with its default parameters. An unknown name is an
// error.
func ByName(name string) (run.Experiment, error) {
	for _, e := range All() {
		if e.Name() == name {
			return e, nil
		}
	}
	return nil, fmt.Errorf("no experiment is called %q", name)
}

// MustByName is like ByName for a name that is known to be that of an experiment; it panics if it is not.
func MustByName(name string) run.Experiment {
	e, err := ByName(name)
	if err != nil {
		panic(err)
	}
	return e
}
