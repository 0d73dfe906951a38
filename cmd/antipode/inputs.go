package main

import (
	"antipode/experiments/wording"
	"os"
)

// checkOutput refuses an output that is one of the inputs, also under another name.
func checkOutput(flag, path string, inputs ...string) error {
	there, err := os.Stat(path)
	if err != nil {
		return nil // nothing is written over
	}
	for _, input := range inputs {
		if info, err := os.Stat(input); err == nil && os.SameFile(there, info) {
			return usagef("--%s %s: is read by the run; must be another file", flag, wording.Quoted(path))
		}
	}
	return nil
}
