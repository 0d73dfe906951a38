package run

import (
	"slices"

	"antipode/data"
)

// Without are columns but for those of a group.
func Without(columns, group []data.Column) []data.Column {
	return slices.DeleteFunc(slices.Clone(columns), func(c data.Column) bool {
		return slices.ContainsFunc(group, func(other data.Column) bool { return other.Name == c.Name })
	})
}

// Only hands to a table those of all columns that it has.
func Only(table data.Sink, all, some []data.Column) data.Sink {
	return data.SinkFunc(func(values ...data.Values) error {
		var kept []data.Values
		for k, column := range all {
			if slices.ContainsFunc(some, func(c data.Column) bool { return c.Name == column.Name }) {
				kept = append(kept, values[k])
			}
		}
		return table.Write(kept...)
	})
}
