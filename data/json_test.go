package data

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"

	"antipode/sphere/must"
)

func TestWriteJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	mustWrite(t, path, special())
	const want = `{"metadata":{
"antipode.command":"phase",
"antipode.parameters":"{\"a\":1}"},
"columns":[
{"name":"n,m","type":"int64","unit":"1","meaning":"a count"},
{"name":"x","type":"float64","unit":"","meaning":"","nullable":true},
{"name":"l","type":"label","unit":"","meaning":"","labels":["a","say \"b\"","<c>\n"]},
{"name":"v","type":"vector","unit":"","meaning":"state","length":2}],
"rows":[
{"n,m":1,"x":null,"l":"a","v":[0,1e+300]},
{"n,m":-2,"x":"Infinity","l":"say \"b\"","v":["Infinity",-1]},
{"n,m":9223372036854775807,"x":"-Infinity","l":"<c>\n","v":[0.1,0.2]},
{"n,m":4,"x":0.1,"l":"a","v":[3,4]}
]}
`
	got := form(t, "json", path, -1)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	_, lines, _ := strings.Cut(strings.TrimSuffix(want, "]}\n"), "\"rows\":[\n")
	if got := form(t, "lines", path, -1); got != strings.ReplaceAll(lines, "},\n", "}\n") {
		t.Errorf("lines\n%s", got)
	}
	for rows, count := range map[int]int{-1: 4, 0: 0, 1: 1, 3: 3, 4: 4, 5: 4} {
		var table struct{ Rows []map[string]any }
		if err := json.Unmarshal([]byte(form(t, "json", path, rows)), &table); err != nil ||
			len(table.Rows) != count || table.Rows == nil {
			t.Errorf("%d rows asked for: %d, %v", rows, len(table.Rows), err)
		}
	}
}

func TestJSONOfNulls(t *testing.T) {
	for _, test := range []struct {
		kind         arrow.DataType
		values, want string
	}{
		{arrow.FixedWidthTypes.Boolean, `[true,null]`, `[{"a\nb":"true"},{"a\nb":null}]`},
		{arrow.PrimitiveTypes.Float32, `[0.5,null]`, `[{"a\nb":0.5},{"a\nb":null}]`},
		{arrow.BinaryTypes.String, `["\u0000\u2028<",null]`, `[{"a\nb":"\u0000\u2028<"},{"a\nb":""}]`},
		{arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int8), `[[1,null],null]`,
			`[{"a\nb":[1,null]},{"a\nb":[null,null]}]`},
	} {
		var got struct{ Rows any }
		must.Do(t, json.Unmarshal([]byte(form(t, "json", arrowFile(t, test.kind, test.values), -1)),
			&got))
		var want any
		must.Do(t, json.Unmarshal([]byte(test.want), &want))
		if !reflect.DeepEqual(got.Rows, want) {
			t.Errorf("%v: %v, want %v", test.kind, got.Rows, want)
		}
	}
}
