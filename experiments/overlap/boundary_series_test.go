package overlap

import (
	"strings"
	"testing"
)

// The report has the boundary at a depth, exactly and by its expansion to the order 1/L², and the depths from
// which it is close to the limit.
func TestReportOfBoundarySeries(t *testing.T) {
	const (
		series = "β_c = 1.238944365, and 1.252190196 at this depth (1.252199364 to the order 1/L²)"
		limit  = "within 1 % of this limit from about 108 layers per unit of time on, within 0.1 % from 1072"
	)
	e := New()
	e.Dim, e.Beta = []int{8}, []float64{2}
	if _, text, _ := blockRow(t, e); !strings.Contains(text, limit) || strings.Contains(text, "1/L²") {
		t.Error(text)
	}
	depth := int64(100)
	e.Depth = &depth
	if _, text, _ := blockRow(t, e); !strings.Contains(text, limit) || !strings.Contains(text, series) {
		t.Error(text)
	}
	e.Dim = []int{3}
	if _, text, _ := blockRow(t, e); strings.Contains(text, "within 1 %") {
		t.Error(text)
	}
}
