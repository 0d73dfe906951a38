package run

import (
	"fmt"

	"antipode/data"
)

// Caption returns the text below the figure of a table: the command, the given parameters and the seed.
func Caption(table *data.Table, parameters string) string {
	command, _ := table.Schema.Value(data.KeyCommand)
	seed, _ := table.Schema.Value(data.KeySeed)
	return fmt.Sprintf("antipode %s: %s, seed %s", command, parameters, seed)
}
