package data

import (
	"math"

	"antipode/internal/lists"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

const (
	unitKey    = "unit"
	meaningKey = "meaning"
)

var labelType = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8,
	ValueType: arrow.BinaryTypes.String}

// encoder turns the values of one batch of rows into an Arrow record without copying: Arrow reads the memory
// of the caller until the record is written.
type encoder struct {
	columns      []Column
	schema       *arrow.Schema
	dictionaries []arrow.Array // of Label columns; nil for other columns
}

func newEncoder(schema Schema) *encoder {
	e := &encoder{columns: schema.Columns, dictionaries: make([]arrow.Array, len(schema.Columns))}
	fields := make([]arrow.Field, len(schema.Columns))
	for i, column := range schema.Columns {
		fields[i] = arrow.Field{
			Name:     column.Name,
			Type:     column.arrowType(),
			Nullable: column.Nullable,
			Metadata: column.arrowMetadata(),
		}
		if column.Kind == Label {
			e.dictionaries[i] = labelDictionary(column.Labels)
		}
	}
	metadata := schema.arrowMetadata()
	e.schema = arrow.NewSchema(fields, &metadata)
	return e
}

func (c Column) arrowType() arrow.DataType {
	switch c.Kind {
	case Int32:
		return arrow.PrimitiveTypes.Int32
	case Int64:
		return arrow.PrimitiveTypes.Int64
	case Label:
		return labelType
	case Vector:
		return arrow.FixedSizeListOfNonNullable(int32(c.Length), arrow.PrimitiveTypes.Float64)
	default:
		return arrow.PrimitiveTypes.Float64
	}
}

func (c Column) arrowMetadata() arrow.Metadata {
	var keys, values []string
	for _, entry := range []Entry{{unitKey, c.Unit}, {meaningKey, c.Meaning}} {
		if entry.Value != "" {
			keys, values = append(keys, entry.Key), append(values, entry.Value)
		}
	}
	return arrow.NewMetadata(keys, values)
}

func (s Schema) arrowMetadata() arrow.Metadata {
	keys := lists.Map(s.Metadata, func(entry Entry) string { return entry.Key })
	values := lists.Map(s.Metadata, func(entry Entry) string { return entry.Value })
	return arrow.NewMetadata(append(keys, pandasKey), append(values, s.pandasMetadata()))
}

func labelDictionary(labels []string) arrow.Array {
	builder := array.NewStringBuilder(memory.NewGoAllocator())
	builder.AppendValues(labels, nil)
	return builder.NewArray()
}

// record returns an Arrow record of the checked values of the columns in the given number of rows.
func (e *encoder) record(columns []Values, rows int) arrow.Record {
	arrays := make([]arrow.Array, len(columns))
	for i, column := range e.columns {
		arrays[i] = column.array(columns[i], rows, e.dictionaries[i])
	}
	return array.NewRecord(e.schema, arrays, int64(rows))
}

func (c Column) array(values Values, rows int, dictionary arrow.Array) arrow.Array {
	switch v := values.(type) {
	case Slice[int32]:
		return wrap(arrow.PrimitiveTypes.Int32, arrow.Int32Traits.CastToBytes(v), rows)
	case Slice[int64]:
		return wrap(arrow.PrimitiveTypes.Int64, arrow.Int64Traits.CastToBytes(v), rows)
	case Slice[int8]:
		codes := wrap(arrow.PrimitiveTypes.Int8, arrow.Int8Traits.CastToBytes(v), rows)
		return array.NewDictionaryArray(labelType, codes, dictionary)
	default:
		numbers := values.(Slice[float64])
		if c.Kind == Vector {
			items := wrap(arrow.PrimitiveTypes.Float64, arrow.Float64Traits.CastToBytes(numbers),
				len(numbers))
			return array.NewFixedSizeListData(array.NewData(c.arrowType(), rows,
				[]*memory.Buffer{nil}, []arrow.ArrayData{items.Data()}, 0, 0))
		}
		return nullable(numbers)
	}
}

func wrap(kind arrow.DataType, bytes []byte, rows int) arrow.Array {
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(bytes)}
	return array.MakeFromData(array.NewData(kind, rows, buffers, nil, 0, 0))
}

// nullable returns an Arrow array of numbers, with null for NaN. For numbers with a NaN, nullable adds a
// validity bitmap and copies the numbers: a NaN has different bits on different machines, but equal tables
// must give equal files.
func nullable(numbers []float64) arrow.Array {
	nulls := lists.Count(numbers, math.IsNaN)
	bytes := arrow.Float64Traits.CastToBytes(numbers)
	if nulls == 0 {
		return wrap(arrow.PrimitiveTypes.Float64, bytes, len(numbers))
	}
	valid := make([]byte, (len(numbers)+63)/64*8)
	masked := make([]float64, len(numbers))
	for i, x := range numbers {
		if math.IsNaN(x) {
			masked[i] = math.NaN()
			continue
		}
		masked[i] = x
		valid[i/8] |= 1 << (i % 8)
	}
	buffers := []*memory.Buffer{memory.NewBufferBytes(valid),
		memory.NewBufferBytes(arrow.Float64Traits.CastToBytes(masked))}
	return array.MakeFromData(array.NewData(arrow.PrimitiveTypes.Float64, len(numbers), buffers, nil, nulls,
		0))
}
