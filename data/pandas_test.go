package data

import (
	"path/filepath"
	"testing"

	"antipode/sphere/must"
)

// The text was checked with pandas 3.1 and pyarrow 26: read_feather gives
// int32, int64, float64, category and object (an array in each row) and numbers
// the rows.
func TestPandasMetadata(t *testing.T) {
	schema := Schema{Columns: []Column{
		{Name: "n", Kind: Int32}, {Name: "k", Kind: Int64}, {Name: "x", Kind: Float64},
		{Name: "a\"b", Kind: Label, Labels: []string{"u", "v"}}, {Name: "y", Kind: Vector, Length: 2},
	}}
	schema.Attributes = `{ "seed": 3 }`
	const want = `{"index_columns":[],"column_indexes":[],"columns":[` +
		`{"name":"n","field_name":"n","pandas_type":"int32","numpy_type":"int32","metadata":null},` +
		`{"name":"k","field_name":"k","pandas_type":"int64","numpy_type":"int64","metadata":null},` +
		`{"name":"x","field_name":"x","pandas_type":"float64","numpy_type":"float64","metadata":null},` +
		`{"name":"a\"b","field_name":"a\"b","pandas_type":"categorical","numpy_type":"int8",` +
		`"metadata":{"num_categories":2,"ordered":false}},` +
		`{"name":"y","field_name":"y","pandas_type":"list[float64]","numpy_type":"object",` +
		`"metadata":null}],` +
		`"attributes":{"seed":3},"creator":{"checksum":"crc32c","library":"antipode"}}`
	if got := schema.pandasMetadata(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Attributes come back in their compact form, and what is no object is none.
func TestAttributes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	schema := Schema{Columns: []Column{{Name: "n", Kind: Int32}},
		Attributes: `{"seed": 18446744073709551615, "ε":[0.5]}`}
	must.Do(t, WriteFile(path, NewTable(schema)))
	read, err := ReadFile(path)
	if err != nil || read.Schema.Attributes != `{"seed":18446744073709551615,"ε":[0.5]}` {
		t.Errorf("%q, %v", read.Schema.Attributes, err)
	}
	for _, text := range []string{"x", "[]", "null", "3", `{"a":}`, `{"a":1} {}`} {
		schema.Attributes = text
		if err := WriteFile(path, NewTable(schema)); err == nil {
			t.Errorf("%q is written", text)
		}
		if got := readAttributes(`{"attributes":` + text + "}"); got != "" {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}
