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

// ParametersJSON returns the metadata from which a run can be repeated: a JSON object with the parameters
// that have an effect. When the object is read again, a parameter that the object lacks has its default
// value.
func ParametersJSON(e Experiment) string {
	text, err := json.Marshal(e)
	if err != nil { // cannot happen: valid parameters are finite numbers, strings and names
		panic(fmt.Sprintf("run: parameters of %s: %v", e.Name(), err))
	}
	without := map[string]bool{}
	for _, p := range e.Parameters() {
		without[p.Name] = p.Inapplicable != "" || p.Preset
	}
	return string(withoutKeys(text, func(key string) bool { return without[key] }))
}

// attributes returns a JSON object for people who read a table in the Python library pandas. The object has
// the command and the parameters that do not vary in the table, under the names that columns would have;
// parameters that vary in the table are columns. The object also repeats all parameters of the metadata,
// because pandas sometimes drops the metadata of a table but not its attributes.
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

// Inputs returns the names of the files that an experiment reads, as its parameters name them.
func Inputs(e Experiment) []string {
	var files []string
	for _, p := range e.Parameters() {
		texts := []string{p.Value.String()}
		if p.Further {
			texts = strings.Split(texts[0], ",")
		}
		for _, text := range texts {
			if file, sum := namedfile.Split(text); sum != "" {
				files = append(files, file)
			}
		}
	}
	return files
}

// withoutKeys returns a JSON object without the entries for whose keys drop is true. The remaining entries
// keep their order.
func withoutKeys(object []byte, drop func(key string) bool) []byte {
	var kept [][]byte
	for name, value := range Entries(object) {
		if !drop(name) {
			kept = append(kept, fmt.Appendf(nil, "%q:%s", name, value))
		}
	}
	return slices.Concat([]byte("{"), bytes.Join(kept, []byte(",")), []byte("}"))
}

// Entries iterates over the entries of a JSON object written by json.Marshal, in order. Entries panics if the
// text is not an object.
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

// presentNames replaces former names of parameters in a JSON object by the present names of these parameters.
// A text that is not a JSON object is returned unchanged.
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
	if err != nil { // cannot happen: the values are JSON that has been read
		panic(fmt.Sprintf("run: %q: %v", values, err))
	}
	return object
}

// ReadParameters sets the parameters of an experiment to those in the metadata of a table, and validates
// them.
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
