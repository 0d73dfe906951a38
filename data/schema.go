package data

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// Kind is the type of a column's values.
type Kind int

// The kinds, each with the Go type that holds the values of n rows.
const (
	Int32   Kind = iota // []int32 of length n
	Int64               // []int64 of length n
	Float64             // []float64 of length n; NaN stands for null where the column is Nullable
	Label               // []int8 of length n: indices into Labels; -1 for null, in files of others only
	Vector              // []float64 of length n×Length, row after row; NaN for null, in files of others only
	Text                // []string of length n; only read, from files of others, null as ""
)

var kindNames = [...]string{"int32", "int64", "float64", "label", "vector", "text"}

// kindBytes is the memory of one Go value of each kind, a text without its
// bytes.
var kindBytes = [...]int{4, 8, 8, 1, 8, 16}

// String returns the kind's name in lower case, "kind(k)" for a number that is
// no kind.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind(%d)", int(k))
	}
	return kindNames[k]
}

// Column describes one column of a table.
type Column struct {
	Name     string   // not empty, and unlike every other name in the table
	Former   string   // its name in older files, which is not written; "" for the same
	Unit     string   // "" for a pure number
	Meaning  string   // one line for people
	Kind     Kind     // the type of its values
	Labels   []string // of a Label column: all it can hold, 1 to 127, all different
	Length   int      // of a Vector column: numbers in each row, 1 to 1,048,576
	Shape    []int    // of a Vector column read from lists in lists: how many items; Length is their product
	Nullable bool     // of a Float64 column: whether it may hold nulls, written as NaN in a []float64
}

// Entry is one item of a table's metadata.
type Entry struct {
	Key, Value string
}

// Keys of the metadata that describes a run. The writer of a table decides what they contain. They are
// optional.
const (
	KeyCommand    = "antipode.command"    // name of the command
	KeyParameters = "antipode.parameters" // JSON, enough to run it again
	KeySeed       = "antipode.seed"       // decimal integer
	KeyVersion    = "antipode.version"    // of the program
	KeyTable      = "antipode.table"      // which of the command's tables
)

// Schema describes a table: its columns and its metadata, both in order.
type Schema struct {
	Columns  []Column
	Metadata []Entry
	// Attributes are a JSON object of what pandas gives as attrs of the table that it reads; "" for none.
	Attributes string
}

// Index returns the position of the column with the given name, -1 if there is
// none.
func (s Schema) Index(name string) int {
	return slices.IndexFunc(s.Columns, func(c Column) bool { return c.Name == name })
}

// Value returns the value of the metadata entry with the given key, and
// whether there is one.
func (s Schema) Value(key string) (string, bool) {
	for _, entry := range s.Metadata {
		if entry.Key == key {
			return entry.Value, true
		}
	}
	return "", false
}

const (
	maxColumns = 10_000       // a bound on what a schema costs to read
	maxLabels  = math.MaxInt8 // codes are int8, never negative
	maxLength  = 1 << 20      // of a vector: keeps products with row counts inside int64
)

// validate reports the first thing that keeps the schema from being written.
func (s Schema) validate() error {
	if len(s.Columns) == 0 || len(s.Columns) > maxColumns {
		return fmt.Errorf("a table has 1 to %d columns, not %d", maxColumns, len(s.Columns))
	}
	names := map[string]bool{}
	for _, column := range s.Columns {
		if err := column.validate(); err != nil {
			return fmt.Errorf("column %q: %w", column.Name, err)
		}
		if names[column.Name] {
			return fmt.Errorf("two columns have the name %q", column.Name)
		}
		names[column.Name] = true
	}
	if s.Attributes != "" && attributesOf(s.Attributes) == nil {
		return fmt.Errorf("the attributes %.40q are no JSON object", s.Attributes)
	}
	return validateMetadata(s.Metadata)
}

func validateMetadata(entries []Entry) error {
	keys := map[string]bool{pandasKey: true}
	for _, entry := range entries {
		switch {
		case entry.Key == pandasKey:
			return fmt.Errorf("the metadata key %q is written by this package", pandasKey)
		case keys[entry.Key]:
			return fmt.Errorf("two metadata entries have the key %q", entry.Key)
		case entry.Key == "" || !utf8.ValidString(entry.Key) || !utf8.ValidString(entry.Value):
			return fmt.Errorf("the metadata entry %q is empty or not UTF-8", entry.Key)
		}
		keys[entry.Key] = true
	}
	return nil
}

func (c Column) validate() error {
	if c.Name == "" {
		return fmt.Errorf("the name is empty")
	}
	for _, text := range []string{c.Name, c.Unit, c.Meaning} {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%q is not UTF-8", text)
		}
	}
	switch {
	case c.Kind < Int32 || c.Kind > Vector:
		return fmt.Errorf("columns of kind %v cannot be written", c.Kind)
	case c.Nullable && c.Kind != Float64:
		return fmt.Errorf("only float64 columns can be nullable")
	case c.Kind != Label && len(c.Labels) > 0:
		return fmt.Errorf("only label columns have labels")
	case c.Kind != Vector && c.Length != 0:
		return fmt.Errorf("only vector columns have a length")
	case c.Kind == Vector && (c.Length < 1 || c.Length > maxLength):
		return fmt.Errorf("the length %d of a vector is not in 1..%d", c.Length, maxLength)
	case c.Kind == Label:
		return validateLabels(c.Labels)
	}
	return nil
}

func validateLabels(labels []string) error {
	if len(labels) < 1 || len(labels) > maxLabels {
		return fmt.Errorf("a label column has 1 to %d labels, not %d", maxLabels, len(labels))
	}
	seen := map[string]bool{}
	for _, label := range labels {
		if seen[label] || !utf8.ValidString(label) {
			return fmt.Errorf("the label %q is there twice or not UTF-8", label)
		}
		seen[label] = true
	}
	return nil
}

// width returns the number of Go values in one row of the column.
func (c Column) width() int {
	if c.Kind == Vector {
		return c.Length
	}
	return 1
}

// RowBytes returns the memory of one row, texts without their bytes.
func (s Schema) RowBytes() int {
	total := 0
	for _, column := range s.Columns {
		total += column.width() * kindBytes[column.Kind]
	}
	return total
}

const (
	maxBatchRows  = 65_536
	maxBatchBytes = 16 << 20
)

// batchRows returns the number of rows that are written and read at a time.
func (s Schema) batchRows() int {
	return max(1, min(maxBatchRows, maxBatchBytes/s.RowBytes()))
}
