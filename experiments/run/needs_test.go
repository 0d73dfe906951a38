package run

import (
	"testing"

	"antipode/data"
	"antipode/sphere/must"
)

// A run needs room for the file of each of its tables and for its completed work.
func TestNeedsInBytes(t *testing.T) {
	type wide struct {
		First  float64 `column:"first"`
		Second float64 `column:"second"`
		Third  float64 `column:"third"`
	}
	type narrow struct {
		Only int32 `column:"only"`
	}
	tables := []data.Schema{{Columns: data.ColumnsOf[wide]()}, {Columns: data.ColumnsOf[narrow]()}}
	for _, c := range []struct {
		needs  Needs
		tables []data.Schema
		values float64 // bytes of the rows
	}{
		{Needs{Rows: 1e6, Kept: 7}, tables[:1], 24e6},
		{Needs{Rows: 1e6, Kept: 5e6}, tables[1:], 4e6},
		{Needs{Rows: 3e6, Tables: []float64{1e6, 2e6}, Kept: 3}, tables, 24e6 + 8e6},
	} {
		got := must.Get(c.needs.Bytes(c.tables...))(t)
		if want := c.values + c.needs.Kept; !(got >= want && got <= 1.01*want) {
			t.Errorf("%+v: %.0f bytes, want %.0f and up to 1 %% more", c.needs, got, want)
		}
	}
}
