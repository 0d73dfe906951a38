package hybrid

import (
	"math"
	"strings"
	"testing"

	"antipode/sde"
)

// cell returns a row with a hundred trajectories of which so many were antipodal and single.
func cell(epsilon, thresholdAntipodal, thresholdSingle float64, antipodal, single int64) Row {
	r := Row{Beta: 1, Epsilon: epsilon, EpsilonAntipodal: thresholdAntipodal, EpsilonSingle: thresholdSingle}
	r.Trajectories, r.Antipodal, r.Single, r.Unclustered = 100, antipodal, single, 100-antipodal-single
	r.Estimate()
	r.Limit = math.NaN()
	return r
}

// Where only one outcome attracts, the report counts the cells in which it is the more frequent one. Cells at
// a threshold are not counted, and a tie is not right.
func TestWordsOfSides(t *testing.T) {
	h := New()
	h.Attention = sde.Unnormalized
	for _, test := range []struct {
		rows []Row
		want string
	}{
		{[]Row{cell(2, 1, 1, 60, 10), cell(0.5, 1, 1, 10, 60), cell(0.5, 1, 1, 60, 10),
			cell(2, 1, 1, 10, 60)},
			"it is the more frequent one in 2 of 4 cells."},
		{[]Row{cell(2, 1, 1, 30, 30), cell(0.5, 1, 1, 30, 30)}, "in 0 of 2 cells."},
		{[]Row{cell(1, 1, 1.5, 60, 10), cell(1.5, 1, 1.5, 60, 10)}, ""},
		{[]Row{cell(1, 1, 1, 60, 10), cell(3, 1, 1, 60, 10)}, "in 1 of 1 cell."},
	} {
		got := h.sentence(test.rows)
		if !strings.Contains(got, test.want) || strings.Contains(got, "more frequent") != (test.want != "") {
			t.Errorf("%q, want %q", got, test.want)
		}
		if !strings.HasPrefix(got, "Two opposite clusters attract where ε² > 2e^-β, ") {
			t.Errorf("%q", got)
		}
	}
	h.Attention = sde.Softmax
	if got := h.sentence(nil); !strings.HasPrefix(got, "Two opposite clusters attract where ε² > 1+e^-2β") {
		t.Errorf("%q", got)
	}
}

// With many cells the report has a line for each β: the least ε at which the antipodal outcome is more
// frequent, and the greatest at which the single cluster is.
func TestListOfBetas(t *testing.T) {
	var text strings.Builder
	nan := math.NaN()
	rows := []Row{cell(0, 1.25, 1.5, 0, 50), cell(1, 1.25, 1.5, 20, 30), cell(2, 1.25, 1.5, 30, 30),
		cell(3, 1.25, 1.5, 40, 30), cell(4, 1.25, 1.5, 50, 0)}
	other := cell(1, nan, nan, 30, 30)
	other.Beta = 2
	listBetas(&text, append(rows, other))
	lines := strings.Split(text.String(), "\n")
	if len(lines) < 3 || lines[1] != "1\t1.2500\t1.5000\t3.0000\t1.0000\t" ||
		lines[2] != "2\tnone\tnone\tnone\tnone\t" {
		t.Errorf("%q", lines)
	}
}

// Beside an MLP the report counts the cells in which each outcome attracts, and those with neither.
func TestWordsOfBlocks(t *testing.T) {
	h := New()
	var rows []BlockRow
	for _, limits := range [][2]float64{{0, 0}, {0.5, 0}, {0, 0.25}, {0.5, 0.25}, {math.NaN(), math.NaN()}} {
		r := BlockRow{Row: cell(1, 1, 1, 10, 10)}
		r.LimitSingle, r.Limit = limits[0], limits[1]
		rows = append(rows, r)
	}
	const want = "a single cluster attracts in 2 of 5 cells, opposite clusters in 2, and neither in 2."
	if got := h.blockSentence(rows); !strings.Contains(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
