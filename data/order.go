package data

import (
	"cmp"
	"reflect"
	"slices"

	"antipode/internal/lists"
)

// Order is an order of the values of a column other than the ascending order: numbers in the order of
// Numbers, labels in the order of Labels. Values that an Order does not list come last.
type Order struct {
	Numbers []float64
	Labels  []string
}

// Sort sorts rows by their first column; rows that are equal in the first column are sorted by the second
// column, and so on. Numbers are sorted in ascending order, NaN first, and labels in the order of
// Labelled.Labels. The map orders gives other orders for columns, by the names of the columns. Sort ignores
// columns of vectors. If the rows are already sorted, Sort takes one pass.
func Sort[Row any](rows []Row, orders map[string]Order) {
	values := reflect.ValueOf(rows)
	var columns []sortedColumn
	for _, f := range fieldsOf(reflect.TypeFor[Row]()) {
		if f.column.Kind != Vector {
			columns = append(columns, sortedColumn{f, f.placesIn(orderOf(f.column, orders))})
		}
	}
	compare := func(i, j int) int {
		for _, c := range columns {
			if order := c.compare(values.Index(i), values.Index(j)); order != 0 {
				return order
			}
		}
		return 0
	}
	places := lists.Of(len(rows), func(k int) int { return k })
	if slices.IsSortedFunc(places, compare) {
		return
	}
	slices.SortStableFunc(places, compare)
	before := slices.Clone(rows)
	for k, place := range places {
		rows[k] = before[place]
	}
}

// orderOf returns the order of a column in the map orders, whose key is the name of the column or the name of
// the column in older files.
func orderOf(column Column, orders map[string]Order) Order {
	if order, ok := orders[column.Name]; ok || column.Former == "" {
		return order
	}
	return orders[column.Former]
}

// sortedColumn is a column by which Sort sorts rows, with the place of each value in the Order of the column,
// if the column has an Order.
type sortedColumn struct {
	field
	places map[float64]int // by number, or by index of a label; nil for the ascending order
}

// placesIn returns the place in an order of each value of the field; nil stands for the ascending order.
func (f field) placesIn(order Order) map[float64]int {
	numbers := order.Numbers
	if f.column.Kind == Label {
		numbers = nil
		for _, label := range order.Labels {
			numbers = append(numbers, float64(slices.Index(f.column.Labels, label)))
		}
	}
	if slices.IsSorted(numbers) {
		return nil
	}
	places := map[float64]int{}
	for k, x := range numbers {
		places[x] = k
	}
	return places
}

// compare compares the values of the column in two rows a and b.
func (c sortedColumn) compare(a, b reflect.Value) int {
	x, y := c.number(a.FieldByIndex(c.place)), c.number(b.FieldByIndex(c.place))
	if c.places == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Or(cmp.Compare(c.placeOf(x), c.placeOf(y)), cmp.Compare(x, y))
}

// placeOf returns the place of a value in the Order of the column; values that the Order does not list come
// after all listed values.
func (c sortedColumn) placeOf(x float64) int {
	if place, ok := c.places[x]; ok {
		return place
	}
	return len(c.places)
}

// number returns a value of the column as a number: a number itself, or the index of a label, which is -1 for
// a text that is not a label.
func (c sortedColumn) number(v reflect.Value) float64 {
	switch {
	case v.CanFloat():
		return v.Float()
	case v.CanInt():
		return float64(v.Int())
	}
	return float64(slices.Index(c.column.Labels, v.String()))
}
