package main

import (
	"os"

	"antipode/experiments/run"
)

// checkOutputs refuses to write over what the run reads: files that parameters name, and those that
// are given.
func (r *runner) checkOutputs(inputs ...string) error {
	if r.experiment != nil {
		inputs = append(inputs, run.Inputs(r.experiment)...)
	}
	for flag, path := range map[string]string{"out": r.out, "plot": r.plot} {
		if err := checkOutput(flag, path, inputs...); err != nil {
			return err
		}
	}
	return nil
}

// checkOutput refuses an output that is one of the inputs, also under another name.
func checkOutput(flag, path string, inputs ...string) error {
	there, err := os.Stat(path)
	if err != nil {
		return nil // nothing is written over
	}
	for _, input := range inputs {
		if info, err := os.Stat(input); err == nil && os.SameFile(there, info) {
			return usagef("--%s %s: is read by the run; must be another file", flag, quoteIfNeeded(path))
		}
	}
	return nil
}
