package run

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Cells returns the number of points in the parameter grid of an experiment: the product of the lengths of
// all parameters that are lists of numbers, names or pairs, and the number of seeds. Parameters without an
// effect do not count.
func Cells(e Experiment) int {
	values := maps.Collect(Entries([]byte(ParametersJSON(e))))
	seeds := SeedParameter(e, new(uint64)).Value.String() // separated by commas
	cells := 1 + strings.Count(seeds, ",")
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
