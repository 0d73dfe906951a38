package data

import (
	"errors"
	"fmt"
)

// Codes of the types in an Arrow schema, as numbered by the Arrow format.
const (
	typeInteger  = 2
	typeFloating = 3
	typeText     = 5
	typeBoolean  = 6
	typeAnyList  = 12 // lists of different sizes
	typeList     = 16 // lists of a fixed size
	typeLongText = 20
	typeLongList = 21 // lists of different sizes, with 64-bit offsets
	typeTextView = 24
)

// mostNested is the greatest depth of lists inside lists that package data reads.
const mostNested = 4

var typeNames = [...]string{
	"none", "null", "integer", "floating point", "binary", "text", "boolean", "decimal", "date", "time",
	"timestamp", "interval", "list", "struct", "union", "fixed-size binary", "fixed-size list", "map",
	"duration", "large binary", "large text", "large list", "run-end encoded", "binary view", "text view",
	"list view", "large list view",
}

// errDamaged is the error for a file with contents that no writer would write.
var errDamaged = errors.New("is a damaged Arrow file")

func damaged(format string, values ...any) error {
	return fmt.Errorf("%w: %s", errDamaged, fmt.Sprintf(format, values...))
}

// storage describes how the values of one column are stored in an Arrow file.
type storage struct {
	name string
	// code of the type; for a column with a dictionary, of the type of the dictionary's values
	code       int
	bits       int      // number of bits of an integer or floating-point number
	signed     bool     // whether an integer has a sign
	length     int      // length of a list of a fixed size
	items      *storage // storage of the items of a list
	encoded    bool     // whether the column holds indices into a dictionary
	dictionary int64
	indexBits  int
}

// arrays returns the arrays that each batch of rows has for the column: one array, and a further array for
// the items of each level of lists.
func (s storage) arrays() []arrayStorage {
	if s.encoded {
		return []arrayStorage{{perRow: 1, bits: s.indexBits}}
	}
	return s.values()
}

// values returns the arrays that hold the values of the column: in the batches of rows, or in the dictionary
// of the column.
func (s storage) values() []arrayStorage {
	switch s.code {
	case typeText:
		return []arrayStorage{{perRow: 1, offsetBytes: 4}}
	case typeLongText:
		return []arrayStorage{{perRow: 1, offsetBytes: 8}}
	case typeList:
		return append([]arrayStorage{{perRow: 1}}, s.items.inList(int64(s.length))...)
	case typeAnyList:
		return append([]arrayStorage{{perRow: 1, offsetBytes: 4, list: true}}, s.items.inList(anyLength)...)
	case typeLongList:
		return append([]arrayStorage{{perRow: 1, offsetBytes: 8, list: true}}, s.items.inList(anyLength)...)
	default:
		return []arrayStorage{{perRow: 1, bits: s.bits}}
	}
}

// isList reports whether the values of the column are lists.
func (s storage) isList() bool {
	return s.code == typeList || s.code == typeAnyList || s.code == typeLongList
}

// inList returns the arrays of the column's values, where the values are items of lists of the given length.
func (s storage) inList(length int64) []arrayStorage {
	arrays := s.values()
	arrays[0].perRow, arrays[0].inList = length, true
	return arrays
}

// anyLength stands for the length of lists of different lengths.
const anyLength = -1

// arrayStorage describes the buffers of an Arrow array: a validity bitmap, followed by values of a number of
// bits, by offsets and the bytes of texts, by offsets alone, or by nothing.
type arrayStorage struct {
	perRow      int64 // entries per row, or per list of the previous array
	inList      bool
	bits        int
	offsetBytes int
	list        bool // whether the array is a list, with offsets but no bytes after them
}

// buffers returns the least number of bytes of each buffer of an array with a length and a number of nulls.
func (a arrayStorage) buffers(length, nulls int64) []int64 {
	validity := int64(0)
	if nulls > 0 {
		validity = (length + 7) / 8
	}
	switch {
	case a.list && length == 0:
		return []int64{validity, 0}
	case a.list:
		return []int64{validity, (length + 1) * int64(a.offsetBytes)}
	case a.offsetBytes > 0 && length == 0:
		return []int64{validity, 0, 0}
	case a.offsetBytes > 0:
		return []int64{validity, (length + 1) * int64(a.offsetBytes), 0}
	case a.bits > 0:
		return []int64{validity, (length*int64(a.bits) + 7) / 8}
	default:
		return []int64{validity}
	}
}

// Indices of the fields of the tables that describe an Arrow schema.
const (
	schemaEndianness, schemaFields, schemaMetadata = 0, 1, 2

	fieldName, fieldTypeCode, fieldType, fieldDictionary, fieldChildren, fieldMetadata = 0, 2, 3, 4, 5, 6

	encodingID, encodingIndex = 0, 1

	integerBits, integerSigned = 0, 1
	floatingPrecision          = 0
	listLength                 = 0
)

// readSchema checks the schema of an Arrow file and returns how the values of each column are stored.
func readSchema(schema flatTable) ([]storage, error) {
	if schema.number(schemaEndianness, 2) != 0 && !schema.damaged {
		return nil, errors.New("has big-endian numbers, which are not supported")
	}
	var columns []storage
	names := map[string]bool{}
	for field := range schema.tables(schemaFields) {
		column, err := readField(field)
		switch {
		case schema.damaged:
			return nil, damaged("its schema is broken")
		case err != nil:
			return nil, err
		case names[column.name]:
			return nil, fmt.Errorf("has two columns with the name %q", column.name)
		case len(columns) == maxColumns:
			return nil, fmt.Errorf("has more than %d columns", maxColumns)
		}
		names[column.name] = true
		columns = append(columns, column)
	}
	visitMetadata(schema, schemaMetadata)
	switch {
	case schema.damaged:
		return nil, damaged("its schema is broken")
	case len(columns) == 0:
		return nil, errors.New("has no columns")
	}
	return columns, nil
}

// visitMetadata reads every entry of the metadata in a field of t, so that damage to the metadata is found.
func visitMetadata(t flatTable, index int) {
	for entry := range t.tables(index) {
		entry.text(0)
		entry.text(1)
	}
}

func readField(field flatTable) (storage, error) {
	s, err := readNested(field, 0)
	if err != nil {
		return s, err
	}
	return s, s.readEncoding(field)
}

// readNested reads how the values of a column are stored, given the column's field of the schema. The values
// may be lists of lists.
func readNested(field flatTable, depth int) (storage, error) {
	s, err := readType(field)
	if err != nil {
		return s, err
	}
	children := 0
	for child := range field.tables(fieldChildren) {
		children++
		if depth == mostNested {
			return s, fmt.Errorf("has lists in lists in lists in column %q, which are not supported", s.name)
		}
		items, err := readNested(child, depth+1)
		if err != nil {
			return s, err
		}
		if items.code != typeInteger && items.code != typeFloating && !items.isList() ||
			hasField(child, fieldDictionary) {
			return s, fmt.Errorf("has lists of something other than numbers in column %q, "+
				"which are not supported", s.name)
		}
		s.items = &items
	}
	if s.isList() != (children == 1) || children > 1 {
		return s, damaged("column %q has %d parts", s.name, children)
	}
	return s, nil
}

// hasField reports whether the table t has the field with the given index.
func hasField(t flatTable, index int) bool { return t.field(index, 4) >= 0 }

// readType reads how the values of a column are stored, without the items of lists, given the column's field
// of the schema.
func readType(field flatTable) (storage, error) {
	visitMetadata(field, fieldMetadata)
	s := storage{name: field.text(fieldName), code: int(field.number(fieldTypeCode, 1))}
	details, ok := field.table(fieldType)
	if !ok || s.code < 0 || s.code >= len(typeNames) {
		return s, damaged("column %q has no type", s.name)
	}
	switch s.code {
	case typeText, typeLongText, typeAnyList, typeLongList:
	case typeBoolean:
		s.bits = 1
	case typeInteger:
		s.bits, s.signed = int(details.number(integerBits, 4)), details.number(integerSigned, 1) != 0
	case typeFloating:
		s.bits = 16 << min(uint(details.number(floatingPrecision, 2)), 8)
	case typeList:
		s.length = int(details.number(listLength, 4))
	case typeTextView:
		return s, fmt.Errorf("has texts in the form of Polars in column %q, which is not supported; "+
			"write_ipc(..., compat_level=polars.CompatLevel.oldest()) writes another", s.name)
	default:
		return s, fmt.Errorf("has values of type %s in column %q, which are not supported", typeNames[s.code],
			s.name)
	}
	if s.code == typeInteger && !wholeBytes(s.bits) || s.bits > 64 {
		return s, damaged("column %q has numbers of %d bits", s.name, s.bits)
	}
	if s.code == typeList && (s.length < 1 || s.length > maxLength) {
		return s, fmt.Errorf("has lists of length %d in column %q, which are not supported", s.length, s.name)
	}
	return s, nil
}

func wholeBytes(bits int) bool {
	return bits == 8 || bits == 16 || bits == 32 || bits == 64
}

// readEncoding reads whether, and how, a column uses a dictionary, given the column's field of the schema.
func (s *storage) readEncoding(field flatTable) error {
	encoding, ok := field.table(fieldDictionary)
	if !ok {
		return nil
	}
	index, ok := encoding.table(encodingIndex)
	s.encoded = true
	s.dictionary = encoding.number(encodingID, 8)
	s.indexBits = int(index.number(integerBits, 4))
	switch {
	case !ok || !wholeBytes(s.indexBits):
		return damaged("the dictionary of column %q has no index type", s.name)
	case s.code != typeText && s.code != typeLongText:
		return fmt.Errorf("has a dictionary of something other than texts in column %q, "+
			"which is not supported", s.name)
	}
	return nil
}
