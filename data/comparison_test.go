package data

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"antipode/data/durable"
	"antipode/sphere/must"
)

// compare compares rows with those of a table in a file.
func compare(t *testing.T, there, now *Table) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "there.arrow")
	must.Do(t, WriteFile(path, there))
	r := must.Get(Open(path))(t)
	defer r.Close()
	c, err := NewComparison(r, now.Schema)
	if err != nil {
		return err
	}
	return durable.Join(c.Write(now.Columns...), c.Close())
}

// oneColumn is a table of one column.
func oneColumn(column Column, values Values) *Table {
	return &Table{Schema: Schema{Columns: []Column{column}}, Columns: []Values{values}}
}

// Labels are compared as texts, whatever codes two tables have for them.
func TestCompareLabels(t *testing.T) {
	labels := func(labels ...string) Column { return Column{Name: "verdict", Kind: Label, Labels: labels} }
	now := oneColumn(labels("holds", "fails", "undecided"), Slice[int8]{0, 1, 2})
	for _, c := range []struct {
		name   string
		labels []string
		codes  Slice[int8]
		want   string // "" for no error
	}{
		{"the same", []string{"holds", "fails", "undecided"}, Slice[int8]{0, 1, 2}, ""},
		{"another order", []string{"undecided", "fails", "holds"}, Slice[int8]{2, 1, 0}, ""},
		{"more labels", []string{"x", "holds", "fails", "undecided"}, Slice[int8]{1, 2, 3}, ""},
		{"the same codes of other labels", []string{"fails", "holds", "undecided"}, Slice[int8]{0, 1, 2},
			`row 0, column verdict: "fails" in the file, "holds" now`},
		{"fewer labels", []string{"holds"}, Slice[int8]{0, 0, 0},
			`row 1, column verdict: "holds" in the file, "fails" now`},
		{"an empty label", []string{"holds", "", "undecided"}, Slice[int8]{0, 1, 2},
			`row 1, column verdict: "" in the file, "fails" now`},
	} {
		err := compare(t, oneColumn(labels(c.labels...), c.codes), now)
		if got := errorText(err); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: error %q, want %q", c.name, got, c.want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Other columns are refused before the first row.
func TestCompareOtherColumns(t *testing.T) {
	x := Column{Name: "x", Kind: Int64}
	now := oneColumn(x, Slice[int64]{3})
	vector := oneColumn(Column{Name: "x", Kind: Vector, Length: 2}, Slice[float64]{1, 2})
	wider := oneColumn(Column{Name: "x", Kind: Vector, Length: 1}, Slice[float64]{1})
	for _, c := range []struct {
		there, now *Table
		want       string
	}{
		{oneColumn(x, Slice[int64]{3}), now, ""},
		{oneColumn(x, Slice[int64]{4}), now, "row 0, column x: 4 in the file, 3 now"},
		{oneColumn(Column{Name: "y", Kind: Int64}, Slice[int64]{3}), now,
			"has the column y in the place of x"},
		{oneColumn(Column{Name: "x", Kind: Int32}, Slice[int32]{3}), now, "values of kind int32, not int64"},
		{vector, wider, "vectors of length 2, not 1"},
		{&Table{Schema: Schema{Columns: []Column{x, {Name: "y", Kind: Int64}}},
			Columns: []Values{Slice[int64]{3}, Slice[int64]{3}}}, now, "has 2 columns, not 1"},
		{oneColumn(Column{Name: "x", Kind: Float64, Nullable: true}, Slice[float64]{math.NaN()}),
			oneColumn(Column{Name: "x", Kind: Float64}, Slice[float64]{2}), "null in the file, 2 now"},
	} {
		got := errorText(compare(t, c.there, c.now))
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("error %q, want %q", got, c.want)
		}
	}
}

// Rows whose columns do not fit the schema are refused before they are compared.
func TestCompareWithoutColumns(t *testing.T) {
	table := oneColumn(Column{Name: "x", Kind: Float64}, Slice[float64]{1, 2})
	path := filepath.Join(t.TempDir(), "there.arrow")
	must.Do(t, WriteFile(path, table))
	r := must.Get(Open(path))(t)
	defer r.Close()
	c := must.Get(NewComparison(r, table.Schema))(t)
	if err := c.Write(); err == nil {
		t.Error("no columns are compared with one")
	}
}
