package main

import "antipode/experiments/parameter"

// standardOutput is the name under which a table is written to standard output.
const standardOutput = "-"

// streamValue is the name of a table's file, or of standard output.
type streamValue struct{ pathValue }

func (v streamValue) Set(text string) error {
	if text == standardOutput {
		*v.field = text
		return nil
	}
	if v.pathValue.Set(text) != nil {
		return parameter.MustBe(v)
	}
	return nil
}
func (v streamValue) Allowed() string {
	return v.pathValue.Allowed() + ", or " + standardOutput + " for standard output"
}
