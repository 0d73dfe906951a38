package run

import (
	"encoding/json"
	"fmt"

	"antipode/data"
)

// ParametersJSON is the metadata from which a run of a valid experiment can be repeated.
func ParametersJSON(e Experiment) string {
	text, err := json.Marshal(e)
	if err != nil { // valid parameters are finite numbers, strings and names
		panic(fmt.Sprintf("experiments: parameters of %s: %v", e.Name(), err))
	}
	return string(text)
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
