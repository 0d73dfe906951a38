package measure

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/measure/arrays"
	"antipode/experiments/measure/weights"
	"antipode/experiments/parameter"
)

// weightsValue is a parameter value: the name of a file of weights with its checksum, or none.
type weightsValue struct{ of *Experiment }

func (v weightsValue) file() fileValue {
	return fileValue{field: &v.of.Weights, extensions: weights.Extensions, check: checkArrays}
}

// Set implements parameter.Value.
func (v weightsValue) Set(text string) error {
	if text == none {
		v.of.Weights = ""
		return nil
	}
	return v.file().Set(text)
}
func (v weightsValue) String() string {
	if !v.of.weighs() {
		return none
	}
	return v.of.Weights
}
func (v weightsValue) NamesFile(text string) (name string, is bool) {
	return namedfile.Name(text), text != none
}

// Absent implements parameter.Optional.
func (v weightsValue) Absent() string      { return none }
func (v weightsValue) Allowed() string     { return none + " or " + v.file().Allowed() }
func (v weightsValue) Placeholder() string { return "WEIGHTS" }

// Check accepts a valid name and does not read the file of weights, because a figure can be drawn without the
// file.
func (v weightsValue) Check() error {
	if !v.of.weighs() {
		return nil
	}
	return parameter.CheckThat(v.file().Check() == nil, v)
}

// checkArrays returns an error if a file of arrays cannot be opened.
func checkArrays(path string) error {
	file, err := arrays.Open(path, arrays.Any)
	if err != nil {
		return err
	}
	return file.Close()
}

// matrixNames returns how the matrices of the weights are named, the value of the parameter names.
func (m *Experiment) matrixNames() string {
	if m.Names == "" {
		return weights.Auto
	}
	return m.Names
}

// namesValue is a parameter value that says how the matrices of the weights are named. If the names are in a
// file, the value includes the checksum of the file.
type namesValue struct{ of *Experiment }

// Set implements parameter.Value.
func (v namesValue) Set(text string) error {
	if slices.Contains(weights.Choices(), text) {
		if v.of.Names = text; text == weights.Auto {
			v.of.Names = ""
		}
		return nil
	}
	name, want := namedfile.Split(text)
	if strings.ContainsRune(name, 0) || !strings.EqualFold(filepath.Ext(name), ".json") {
		return parameter.MustBe(v)
	}
	if _, err := weights.ReadNames(name); err != nil {
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	}
	sum, err := checksum(name, want)
	if err != nil {
		return err
	}
	v.of.Names = name + namedfile.Mark + sum
	return nil
}
func (v namesValue) String() string { return v.of.matrixNames() }
func (v namesValue) NamesFile(text string) (name string, is bool) {
	return namedfile.Name(text), !slices.Contains(weights.Choices(), text)
}
func (v namesValue) Absent() string      { return weights.Auto }
func (v namesValue) Allowed() string     { return weights.Allowed() }
func (v namesValue) Placeholder() string { return "NAMES-FILE" }

// Check accepts a valid name and does not read the file of names, because a figure can be drawn without the
// file.
func (v namesValue) Check() error {
	name := namedfile.Name(v.of.matrixNames())
	return parameter.CheckThat(slices.Contains(weights.Choices(), name) ||
		strings.EqualFold(filepath.Ext(name), ".json"), v)
}

// compareChecksum returns an error if the checksum of a file is not want. If want is "", every file is
// accepted.
func compareChecksum(path, want string) error {
	_, err := checksum(path, want)
	return namedfile.WithoutPath(err)
}
