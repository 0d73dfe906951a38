package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

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

// HasPaper reports whether the experiment with the given name has other default parameters than the figure of
// its source paper, so that Paper changes them.
func HasPaper(name string) bool { return withPaper()[name] }

// withPaper returns the names of the experiments whose default parameters Paper changes. The names are
// computed once, when they are first needed, because every command line needs them.
var withPaper = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, e := range All() {
		before := parameters(e)
		e.Paper()
		names[e.Name()] = !bytes.Equal(parameters(e), before)
	}
	return names
})

// parameters returns all parameters of an experiment in JSON, including those without effect.
func parameters(e run.Experiment) []byte {
	text, err := json.Marshal(e)
	if err != nil { // cannot happen: valid parameters are finite numbers, strings and names
		panic(fmt.Sprintf("experiments: parameters of %s: %v", e.Name(), err))
	}
	return text
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
