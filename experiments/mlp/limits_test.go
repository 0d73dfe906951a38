package mlp

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/sphere/activation"
)

// rowOf returns the row of a cell with ten trajectories.
func rowOf(a activation.Activation, d int32, beta, limit float64, antipodal int64) Row {
	r := data.NullRow[Row]()
	r.Activation, r.Dim, r.Beta, r.Limit = a, d, beta, limit
	r.Trajectories, r.Antipodal, r.Unclustered = 10, antipodal, 10-antipodal
	r.PAntipodal = float64(antipodal) / 10
	return r
}

// The summary of an activation and a dimension has its own cells, and the first of those with the greatest
// antipodal fraction, which may be 0.
func TestSummary(t *testing.T) {
	neither := rowOf(activation.ReLU, 4, 3, 0, 1)
	neither.LimitMean = 0.5
	rows := []Row{rowOf(activation.ReLU, 4, 1, 0, 0), rowOf(activation.ReLU, 4, 2, 0.5, 1), neither,
		rowOf(activation.ReLU, 5, 4, 0, 0), rowOf(activation.ReLU, 5, 5, 0, 0),
		rowOf(activation.Tanh, 4, 6, 1, 9)}
	for _, c := range []struct {
		d                        int
		cells, attracts, neither int
		beta                     float64
	}{{4, 3, 1, 1, 2}, {5, 2, 0, 0, 4}} {
		s := summaryOf(rows, activation.ReLU, c.d)
		if s.cells != c.cells || s.attracts != c.attracts || s.neither != c.neither || s.most.Beta != c.beta {
			t.Errorf("d = %d: %+v", c.d, s)
		}
	}
}

// The report counts the cells in which opposite clusters attract, those in which they occurred, and the other
// cells in which they did; it names activations that are not odd.
func TestSentences(t *testing.T) {
	m := New()
	m.Activation = []activation.Activation{activation.Tanh}
	attracting, seen := rowOf(activation.Tanh, 4, 1, 0.5, 0), rowOf(activation.Tanh, 4, 1, 0.5, 2)
	got := m.sentences([]Row{attracting, seen, seen, rowOf(activation.Tanh, 4, 1, 0, 0)})
	if !strings.Contains(got, "attract in 3 of 4 cells, and opposite clusters were seen in 2 of the cells") ||
		strings.Contains(got, "other cells") || strings.Contains(got, "odd") {
		t.Error(got)
	}
	m.Activation = []activation.Activation{activation.Tanh, activation.ReLU, activation.GELU}
	got = m.sentences([]Row{attracting, rowOf(activation.Tanh, 4, 1, 0, 1)})
	if !strings.Contains(got, "also seen in 1 of the other cells") ||
		!strings.Contains(got, "whose activation relu or gelu is not odd") {
		t.Error(got)
	}
}

// An axis is widened by 8 % on both sides, or by a half if it has a single value.
func TestMargins(t *testing.T) {
	for _, c := range [][4]float64{{1, 3, 0.84, 3.16}, {2, 2, 1.5, 2.5}} {
		axis := figure.Axis{Low: c[0], High: c[1]}
		margins(&axis)
		if !(math.Abs(axis.Low-c[2]) <= 1e-12) || !(math.Abs(axis.High-c[3]) <= 1e-12) {
			t.Errorf("%v: from %v to %v", c, axis.Low, axis.High)
		}
	}
}

// With a tanh MLP the strengths at which an end attracts are an interval, which is in the row, and there are
// none with an activation that is not odd.
func TestTheoryOfARow(t *testing.T) {
	odd := rowOf(activation.Tanh, 4, 1, math.NaN(), 0)
	odd.Strength, odd.Variance = 0.2, 2
	even := odd
	even.Activation = activation.ReLU
	if r := estimated(odd); math.IsNaN(r.AntipodalLow) || !(r.Limit > 0 && r.Limit < 1) ||
		!(math.Abs(r.Limit+r.LimitSingle-1) <= 1e-9) {
		t.Errorf("tanh: %+v", r)
	}
	if r := estimated(even); !math.IsNaN(r.AntipodalLow) || !math.IsNaN(r.AntipodalHigh) || r.Limit != 0 {
		t.Errorf("relu: %+v", r)
	}
}
