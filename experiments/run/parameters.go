package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
)

// ParametersJSON is the metadata from which a run can be repeated: an object of the parameters that
// have an effect. Those that are not in it have their default values when it is read.
func ParametersJSON(e Experiment) string {
	text, err := json.Marshal(e)
	if err != nil { // valid parameters are finite numbers, strings and names
		panic(fmt.Sprintf("run: parameters of %s: %v", e.Name(), err))
	}
	without := map[string]bool{}
	for _, p := range e.Parameters() {
		without[p.Name] = p.Inapplicable != "" || p.Preset
	}
	return string(withoutKeys(text, func(key string) bool { return without[key] }))
}

// attributes are a JSON object for people who read a table in pandas: what ran, and the parameters that
// do not vary in it, under the names that columns would have. Those that vary are columns. All parameters
// are there as they are in the metadata too, because pandas keeps attributes where it drops metadata.
func attributes(e Experiment, seed uint64) string {
	parameters := ParametersJSON(e)
	object := fmt.Appendf(nil, `{"command":%q,"version":%q,"seed":%d,"parameters":%s`,
		e.Name(), Version, seed, parameters)
	columns := map[string]bool{"seeds": true}
	for _, column := range e.Columns() {
		columns[column.Name] = true
	}
	for name, value := range Entries([]byte(parameters)) {
		name = strings.ReplaceAll(name, "-", "_")
		var list []json.RawMessage
		if json.Unmarshal(value, &list) == nil {
			switch {
			case len(list) == 1:
				value = list[0]
			case columns[name]:
				continue
			}
		}
		object = fmt.Appendf(object, ",%q:%s", name, value)
	}
	return string(append(object, '}'))
}

// Inputs are the names of the files that the parameters of an experiment name.
func Inputs(e Experiment) []string {
	var files []string
	for _, p := range e.Parameters() {
		if file, sum := namedfile.Split(p.Value.String()); sum != "" {
			files = append(files, file)
		}
	}
	return files
}

// withoutKeys is a JSON object without some of its keys, the others in their order.
func withoutKeys(object []byte, drop func(key string) bool) []byte {
	var kept [][]byte
	for name, value := range Entries(object) {
		if !drop(name) {
			kept = append(kept, fmt.Appendf(nil, "%q:%s", name, value))
		}
	}
	return slices.Concat([]byte("{"), bytes.Join(kept, []byte(",")), []byte("}"))
}

// Entries are those of a JSON object, as Marshal wrote it, in their order. It panics if the text is not an
// object.
func Entries(object []byte) iter.Seq2[string, json.RawMessage] {
	return func(yield func(name string, value json.RawMessage) bool) {
		decoder := json.NewDecoder(bytes.NewReader(object))
		_, err := decoder.Token()
		for err == nil && decoder.More() {
			var key json.Token
			var value json.RawMessage
			if key, err = decoder.Token(); err == nil {
				err = decoder.Decode(&value)
			}
			if err == nil && !yield(key.(string), value) {
				return
			}
		}
		if err != nil {
			panic(fmt.Sprintf("run: %q: %v", object, err))
		}
	}
}

// presentNames is a JSON object of parameters in which those that have their older names have their present
// ones. What is no object stays as it is.
func presentNames(object []byte, parameters []parameter.Parameter) []byte {
	var values map[string]json.RawMessage
	if json.Unmarshal(object, &values) != nil {
		return object
	}
	renamed := false
	for _, p := range parameters {
		if value, old := values[p.Former]; old && p.Former != "" && values[p.Name] == nil {
			values[p.Name], renamed = value, true
		}
	}
	if !renamed {
		return object
	}
	object, err := json.Marshal(values)
	if err != nil { // values are JSON as they were read
		panic(fmt.Sprintf("run: %q: %v", values, err))
	}
	return object
}

// ReadParameters sets an experiment to the parameters in a table's metadata.
func ReadParameters(e Experiment, table *data.Table) error {
	text, _ := table.Schema.Value(data.KeyParameters)
	if err := json.Unmarshal(presentNames([]byte(text), e.Parameters()), e); err != nil {
		return fmt.Errorf("%s: %w", data.KeyParameters, err)
	}
	if err := e.Validate(); err != nil {
		return fmt.Errorf("%s: %w", data.KeyParameters, err)
	}
	return nil
}
