package data

import (
	"fmt"
	"math"
	"testing"
)

// Columns count in their order; numbers ascend after NaN and labels are in the order of their type, unless a
// list has another order.
func TestSort(t *testing.T) {
	type row struct {
		Animal animal    `column:"animal"`
		Colour colour    `column:"colour"`
		Beta   float64   `column:"beta,nullable" formerly:"scale"`
		Count  int64     `column:"count"`
		Vector []float64 `column:"x"`
	}
	rows := func() []row {
		return []row{
			{"dog", 0, 1, 4, nil}, {"cat", 2, 0.5, 3, nil}, {"cat", 2, math.NaN(), 1, nil},
			{"dog", 0, 1, -2, nil}, {"mouse", 1, 7, 0, nil}, {"cat", 1, 2, 5, []float64{1}},
			{"cat", 1, 2, 5, []float64{0}}, {"cat", 2, 9, 0, nil},
		}
	}
	for want, orders := range map[string]map[string]Order{
		"mouse170[] cat125[1] cat125[0] cat2NaN1[] cat20.53[] cat290[] dog01-2[] dog014[] ": nil,
		"dog01-2[] dog014[] cat2NaN1[] cat20.53[] cat290[] cat125[1] cat125[0] mouse170[] ": {
			"animal": {Labels: []string{"dog", "cat"}}, "colour": {Labels: []string{"blue", "red", "green"}},
		},
		// What is not listed comes last, and ascends.
		"mouse170[] cat125[1] cat125[0] cat20.53[] cat2NaN1[] cat290[] dog01-2[] dog014[] ": {
			"beta": {Numbers: []float64{2, 0.5}}, "other": {Numbers: []float64{2, 1}},
		},
	} {
		sorted, got := rows(), ""
		Sort(sorted, orders)
		for _, r := range sorted {
			got += fmt.Sprintf("%s%d%v%d%v ", r.Animal, r.Colour, r.Beta, r.Count, r.Vector)
		}
		if got != want {
			t.Errorf("%v:\n%s\nnot\n%s", orders, got, want)
		}
	}
	older, present, none := rows(), rows(), rows() // files of older versions have the older name
	order := Order{Numbers: []float64{2, 0.5}}
	Sort(older, map[string]Order{"scale": order})
	Sort(present, map[string]Order{"beta": order, "scale": {}})
	Sort(none, nil)
	if fmt.Sprint(older) != fmt.Sprint(present) || fmt.Sprint(older) == fmt.Sprint(none) {
		t.Errorf("by the older name %v, by the present one %v, without %v", older, present, none)
	}
}
