package data

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// Kind is the type of the values of a column.
type Kind int

// The kinds of columns. The comment of a kind gives the Go type that holds the values of n rows.
const (
	Int32   Kind = iota // []int32 of length n
	Int64               // []int64 of length n
	Float64             // []float64 of length n; NaN stands for null if the column is Nullable
	// []int8 of length n: indices into Labels, or -1 for null, which only files of other programs have
	Label
	// []float64 of length n×Length, row after row; NaN for null, see IsNull, which only files of other
	// programs have
	Vector
	// []string of length n, "" for null; only in files of other programs, and cannot be written
	Text
)

var kindNames = [...]string{"int32", "int64", "float64", "label", "vector", "text"}

// kindBytes is the memory in bytes of one Go value of each kind, which for a text excludes the bytes of the
// text.
var kindBytes = [...]int{4, 8, 8, 1, 8, 16}

// String returns the name of the kind of a column in lower case, or "kind(k)" for a number k that is not a
// kind.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind(%d)", int(k))
	}
	return kindNames[k]
}

// Column describes one column of a table.
type Column struct {
	Name    string   // not empty, and different from all other names in the table
	Former  string   // name in older files, which is not written; "" if it is the same
	Unit    string   // "" for a pure number
	Meaning string   // one line for people
	Kind    Kind     // the type of the column's values
	Labels  []string // all labels that a Label column can hold: 1 to 127, all different
	Length  int      // numbers in each row of a Vector column: 1 to 1,048,576
	// Shape is the lengths of nested lists, for a Vector column read from lists of lists; Length is the
	// product of Shape.
	Shape    []int
	Nullable bool // whether a Float64 column may hold nulls, written as NaN in a []float64
}

// Entry is one entry of the metadata of a table.
type Entry struct {
	Key, Value string
}

// Keys of the metadata that describe a run. All keys are optional. The writer of a table decides what the
// values of these keys are.
const (
	KeyCommand    = "antipode.command"    // name of the command that wrote the table
	KeyParameters = "antipode.parameters" // parameters of the run as JSON, sufficient to repeat the run
	KeySeed       = "antipode.seed"       // seed of the run as a decimal integer
	KeyVersion    = "antipode.version"    // version of the program that wrote the table
	KeyTable      = "antipode.table"      // name of the table, if the command has several
)

// Schema describes a table by its columns and its metadata, in their order in the file.
type Schema struct {
	Columns  []Column
	Metadata []Entry
	// Attributes is the JSON object from which pandas sets the attribute attrs of the table; "" for no
	// attributes.
	Attributes string
}

// Index returns the position of the column with the given name, or -1 if there is no such column.
func (s Schema) Index(name string) int {
	return slices.IndexFunc(s.Columns, func(c Column) bool { return c.Name == name })
}

// Value returns the value of the metadata entry with the given key, and whether the metadata have such an
// entry.
func (s Schema) Value(key string) (string, bool) {
	for _, entry := range s.Metadata {
		if entry.Key == key {
			return entry.Value, true
		}
	}
	return "", false
}

const (
	maxColumns = 10_000       // bounds the work of reading a schema
	maxLabels  = math.MaxInt8 // codes of labels are int8 and not negative
	maxLength  = 1 << 20      // of a vector: its products with numbers of rows do not overflow int64
)

// validate returns an error that states the first reason why a table with the schema cannot be written, or
// nil.
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

// width returns the number of Go values of the column in one row.
func (c Column) width() int {
	if c.Kind == Vector {
		return c.Length
	}
	return 1
}

// RowBytes returns the memory of one row of the table in bytes, without the bytes of texts.
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

// batchRows returns the number of rows of a batch, the rows that are written or read together.
func (s Schema) batchRows() int {
	return max(1, min(maxBatchRows, maxBatchBytes/s.RowBytes()))
}
