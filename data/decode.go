package data

import (
	"fmt"
	"math"
	"slices"

	"antipode/internal/float16"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
)

// decode returns the values of an Arrow array as a slice of the Go type that belongs to the kind of the
// column. If Arrow uses this type, decode copies nothing: the slice is Arrow's memory, which the garbage
// collector does not free while the slice is used.
func (c Column) decode(values arrow.Array) (Values, error) {
	switch c.Kind {
	case Int32:
		return slice(c.int32s(values))
	case Int64:
		return slice(c.int64s(values))
	case Label:
		return slice(c.codes(values))
	case Vector:
		return slice(c.vectors(values, c.shape()))
	case Text:
		return slice(texts(values))
	default:
		return slice(c.float64s(values, math.NaN()))
	}
}

func slice[T Value](values []T, err error) (Values, error) { return Slice[T](values), err }

func (c Column) int32s(values arrow.Array) ([]int32, error) {
	if v, ok := values.(*array.Int32); ok {
		return v.Int32Values(), nil
	}
	numbers := make([]int32, values.Len())
	at := integers(values)
	for i := range numbers {
		numbers[i] = int32(at(i))
	}
	return numbers, nil
}

func (c Column) int64s(values arrow.Array) ([]int64, error) {
	if v, ok := values.(*array.Int64); ok {
		return v.Int64Values(), nil
	}
	numbers := make([]int64, values.Len())
	at := integers(values)
	_, unsigned := values.(*array.Uint64)
	for i := range numbers {
		numbers[i] = at(i)
		if unsigned && numbers[i] < 0 {
			return nil, fmt.Errorf("has a number above 2^63-1 in column %q", c.Name)
		}
	}
	return numbers, nil
}

// float64s returns the numbers of an Arrow array of any numeric type as float64, with the given number for
// null.
func (c Column) float64s(values arrow.Array, null float64) ([]float64, error) {
	numbers, err := c.convert(values)
	if err != nil || values.NullN() == 0 {
		return numbers, err
	}
	for i := range numbers {
		if values.IsNull(i) {
			numbers[i] = null
		}
	}
	return numbers, nil
}

// convert returns the numbers of an Arrow array of any numeric type as float64, and any number for null.
func (c Column) convert(values arrow.Array) ([]float64, error) {
	numbers := make([]float64, 0)
	switch v := values.(type) {
	case *array.Float64:
		return v.Float64Values(), nil
	case *array.Float32:
		for _, x := range v.Float32Values() {
			numbers = append(numbers, float64(x))
		}
		return numbers, nil
	case *array.Float16:
		for _, x := range v.Values() {
			numbers = append(numbers, float16.Float64(x.Uint16()))
		}
		return numbers, nil
	}
	at := integers(values)
	_, unsigned := values.(*array.Uint64)
	for i := range values.Len() {
		const exact = 1 << 53
		n := at(i)
		if values.IsValid(i) && (n > exact || n < -exact || unsigned && n < 0) {
			return nil, fmt.Errorf("has nulls and an integer beyond 2^53 in column %q", c.Name)
		}
		numbers = append(numbers, float64(n))
	}
	return numbers, nil
}

// integers returns a function that reads an element of an Arrow array of integers of any width. A number
// above 2^63-1 becomes negative.
func integers(values arrow.Array) func(i int) int64 {
	switch v := values.(type) {
	case *array.Int8:
		return func(i int) int64 { return int64(v.Value(i)) }
	case *array.Int16:
		return func(i int) int64 { return int64(v.Value(i)) }
	case *array.Int32:
		return func(i int) int64 { return int64(v.Value(i)) }
	case *array.Int64:
		return func(i int) int64 { return v.Value(i) }
	case *array.Uint8:
		return func(i int) int64 { return int64(v.Value(i)) }
	case *array.Uint16:
		return func(i int) int64 { return int64(v.Value(i)) }
	case *array.Uint32:
		return func(i int) int64 { return int64(v.Value(i)) }
	default:
		unsigned := values.(*array.Uint64)
		return func(i int) int64 { return int64(unsigned.Value(i)) }
	}
}

// shape returns the lengths of the lists of a Vector column: the length of one list, or the lengths of nested
// lists.
func (c Column) shape() []int {
	if c.Shape == nil {
		return []int{c.Length}
	}
	return c.Shape
}

// vectors returns the numbers of all lists of an Arrow array. vectors returns an error if a list does not
// have the number of items that shape requires. The numbers of a list that is null are null, see IsNull.
func (c Column) vectors(values arrow.Array, shape []int) ([]float64, error) {
	if len(shape) == 0 {
		return c.float64s(values, math.Float64frombits(nullBits))
	}
	lists, size := values.(array.ListLike), product(shape)
	items := lists.ListValues()
	first, last := int64(0), int64(0)
	for row := range lists.Len() {
		from, to := lists.ValueOffsets(row)
		if row == 0 {
			first, last = from, from
		}
		if from != last || to < from || to > int64(items.Len()) {
			return nil, damaged("column %q has lists out of order", c.Name)
		}
		if n := to - from; lists.IsValid(row) && n != int64(shape[0]) {
			return nil, fmt.Errorf("has lists of %d and of %d items in column %q, "+
				"which must be as long as each other", shape[0], n, c.Name)
		}
		last = to
	}
	numbers, err := c.vectors(array.NewSlice(items, first, last), shape[1:])
	if err != nil || lists.NullN() == 0 {
		return numbers, err
	}
	return withNullLists(numbers, lists, size, size/shape[0]), nil
}

// withNullLists returns the numbers of lists of size numbers each, with nulls for the numbers of lists that
// are null. In Arrow, a list that is null may have any length.
func withNullLists(numbers []float64, lists array.ListLike, size, itemSize int) []float64 {
	all := make([]float64, 0, lists.Len()*size)
	for row := range lists.Len() {
		from, to := lists.ValueOffsets(row)
		n := int(to-from) * itemSize
		if lists.IsValid(row) {
			all = append(all, numbers[:n]...)
		} else {
			all = append(all, slices.Repeat([]float64{math.Float64frombits(nullBits)}, size)...)
		}
		numbers = numbers[n:]
	}
	return all
}

// codes returns the codes of the labels in an Arrow array, which are indices into c.Labels, and -1 for null.
func (c Column) codes(values arrow.Array) ([]int8, error) {
	if v, ok := values.(*array.Boolean); ok {
		return booleanCodes(v), nil
	}
	dictionary := values.(*array.Dictionary)
	at := integers(dictionary.Indices())
	entries := dictionary.Dictionary()
	codes := make([]int8, values.Len())
	for i := range codes {
		codes[i] = -1
		if values.IsNull(i) {
			continue
		}
		code := at(i)
		if code < 0 || code >= int64(len(c.Labels)) {
			return nil, damaged("column %q has the code %d for %d labels", c.Name, code, len(c.Labels))
		}
		if entries.IsValid(int(code)) {
			codes[i] = int8(code)
		}
	}
	return codes, nil
}

func booleanCodes(values *array.Boolean) []int8 {
	codes := make([]int8, values.Len())
	for i := range codes {
		switch {
		case values.IsNull(i):
			codes[i] = -1
		case values.Value(i):
			codes[i] = 1
		}
	}
	return codes
}

// texts returns the strings of an Arrow array, and "" for null.
func texts(values arrow.Array) ([]string, error) {
	dictionary, ok := values.(*array.Dictionary)
	if !ok {
		return plainTexts(values), nil
	}
	entries := plainTexts(dictionary.Dictionary())
	at := integers(dictionary.Indices())
	strings := make([]string, values.Len())
	for i := range strings {
		if values.IsNull(i) {
			continue
		}
		entry := at(i)
		if entry < 0 || entry >= int64(len(entries)) {
			return nil, damaged("a dictionary has no entry %d", entry)
		}
		strings[i] = entries[entry]
	}
	return strings, nil
}

func plainTexts(values arrow.Array) []string {
	texts := values.(interface{ Value(int) string })
	strings := make([]string, values.Len())
	for i := range strings {
		if values.IsValid(i) {
			strings[i] = texts.Value(i)
		}
	}
	return strings
}
