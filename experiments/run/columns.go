package run

import (
	"slices"

	"antipode/data"
)

// Without returns the table columns whose names do not occur among the columns of a group.
func Without(columns, group []data.Column) []data.Column {
	return slices.DeleteFunc(slices.Clone(columns), func(c data.Column) bool {
		return slices.ContainsFunc(group, func(other data.Column) bool { return other.Name == c.Name })
	})
}
