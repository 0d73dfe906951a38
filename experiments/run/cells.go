package run

import (
	"encoding/json"
	"slices"
)

// Cells returns the number of points in the grid of an experiment: the product of the lengths of all lists of
// numbers, names or pairs among the parameters that have an effect.
func Cells(e Experiment) int {
	var values map[string]json.RawMessage
	if json.Unmarshal([]byte(ParametersJSON(e)), &values) != nil { // cannot happen: it is always an object
		return 1
	}
	cells := 1
	for _, p := range e.Parameters() {
		var list []json.RawMessage
		if slices.Contains([]string{"NUMBERS", "COUNTS", "NAMES", "VALUES", "PAIRS"},
			p.Value.Placeholder()) &&
			json.Unmarshal(values[p.Name], &list) == nil && len(list) > 0 {
			cells *= len(list)
		}
	}
	return cells
}
