package run

import (
	"fmt"

	"antipode/data"
)

// Caption returns the caption of the figure of a table: the command that made the table, the parameters and
// the seed of the random numbers. The argument parameters is the text of the parameters.
func Caption(table *data.Table, parameters string) string {
	command, _ := table.Schema.Value(data.KeyCommand)
	seed, _ := table.Schema.Value(data.KeySeed)
	return fmt.Sprintf("antipode %s: %s, seed %s", command, parameters, seed)
}
