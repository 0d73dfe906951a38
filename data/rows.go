package data

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"antipode/internal/lists"
)

// A struct type declares a table, with a field for each column, in order:
//
//	type Row struct {
//		Dim     int32          `column:"dim" meaning:"dimension d of the tokens"`
//		Time    float64        `column:"time" unit:"units of time" meaning:"time of observation"`
//		Limit   float64        `column:"p_limit,nullable" meaning:"…"` // NaN for null
//		Outcome sphere.Outcome `column:"outcome" meaning:"…"`          // has Labels
//		Tokens  [][]float64    `column:"x#" meaning:"state of token #"` // a Shape says how many
//		_       struct{}       `meaning:"a long meaning, which stands in tags of blank fields above"`
//		_       struct{}       `meaning:"the field, a line each"`
//		Bound   float64        `column:"bound,nullable"`
//	}
//
// A field of type int32, int64 or float64 declares a column of numbers. A field of a Labelled type declares a
// column of labels, and a field []float64 declares a column of vectors. A field [][]float64 declares a column
// of vectors for each element of the field; in the name and the meaning of the column, # is replaced by the
// number of the element, from 1. A field that is a struct declares the columns of the fields of the struct.
// If the struct is not embedded, @ in the names and meanings of these columns is replaced by the name and the
// meaning in the tags of the field. All fields except embedded structs have the tag `column`. The tag
// `formerly` gives the name of the column in older files. The tag `otherwise` gives the label that all rows
// get from a file without the column. The option open, as in `column:"id,open"`, allows a column of labels
// whose type is a type of strings to have other labels than those of the type.

// Labelled is the type of a field whose values are labels: an integer type whose value is the index of the
// label, or a string type whose value is the label.
type Labelled interface {
	// Labels returns all labels of the type, which do not depend on the value: 1 to 127 labels, all
	// different.
	Labels() []string
}

// Shape says how many columns of vectors a field [][]float64 declares (Count), and how long the vectors of a
// field [][]float64 or []float64 are (Length).
type Shape struct {
	Count, Length int
}

// Sink is a destination of rows: a Writer, a Table or a Comparison.
type Sink interface {
	// Write appends rows to the sink. The arguments are the values of each column, in the order of the
	// schema. Each argument has the type of the column's Kind, and all arguments have the same number of
	// rows, which may be 0. The sink does not keep the slices; the caller may use the slices again.
	Write(columns ...Values) error
}

// SinkFunc is a function that implements Sink: Write calls the function.
type SinkFunc func(columns ...Values) error

// Write calls the function f with the columns; it implements Sink.
func (f SinkFunc) Write(columns ...Values) error { return f(columns...) }

// Selecting returns a sink that takes rows with the columns all, and passes only the values of the columns
// named in some to sink.
func Selecting(sink Sink, all, some []Column) Sink {
	return SinkFunc(func(values ...Values) error {
		var selected []Values
		for k, column := range all {
			if slices.ContainsFunc(some, func(c Column) bool { return c.Name == column.Name }) {
				selected = append(selected, values[k])
			}
		}
		return sink.Write(selected...)
	})
}

// ColumnsOf returns the columns that the struct type Row declares. A field []float64 or [][]float64 requires
// a shape. ColumnsOf panics if the type of a field is not supported.
func ColumnsOf[Row any](shape ...Shape) []Column {
	var columns []Column
	for _, f := range fieldsOf(reflect.TypeFor[Row]()) {
		if f.column.Kind != Vector {
			columns = append(columns, f.column)
			continue
		}
		if len(shape) != 1 {
			panic(fmt.Sprintf("data: the columns %s of %v need a Shape", f.column.Name,
				reflect.TypeFor[Row]()))
		}
		count := 1
		if f.repeated {
			count = shape[0].Count
		}
		for k := range count {
			columns = append(columns, f.numbered(k, shape[0].Length))
		}
	}
	return columns
}

// WriteRows appends rows to a sink, which must have the columns of ColumnsOf[Row]. The errors of WriteRows
// are errors of the sink's Write. A field [][]float64 must have the same number of elements in all rows, and
// all elements must have the same length.
func WriteRows[Row any](sink Sink, rows ...Row) error {
	values := reflect.ValueOf(rows)
	var columns []Values
	for _, f := range fieldsOf(reflect.TypeFor[Row]()) {
		columns = f.gather(columns, values)
	}
	return sink.Write(columns...)
}

// RowsOf returns the rows of a table, whose columns are found by name. The field of a column that an older
// file lacks is null if it is nullable, or has the label that the tag `otherwise` of the field names. RowsOf
// returns an error if the column of another field is missing, if a column has values of another type than the
// field, or if a label is not one of the field's labels, unless the field has the option open.
func RowsOf[Row any](t *Table) ([]Row, error) {
	rows := make([]Row, t.Rows())
	values := reflect.ValueOf(rows)
	for _, f := range fieldsOf(reflect.TypeFor[Row]()) {
		if err := f.scatter(values, t); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// NullRow returns a row in which nullable numbers are null (NaN) and all other fields are zero.
func NullRow[Row any]() (row Row) {
	value := reflect.ValueOf(&row).Elem()
	for _, f := range fieldsOf(value.Type()) {
		if f.column.Nullable {
			value.FieldByIndex(f.place).SetFloat(math.NaN())
		}
	}
	return row
}

// field is a field of a row struct and the column that the field declares.
type field struct {
	column   Column
	absent   string // label for files without the column; "" if the column must exist
	place    []int  // index of the field for reflect.Value.FieldByIndex
	words    bool   // whether labels are strings, not indices
	open     bool   // whether files may have other labels
	repeated bool   // whether the field is a [][]float64, with a column for each element
}

var fieldCache sync.Map // fields of row structs, by reflect.Type

// fieldsOf returns the fields of a row struct; a field that is a struct is replaced by the fields of that
// struct.
func fieldsOf(row reflect.Type) []field {
	if known, ok := fieldCache.Load(row); ok {
		return known.([]field)
	}
	fields := appendFields(nil, row, nil)
	fieldCache.Store(row, fields)
	return fields
}

// appendFields appends the fields of a struct type that is the type of the field with the index place.
func appendFields(fields []field, row reflect.Type, place []int) []field {
	var meaning []string
	for k := range row.NumField() {
		f := row.Field(k)
		f.Index = append(slices.Clone(place), k)
		switch {
		case f.Anonymous:
			fields = appendFields(fields, f.Type, f.Index)
		case f.Name == "_":
			meaning = append(meaning, f.Tag.Get("meaning"))
		default:
			text := f.Tag.Get("meaning")
			if len(meaning) > 0 {
				text = strings.Join(meaning, " ")
			}
			fields, meaning = append(fields, columnsOfField(row, f, text)...), nil
		}
	}
	return fields
}

// columnsOfField returns the field f of a row struct with its column or, if f is a struct, the fields of the
// struct with their columns.
func columnsOfField(row reflect.Type, f reflect.StructField, meaning string) []field {
	if _, isLabel := reflect.Zero(f.Type).Interface().(Labelled); isLabel || f.Type.Kind() != reflect.Struct {
		made := fieldOf(row, f)
		made.column.Meaning = meaning
		return []field{made}
	}
	name := f.Tag.Get("column")
	if name == "" {
		panic(fmt.Sprintf("data: the field %s of %v has no tag column", f.Name, row))
	}
	fields := appendFields(nil, f.Type, f.Index)
	for k := range fields {
		c := &fields[k].column
		c.Name = strings.ReplaceAll(c.Name, "@", name)
		c.Meaning = strings.ReplaceAll(c.Meaning, "@", meaning)
	}
	return fields
}

// fieldOf returns the field f of a row struct with its column. fieldOf panics if no column can hold the type
// of the field.
func fieldOf(row reflect.Type, f reflect.StructField) field {
	name, option, _ := strings.Cut(f.Tag.Get("column"), ",")
	made := field{absent: f.Tag.Get("otherwise"), place: f.Index}
	made.column = Column{Name: name, Former: f.Tag.Get("formerly"), Unit: f.Tag.Get("unit"),
		Nullable: option == "nullable"}
	made.open = option == "open"
	labelled, isLabel := reflect.Zero(f.Type).Interface().(Labelled)
	switch {
	case isLabel:
		made.column.Kind, made.column.Labels = Label, labelled.Labels()
		made.words = f.Type.Kind() == reflect.String
	case f.Type.Kind() == reflect.Int32:
		made.column.Kind = Int32
	case f.Type.Kind() == reflect.Int64:
		made.column.Kind = Int64
	case f.Type.Kind() == reflect.Float64:
		made.column.Kind = Float64
	case f.Type == reflect.TypeFor[[]float64]():
		made.column.Kind = Vector
	case f.Type == reflect.TypeFor[[][]float64]():
		made.column.Kind, made.repeated = Vector, true
	default:
		panic(fmt.Sprintf("data: the field %s of %v is a %v, which no column holds", f.Name, row, f.Type))
	}
	allowed := option == "" || made.column.Nullable && made.column.Kind == Float64 || made.open && made.words
	if name == "" || !allowed {
		panic(fmt.Sprintf("data: the field %s of %v has the tag column:%q", f.Name, row, f.Tag.Get("column")))
	}
	return made
}

// numbered returns the column of element k, counted from 0, of a field [][]float64 with vectors of the given
// length.
func (f field) numbered(k, length int) Column {
	column, number := f.column, strconv.Itoa(k+1)
	column.Name = strings.ReplaceAll(column.Name, "#", number)
	column.Meaning = strings.ReplaceAll(column.Meaning, "#", number)
	column.Length = length
	return column
}

// gather appends to columns the values of the field's columns in all rows.
func (f field) gather(columns []Values, rows reflect.Value) []Values {
	switch {
	case f.repeated:
		return f.gatherVectors(columns, rows)
	case f.words:
		return append(columns, collect(f, rows, func(v reflect.Value) int8 {
			// The code is -1, which no writer accepts, if the text is not a label.
			return int8(slices.Index(f.column.Labels, v.String()))
		}))
	}
	switch f.column.Kind {
	case Int32:
		return append(columns, collect(f, rows, func(v reflect.Value) int32 { return int32(v.Int()) }))
	case Int64:
		return append(columns, collect(f, rows, reflect.Value.Int))
	case Label:
		return append(columns, collect(f, rows, code))
	case Vector:
		var numbers Slice[float64]
		for i := range rows.Len() {
			numbers = append(numbers, rows.Index(i).FieldByIndex(f.place).Interface().([]float64)...)
		}
		return append(columns, numbers)
	default:
		return append(columns, collect(f, rows, reflect.Value.Float))
	}
}

// code returns the code of a label, its index, or -1 if the index is out of range.
func code(v reflect.Value) int8 {
	index := v.Int()
	if index < 0 || index > math.MaxInt8 {
		return -1
	}
	return int8(index)
}

// collect returns the values of the field in all rows.
func collect[T Value](f field, rows reflect.Value, get func(v reflect.Value) T) Slice[T] {
	values := make(Slice[T], rows.Len())
	for i := range values {
		values[i] = get(rows.Index(i).FieldByIndex(f.place))
	}
	return values
}

func (f field) gatherVectors(columns []Values, rows reflect.Value) []Values {
	var vectors []Slice[float64]
	for i := range rows.Len() {
		of := rows.Index(i).FieldByIndex(f.place).Interface().([][]float64)
		if vectors == nil {
			vectors = make([]Slice[float64], len(of))
		}
		for k, vector := range of {
			vectors[k] = append(vectors[k], vector...)
		}
	}
	for _, v := range vectors {
		columns = append(columns, v)
	}
	return columns
}

// scatter sets the field in all rows to the values of the field's column in a table.
func (f field) scatter(rows reflect.Value, t *Table) error {
	if f.repeated {
		return f.scatterVectors(rows, t)
	}
	index := t.Schema.Index(f.column.Name)
	if index < 0 && f.column.Former != "" {
		index = t.Schema.Index(f.column.Former)
	}
	if label := slices.Index(f.column.Labels, f.absent); index < 0 && label >= 0 && !f.words {
		for i := range rows.Len() {
			rows.Index(i).FieldByIndex(f.place).SetInt(int64(label))
		}
		return nil
	}
	if index < 0 {
		if !f.column.Nullable {
			return fmt.Errorf("there is no column %q", f.column.Name)
		}
		for i := range rows.Len() {
			rows.Index(i).FieldByIndex(f.place).SetFloat(math.NaN())
		}
		return nil
	}
	set, err := f.setter(t.Schema.Columns[index], t.Columns[index])
	if err != nil {
		return err
	}
	for i := range rows.Len() {
		set(rows.Index(i).FieldByIndex(f.place), i)
	}
	return nil
}

// setter returns a function that sets a field to the value of a column in a row.
func (f field) setter(column Column, values Values) (func(field reflect.Value, row int), error) {
	if column.Kind != f.column.Kind {
		return nil, fmt.Errorf("column %q has values of kind %v, not %v", column.Name, column.Kind,
			f.column.Kind)
	}
	switch v := values.(type) {
	case Slice[int32]:
		return func(field reflect.Value, row int) { field.SetInt(int64(v[row])) }, nil
	case Slice[int64]:
		return func(field reflect.Value, row int) { field.SetInt(v[row]) }, nil
	case Slice[float64]:
		if length := column.Length; column.Kind == Vector {
			return func(field reflect.Value, row int) {
				field.Set(reflect.ValueOf([]float64(v[row*length : (row+1)*length])))
			}, nil
		}
		return func(field reflect.Value, row int) { field.SetFloat(v[row]) }, nil
	default:
		return f.labelSetter(column, values.(Slice[int8]))
	}
}

// labelSetter returns a function that sets a field to the label of a column in a row. labelSetter finds
// labels by their names, because a file may have the labels in another order.
func (f field) labelSetter(column Column, codes Slice[int8]) (func(field reflect.Value, row int), error) {
	index := lists.Map(column.Labels, func(label string) int { return slices.Index(f.column.Labels, label) })
	for row, code := range codes {
		if code < 0 {
			return nil, fmt.Errorf("column %q, row %d: is null", column.Name, row)
		}
		if !f.open && index[code] < 0 {
			return nil, fmt.Errorf("column %q, row %d: %q is none of %s", column.Name, row,
				column.Labels[code], strings.Join(f.column.Labels, ", "))
		}
	}
	if f.words {
		return func(field reflect.Value, row int) { field.SetString(column.Labels[codes[row]]) }, nil
	}
	return func(field reflect.Value, row int) { field.SetInt(int64(index[codes[row]])) }, nil
}

func (f field) scatterVectors(rows reflect.Value, t *Table) error {
	for k := 0; ; k++ {
		name := f.numbered(k, 0).Name
		index := t.Schema.Index(name)
		if index < 0 {
			return nil
		}
		column := t.Schema.Columns[index]
		if column.Kind != Vector {
			return fmt.Errorf("column %q has values of kind %v, not %v", name, column.Kind, Vector)
		}
		numbers := t.Columns[index].(Slice[float64])
		for i := range rows.Len() {
			v := rows.Index(i).FieldByIndex(f.place)
			v.Set(reflect.Append(v, reflect.ValueOf([]float64(numbers[i*column.Length:(i+1)*column.Length]))))
		}
	}
}

// FiniteOrNaN returns x, or NaN (null) if x is infinite.
func FiniteOrNaN(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

// FiniteOrNil returns a pointer to a finite number x. For NaN and infinities, which JSON does not have,
// FiniteOrNil returns nil, which is null in JSON.
func FiniteOrNil(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
