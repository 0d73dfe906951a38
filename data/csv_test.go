package data

import (
	"encoding/csv"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"

	"antipode/sphere/must"
)

// special has what the forms of a table treat apart.
func special() *Table {
	return &Table{
		Schema: Schema{
			Columns: []Column{
				{Name: "n,m", Unit: "1", Meaning: "a count", Kind: Int64},
				{Name: "x", Kind: Float64, Nullable: true},
				{Name: "l", Kind: Label, Labels: []string{"a", "say \"b\"", "<c>\n"}},
				{Name: "v", Meaning: "state", Kind: Vector, Length: 2},
			},
			Metadata: []Entry{{KeyCommand, "phase"}, {KeyParameters, `{"a":1}`}},
		},
		Columns: []Values{
			Slice[int64]{1, -2, math.MaxInt64, 4}, Slice[float64]{math.NaN(), math.Inf(1), math.Inf(-1), 0.1},
			Slice[int8]{0, 1, 2, 0}, Slice[float64]{0, 1e300, math.Inf(1), -1, 0.1, 0.2, 3, 4},
		},
	}
}

// form writes the table in a file.
func form(t *testing.T, name, path string, rows int) string {
	t.Helper()
	var text strings.Builder
	must.Do(t, writers[name](mustOpen(t, path), &text, rows))
	return text.String()
}

func TestWriteCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	mustWrite(t, path, special())
	const want = `"n,m",x,l,v
1,,a,"[0,1e+300]"
-2,inf,"say ""b""","[""Infinity"",-1]"
9223372036854775807,-inf,"<c>
","[0.1,0.2]"
4,0.1,a,"[3,4]"
`
	if got := form(t, "csv", path, -1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := form(t, "csv", path, 100); got != want {
		t.Error("more rows than there are give something else")
	}
	if got := form(t, "csv", path, 0); got != "\"n,m\",x,l,v\n" {
		t.Errorf("no rows give %q", got)
	}
	if got := form(t, "csv", path, 1); got != want[:strings.Index(want, "-2,")] {
		t.Errorf("one row gives %q", got)
	}
}

// A reader of CSV takes an empty line for nothing, not for an empty field.
func TestCSVKeepsLoneNulls(t *testing.T) {
	path := arrowFile(t, arrow.PrimitiveTypes.Float64, "[1,null,3,null]")
	text := form(t, "csv", path, -1)
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(records) != 5 || records[2][0] != "" || records[3][0] != "3" {
		t.Errorf("%q is read as %q, %v", text, records, err)
	}
}

func TestCSVOfNullLabel(t *testing.T) {
	path := arrowFile(t, arrow.FixedWidthTypes.Boolean, "[true,null,false]")
	if got := form(t, "csv", path, -1); got != "\"a\nb\"\ntrue\n\"\"\nfalse\n" {
		t.Errorf("%q", got)
	}
}

// full is a writer without room.
type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

// An error of writing is reported wherever it occurs: in a line of names or a row that is longer than what is
// kept before it is written, or at the end.
func TestCSVReportsWriteErrors(t *testing.T) {
	long := strings.Repeat("n", 10_000)
	for _, c := range []struct{ name, label string }{{long, "a"}, {"n", long}, {"n", "a"}} {
		path := filepath.Join(t.TempDir(), "t.arrow")
		mustWrite(t, path, &Table{
			Schema: Schema{Columns: []Column{{Name: c.name, Meaning: "label", Kind: Label,
				Labels: []string{c.label}}}},
			Columns: []Values{Slice[int8]{0, 0}},
		})
		for _, rows := range []int{0, -1} {
			if err := mustOpen(t, path).WriteCSV(full{}, rows); err != errFull {
				t.Errorf("names of %d letters, %d rows of %d: error %v", len(c.name), rows, len(c.label), err)
			}
		}
	}
}
