package data

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"antipode/sphere/must"
)

type colour int8

func (colour) Labels() []string { return []string{"red", "green", "blue"} }

type animal string

func (animal) Labels() []string { return []string{"cat", "dog"} }

type point struct {
	Dim  int32   `column:"dim" meaning:"dimension"`
	Beta float64 `column:"beta" unit:"1/score" meaning:"inverse temperature"`
}

type fullRow struct {
	point
	Count  int64       `column:"count" unit:"trajectories"`
	Limit  float64     `column:"p_limit,nullable" formerly:"p_old"`
	Colour colour      `column:"colour"`
	Animal animal      `column:"animal"`
	Tokens [][]float64 `column:"x#" meaning:"token #"`
}

func fullRows() []fullRow {
	return []fullRow{
		{point{3, 0.25}, 7, 0.5, 2, "dog", [][]float64{{1, 2, 3}, {4, 5, 6}}},
		{point{-4, math.Inf(1)}, 1 << 40, math.NaN(), 0, "cat", [][]float64{{7, 8, 9}, {-1, -2, -3}}},
	}
}

func fullTable() *Table {
	return &Table{Schema: Schema{Columns: []Column{
		{Name: "dim", Kind: Int32, Meaning: "dimension"},
		{Name: "beta", Kind: Float64, Unit: "1/score", Meaning: "inverse temperature"},
		{Name: "count", Kind: Int64, Unit: "trajectories"},
		{Name: "p_limit", Kind: Float64, Nullable: true},
		{Name: "colour", Kind: Label, Labels: []string{"red", "green", "blue"}},
		{Name: "animal", Kind: Label, Labels: []string{"cat", "dog"}},
		{Name: "x1", Kind: Vector, Length: 3, Meaning: "token 1"},
		{Name: "x2", Kind: Vector, Length: 3, Meaning: "token 2"},
	}}, Columns: []Values{
		Slice[int32]{3, -4}, Slice[float64]{0.25, math.Inf(1)}, Slice[int64]{7, 1 << 40},
		Slice[float64]{0.5, math.NaN()},
		Slice[int8]{2, 0}, Slice[int8]{1, 0}, Slice[float64]{1, 2, 3, 7, 8, 9}, Slice[float64]{4, 5, 6, -1,
			-2, -3},
	}}
}

func TestRowsDeclareTheirColumns(t *testing.T) {
	got := ColumnsOf[fullRow](Shape{Count: 2, Length: 3})
	want := fullTable().Schema.Columns
	want[3].Former = "p_old"
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nnot %+v", got, want)
	}
}

// The columns of a struct that is a field have its name and meaning, also through another struct.
func TestRowsOfStructs(t *testing.T) {
	type interval struct {
		Low  float64 `column:"@_low,nullable" meaning:"least @"`
		High float64 `column:"@_high,nullable" meaning:"greatest @"`
	}
	type pair struct {
		First interval `column:"@1" meaning:"first @"`
	}
	type row struct {
		_     struct{} `meaning:"time of"`
		_     struct{} `meaning:"arrival"`
		Time  interval `column:"t"`
		Pairs pair     `column:"x" meaning:"token"`
	}
	want := []Column{
		{Name: "t_low", Kind: Float64, Nullable: true, Meaning: "least time of arrival"},
		{Name: "t_high", Kind: Float64, Nullable: true, Meaning: "greatest time of arrival"},
		{Name: "x1_low", Kind: Float64, Nullable: true, Meaning: "least first token"},
		{Name: "x1_high", Kind: Float64, Nullable: true, Meaning: "greatest first token"},
	}
	table := NewTable(Schema{Columns: ColumnsOf[row]()})
	if !reflect.DeepEqual(table.Schema.Columns, want) {
		t.Errorf("%+v\nnot %+v", table.Schema.Columns, want)
	}
	rows := []row{{Time: interval{1, 2}, Pairs: pair{interval{3, 4}}}}
	must.Do(t, WriteRows(table, rows...))
	if got, err := RowsOf[row](table); err != nil || !reflect.DeepEqual(got, rows) {
		t.Errorf("%v, want %v; %v", got, rows, err)
	}
	if low := NullRow[row]().Pairs.First.Low; low == low {
		t.Errorf("%v is not null", low)
	}
	defer func() {
		if recover() == nil {
			t.Error("a struct without a name has columns")
		}
	}()
	ColumnsOf[struct{ Time interval }]()
}

func TestWriteRows(t *testing.T) {
	got := NewTable(fullTable().Schema)
	must.Do(t, WriteRows(got, fullRows()...))
	sameTables(t, got, fullTable())
}

// A field []float64 is one column of vectors.
func TestRowsWithVectors(t *testing.T) {
	type row struct {
		Vector []float64 `column:"values" unit:"m" meaning:"some numbers"`
		Number int64     `column:"n"`
	}
	table := NewTable(Schema{Columns: []Column{
		{Name: "values", Kind: Vector, Length: 2, Unit: "m", Meaning: "some numbers"},
		{Name: "n", Kind: Int64},
	}})
	if got := ColumnsOf[row](Shape{Count: 9, Length: 2}); !reflect.DeepEqual(got, table.Schema.Columns) {
		t.Errorf("%+v\nnot %+v", got, table.Schema.Columns)
	}
	rows := []row{{[]float64{1, 2}, 5}, {[]float64{3, -4}, 6}}
	must.Do(t, WriteRows(table, rows...))
	want := []Values{Slice[float64]{1, 2, 3, -4}, Slice[int64]{5, 6}}
	if !reflect.DeepEqual(table.Columns, want) {
		t.Errorf("%v, want %v", table.Columns, want)
	}
	if got, err := RowsOf[row](table); err != nil || !reflect.DeepEqual(got, rows) {
		t.Errorf("%v, want %v; %v", got, rows, err)
	}
	type other struct {
		Missing []float64 `column:"x"`
	}
	if _, err := RowsOf[other](table); err == nil {
		t.Error("a column that is not there is read")
	}
	type scalar struct {
		Vector float64 `column:"values"`
	}
	if _, err := RowsOf[scalar](table); err == nil {
		t.Error("vectors are read as numbers")
	}
}

// sameTables compares values, of which NaN equals NaN.
func sameTables(t *testing.T, got, want *Table) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "want.arrow")
	must.Do(t, WriteFile(path, want))
	r := must.Get(Open(path))(t)
	defer r.Close()
	c := must.Get(NewComparison(r, got.Schema))(t)
	if err := c.Write(got.Columns...); err != nil {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestRowsOfTable(t *testing.T) {
	rows := must.Get(RowsOf[fullRow](fullTable()))(t)
	want := fullRows()
	if !math.IsNaN(rows[1].Limit) {
		t.Errorf("null is read as %v", rows[1].Limit)
	}
	rows[1].Limit, want[1].Limit = 0, 0
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("%+v\nnot %+v", rows, want)
	}
}

// A label that is none of the type's is refused, unless the field is open to other labels.
func TestOtherLabels(t *testing.T) {
	type open struct {
		Animal animal `column:"animal,open"`
	}
	type closed struct {
		Animal animal `column:"animal"`
	}
	column := Column{Name: "animal", Kind: Label, Labels: []string{"yeti"}}
	table := &Table{Schema: Schema{Columns: []Column{column}}, Columns: []Values{Slice[int8]{0}}}
	if rows, err := RowsOf[open](table); err != nil || rows[0].Animal != "yeti" {
		t.Errorf("%v, %v", rows, err)
	}
	_, err := RowsOf[closed](table)
	want := `column "animal", row 0: "yeti" is none of `
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s…", err, want)
	}
}

// Older files have a column under another name, or not at all; others have labels in
// another order.
func TestRowsOfOtherTables(t *testing.T) {
	type row struct {
		Limit  float64 `column:"p_limit,nullable" formerly:"p_old"`
		New    float64 `column:"new,nullable"`
		Colour colour  `column:"colour"`
		Label  colour  `column:"label" otherwise:"green"`
	}
	old := &Table{Schema: Schema{Columns: []Column{
		{Name: "p_old", Kind: Float64},
		{Name: "colour", Kind: Label, Labels: []string{"blue", "red"}},
	}}, Columns: []Values{Slice[float64]{0.75}, Slice[int8]{0}}}
	rows := must.Get(RowsOf[row](old))(t)
	if rows[0].Limit != 0.75 || !math.IsNaN(rows[0].New) || rows[0].Colour != 2 || rows[0].Label != 1 {
		t.Errorf("%+v", rows[0])
	}
}

func TestRowsOfForeignTables(t *testing.T) {
	type row struct {
		Dim    int32  `column:"dim"`
		Colour colour `column:"colour"`
	}
	dim := Column{Name: "dim", Kind: Int32}
	for _, c := range []struct {
		want    string
		columns []Column
		values  []Values
	}{
		{`there is no column "dim"`, []Column{{Name: "depth", Kind: Int32}}, []Values{Slice[int32]{1}}},
		{`column "dim" has values of kind float64, not int32`, []Column{{Name: "dim", Kind: Float64}},
			[]Values{Slice[float64]{1}}},
		{`column "colour", row 0: "pink" is none of red, green, blue`,
			[]Column{dim, {Name: "colour", Kind: Label, Labels: []string{"pink"}}},
			[]Values{Slice[int32]{1}, Slice[int8]{0}}},
		{`column "colour", row 0: is null`,
			[]Column{dim, {Name: "colour", Kind: Label, Labels: []string{"red"}}},
			[]Values{Slice[int32]{1}, Slice[int8]{-1}}},
	} {
		_, err := RowsOf[row](&Table{Schema: Schema{Columns: c.columns}, Columns: c.values})
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, not %s", err, c.want)
		}
	}
}

func TestLabelsThatAreNone(t *testing.T) {
	table := NewTable(Schema{Columns: ColumnsOf[struct {
		Colour colour `column:"colour"`
		Animal animal `column:"animal"`
	}]()})
	for _, row := range []struct {
		Colour colour `column:"colour"`
		Animal animal `column:"animal"`
	}{{3, "cat"}, {-1, "cat"}, {0, "horse"}} {
		if err := WriteRows(table, row); err == nil || !strings.Contains(err.Error(), "the code") {
			t.Errorf("%v: %v", row, err)
		}
	}
}

func TestFiniteOrNaN(t *testing.T) {
	for _, x := range []float64{0, -2.5, math.MaxFloat64} {
		if FiniteOrNaN(x) != x {
			t.Errorf("%v is %v", x, FiniteOrNaN(x))
		}
	}
	for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		if !math.IsNaN(FiniteOrNaN(x)) {
			t.Errorf("%v is %v", x, FiniteOrNaN(x))
		}
	}
}

func TestFieldsThatNoRowCanHave(t *testing.T) {
	for name, columns := range map[string]func(){
		"no tag": func() { ColumnsOf[struct{ Dim int32 }]() },
		"text": func() {
			ColumnsOf[struct {
				Name string `column:"name"`
			}]()
		},
		"option": func() {
			ColumnsOf[struct {
				Dim float64 `column:"dim,maybe"`
			}]()
		},
		"null integer": func() {
			ColumnsOf[struct {
				Dim int32 `column:"dim,nullable"`
			}]()
		},
		"open numbers": func() {
			ColumnsOf[struct {
				Dim float64 `column:"dim,open"`
			}]()
		},
		"no shape": func() {
			ColumnsOf[struct {
				X [][]float64 `column:"x#"`
			}]()
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it was taken")
				}
			}()
			columns()
		})
	}
}

func BenchmarkWriteRows(b *testing.B) {
	type row struct {
		Trajectory int64   `column:"trajectory"`
		Time       float64 `column:"time"`
		Colour     colour  `column:"colour"`
		Z          float64 `column:"z"`
	}
	rows := make([]row, 4096)
	for b.Loop() {
		must.Do(b, WriteRows(discard{}, rows...))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows)), "ns/row")
}

type discard struct{}

func (discard) Write(...Values) error { return nil }

func TestNullRow(t *testing.T) {
	r := NullRow[fullRow]()
	if !math.IsNaN(r.Limit) || r.Beta != 0 || r.Count != 0 || r.Tokens != nil {
		t.Errorf("%+v", r)
	}
}
