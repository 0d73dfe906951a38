package data

import "testing"

// The text was checked with pandas 3.1 and pyarrow 26: read_feather gives
// int32, int64, float64, category and object (an array in each row) and numbers
// the rows.
func TestPandasMetadata(t *testing.T) {
	schema := Schema{Columns: []Column{
		{Name: "n", Kind: Int32}, {Name: "k", Kind: Int64}, {Name: "x", Kind: Float64},
		{Name: "a\"b", Kind: Label, Labels: []string{"u", "v"}}, {Name: "y", Kind: Vector, Length: 2},
	}}
	const want = `{"index_columns":[],"column_indexes":[],"columns":[` +
		`{"name":"n","field_name":"n","pandas_type":"int32","numpy_type":"int32","metadata":null},` +
		`{"name":"k","field_name":"k","pandas_type":"int64","numpy_type":"int64","metadata":null},` +
		`{"name":"x","field_name":"x","pandas_type":"float64","numpy_type":"float64","metadata":null},` +
		`{"name":"a\"b","field_name":"a\"b","pandas_type":"categorical","numpy_type":"int8",` +
		`"metadata":{"num_categories":2,"ordered":false}},` +
		`{"name":"y","field_name":"y","pandas_type":"list[float64]","numpy_type":"object","metadata":null}],` +
		`"attributes":{},"creator":{"checksum":"crc32c","library":"antipode"}}`
	if got := schema.pandasMetadata(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
