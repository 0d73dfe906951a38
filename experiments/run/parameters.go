package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/interaction"
	"antipode/experiments/parameter"
)

// ParametersJSON is the metadata from which a run can be repeated: an object of the parameters that
// have an effect. Those that are not in it have their default values when it is read.
func ParametersJSON(e Experiment) string {
	text, err := json.Marshal(e)
	if err == nil {
		text, err = withoutKeys(text, func(key string) bool {
			return slices.ContainsFunc(e.Parameters(), func(p parameter.Parameter) bool {
				return p.Name == key && (p.Idle != "" || p.Preset)
			})
		})
	}
	if err != nil { // valid parameters are finite numbers, strings and names
		panic(fmt.Sprintf("experiments: parameters of %s: %v", e.Name(), err))
	}
	return string(text)
}

// Inputs are the names of the files that the parameters of an experiment name.
func Inputs(e Experiment) []string {
	var files []string
	for _, p := range e.Parameters() {
		if file, sum := interaction.SplitChecksum(p.Value.String()); sum != "" {
			files = append(files, file)
		}
	}
	return files
}

// withoutKeys is a JSON object without some of its keys, the others in their order.
func withoutKeys(object []byte, drop func(key string) bool) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	var kept [][]byte
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		if name := key.(string); !drop(name) {
			kept = append(kept, fmt.Appendf(nil, "%q:%s", name, value))
		}
	}
	return slices.Concat([]byte("{"), bytes.Join(kept, []byte(",")), []byte("}")), nil
}

// ReadParameters sets an experiment to the parameters in a table's metadata.
func ReadParameters(e Experiment, table *data.Table) error {
	text, _ := table.Schema.Value(data.KeyParameters)
	if err := json.Unmarshal([]byte(text), e); err != nil {
		return fmt.Errorf("%s: %w", data.KeyParameters, err)
	}
	if err := e.Validate(); err != nil {
		return fmt.Errorf("%s: %w", data.KeyParameters, err)
	}
	return nil
}
