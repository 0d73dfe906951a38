// Package lists contains operations on slices for which the standard library has no function.
//
//	names := lists.Map(columns, func(c data.Column) string { return c.Name })
package lists

import (
	"cmp"
	"slices"
)

// Map returns the values of a function at all elements of a list, in the order of the elements; nil for an
// empty list.
func Map[From, To any](list []From, function func(From) To) (all []To) {
	all = slices.Grow(all, len(list))
	for _, element := range list {
		all = append(all, function(element))
	}
	return all
}

// Of returns the values of a function at 0, 1, …, n-1; nil for n = 0.
func Of[To any](n int, function func(k int) To) (all []To) {
	all = slices.Grow(all, n)
	for k := range n {
		all = append(all, function(k))
	}
	return all
}

// Grid returns the values of a function at all pairs of a row and a column, row after row; nil without rows
// or without columns.
func Grid[Row, Column, To any](
	rows []Row, columns []Column, function func(row Row, column Column) To,
) (all []To) {
	for _, row := range rows {
		for _, column := range columns {
			all = append(all, function(row, column))
		}
	}
	return all
}

// Filter returns the elements of a list that satisfy a condition, in their order; nil if no element satisfies
// the condition.
func Filter[Element any](list []Element, condition func(Element) bool) (all []Element) {
	for _, element := range list {
		if condition(element) {
			all = append(all, element)
		}
	}
	return all
}

// Count returns the number of elements of a list that satisfy a condition.
func Count[Element any](list []Element, condition func(Element) bool) (n int) {
	for _, element := range list {
		if condition(element) {
			n++
		}
	}
	return n
}

// Max returns the greatest of the number most and the values of a function at all elements of a list.
func Max[Element any, Number cmp.Ordered](
	most Number, list []Element, function func(Element) Number,
) Number {
	for _, element := range list {
		most = max(most, function(element))
	}
	return most
}

// Sum returns the sum of all numbers of a list, added in their order.
func Sum[Number int | int64 | float64](list []Number) (sum Number) {
	for _, element := range list {
		sum += element
	}
	return sum
}
