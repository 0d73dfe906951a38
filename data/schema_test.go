package data

import (
	"strings"
	"testing"
)

func TestSchemaValidate(t *testing.T) {
	good := Column{Name: "x", Kind: Float64}
	label := func(labels ...string) Column { return Column{Name: "l", Kind: Label, Labels: labels} }
	many := make([]string, maxLabels+1)
	for i := range many {
		many[i] = strings.Repeat("a", i)
	}
	for _, test := range []struct {
		schema Schema
		want   string // part of the error, "" for none
	}{
		{Schema{Columns: []Column{good}}, ""},
		{Schema{}, "1 to 10000 columns, not 0"},
		{Schema{Columns: make([]Column, maxColumns+1)}, "not 10001"},
		{Schema{Columns: []Column{good, good}}, `the name "x"`},
		{Schema{Columns: []Column{{Kind: Int32}}}, "name is empty"},
		{Schema{Columns: []Column{{Name: "\xff"}}}, "UTF-8"},
		{Schema{Columns: []Column{{Name: "x", Unit: "\xff"}}}, "UTF-8"},
		{Schema{Columns: []Column{{Name: "x", Meaning: "\xff"}}}, "UTF-8"},
		{Schema{Columns: []Column{{Name: "x", Kind: Text}}}, "kind text cannot be written"},
		{Schema{Columns: []Column{{Name: "x", Kind: -1}}}, "kind kind(-1) cannot be written"},
		{Schema{Columns: []Column{{Name: "x", Kind: 9}}}, "kind kind(9) cannot be written"},
		{Schema{Columns: []Column{{Name: "x", Kind: Int32, Nullable: true}}}, "nullable"},
		{Schema{Columns: []Column{{Name: "x", Kind: Int32, Labels: many[:1]}}}, "only label columns"},
		{Schema{Columns: []Column{{Name: "x", Kind: Int32, Length: 1}}}, "only vector columns"},
		{Schema{Columns: []Column{{Name: "x", Kind: Vector}}}, "length 0"},
		{Schema{Columns: []Column{{Name: "x", Kind: Vector, Length: maxLength + 1}}}, "length 1048577"},
		{Schema{Columns: []Column{{Name: "x", Kind: Vector, Length: maxLength}}}, ""},
		{Schema{Columns: []Column{label()}}, "not 0"},
		{Schema{Columns: []Column{label("a", "a")}}, "twice"},
		{Schema{Columns: []Column{label("\xff")}}, "UTF-8"},
		{Schema{Columns: []Column{label(many...)}}, "not 128"},
		{Schema{Columns: []Column{label(many[:maxLabels]...)}}, ""},
		{Schema{Columns: []Column{good}, Metadata: []Entry{{"k", ""}, {"k", ""}}}, `key "k"`},
		{Schema{Columns: []Column{good}, Metadata: []Entry{{"pandas", "{}"}}},
			`"pandas" is written by this package`},
		{Schema{Columns: []Column{good}, Metadata: []Entry{{"", "v"}}}, "empty"},
		{Schema{Columns: []Column{good}, Metadata: []Entry{{"k", "\xff"}}}, "UTF-8"},
	} {
		err := test.schema.validate()
		if test.want == "" && err != nil {
			t.Errorf("%.200v: %v", test.schema, err)
		}
		if test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%.200v: error %v, want %q", test.schema, err, test.want)
		}
	}
}

func TestSchemaLookup(t *testing.T) {
	schema := sample(0).Schema
	if got := schema.Index("p"); got != 2 {
		t.Errorf("column p at %d, want 2", got)
	}
	if got := schema.Index("q"); got != -1 {
		t.Errorf("column q at %d, want -1", got)
	}
	if value, ok := schema.Value(KeySeed); value != "1" || !ok {
		t.Errorf("seed %q, %t", value, ok)
	}
	if value, ok := schema.Value("seed"); value != "" || ok {
		t.Errorf("value %q, %t for a key that is not there", value, ok)
	}
}

func TestBatchRows(t *testing.T) {
	for _, test := range []struct{ length, want int }{{1, 65_536}, {32, 65_536}, {33, 63_550},
		{maxLength, 2}} {
		schema := Schema{Columns: []Column{{Name: "x", Kind: Vector, Length: test.length}}}
		if got := schema.batchRows(); got != test.want {
			t.Errorf("%d rows a batch for vectors of %d, want %d", got, test.length, test.want)
		}
	}
	two := Schema{Columns: []Column{{Name: "x", Kind: Vector, Length: maxLength},
		{Name: "y", Kind: Vector, Length: maxLength},
		{Name: "z", Kind: Vector, Length: maxLength}}}
	if got := two.batchRows(); got != 1 {
		t.Errorf("%d rows a batch, want 1", got)
	}
}
