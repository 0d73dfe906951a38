package tokens

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/parameter"
	"antipode/sde"
)

// rowOf returns the row of a cell with a hundred trajectories, some of which have an antipodal pair.
func rowOf(tokens int32, beta float64, pair, antipodal, single int64) Row {
	r := data.NullRow[Row]()
	r.Tokens, r.Dim, r.Beta, r.Trajectories = tokens, 4, beta, 100
	r.AntipodalPair, r.Antipodal, r.Single = pair, antipodal, single
	r.Unclustered = 100 - antipodal - single
	return r.estimated()
}

// Up to sixteen cells have a line each, and more have a line for each number of tokens.
func TestLinesOfTheReport(t *testing.T) {
	for cells, lines := range map[int]int{16: 16, 17: 1} {
		k := New()
		k.Tokens, k.Beta = []int{5}, nil
		var rows []Row
		for i := range cells {
			k.Beta = append(k.Beta, float64(i))
			rows = append(rows, rowOf(5, float64(i), 1, 0, 0))
		}
		var text strings.Builder
		if err := k.Describe(&text, experimenttest.TableOf(t, k, rows...)); err != nil {
			t.Fatal(err)
		}
		table, _, _ := strings.Cut(text.String(), "\n\n")
		if got := strings.Count(table, "\n"); got != lines {
			t.Errorf("%d cells: %d lines\n%s", cells, got, &text)
		}
	}
}

// A line of a number of tokens has the first and last β with an antipodal pair, and the first of several β
// with the greatest fraction.
func TestListOfTokens(t *testing.T) {
	var text strings.Builder
	listTokens(&text, []Row{rowOf(3, 0, 0, 0, 1), rowOf(3, 1, 4, 2, 3), rowOf(3, 2, 5, 5, 6),
		rowOf(3, 3, 5, 1, 2), rowOf(3, 4, 0, 0, 0), rowOf(8, 0, 0, 0, 25), rowOf(8, 1, 0, 0, 50)})
	lines := strings.Split(text.String(), "\n")
	for k, want := range []string{"3\t1\t3\t0.0500\t0.0215 to 0.1118\t2\t0.1100\t",
		"8\tnone\tnone\t0.0000\t0.0000 to 0.0370\t0\t0.2500\t"} {
		if lines[k+1] != want {
			t.Errorf("%q, want %q", lines[k+1], want)
		}
	}
}

// The sentence counts the numbers of tokens that have antipodal pairs, and speaks of unequal clusters if
// there are more than two tokens.
func TestSentence(t *testing.T) {
	k := New()
	for want, rows := range map[string][]Row{
		"for 1 of 2 numbers of tokens. Two opposite clusters of unequal size": {rowOf(2, 1, 0, 0, 0),
			rowOf(3, 0, 1, 0, 0), rowOf(3, 1, 0, 0, 0)},
		"for 1 of 1 number of tokens.": {rowOf(2, 1, 3, 3, 0)},
	} {
		got := k.sentence(rows)
		if !strings.HasPrefix(got, "Antipodal pairs occur at time 40 "+want) ||
			strings.Contains(got, "unequal") != strings.Contains(want, "unequal") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The limit of two tokens is drawn for two β or more, and not for other numbers of tokens. The axis ends
// slightly above the intervals, and at most slightly above 1.
func TestLimitOfTwoTokens(t *testing.T) {
	for _, c := range []struct {
		tokens int32
		betas  int
		pair   int64
		marks  int
		top    float64
	}{{2, 1, 0, 2, 1.05*0.036993 + 0.01}, {2, 2, 0, 3, 1.05*0.036993 + 0.01}, {3, 2, 100, 2, 1.03}} {
		k := New()
		k.Tokens, k.Beta = []int{int(c.tokens)}, nil
		var rows []Row
		for i := range c.betas {
			k.Beta = append(k.Beta, float64(i+1))
			rows = append(rows, rowOf(c.tokens, float64(i+1), c.pair, 0, 0))
		}
		drawn := figuretest.Draw(t, k, experimenttest.TableOf(t, k, rows...))
		p := drawn.Panels[0].Plot
		if len(p.Marks) != c.marks || !(math.Abs(p.Y.High-c.top) <= 1e-5) || len(drawn.Panels) != 1 {
			t.Errorf("%+v: %d marks, axis up to %g, %d panels", c, len(p.Marks), p.Y.High, len(drawn.Panels))
		}
	}
}

// A β that is too large is refused by its own name, with and without an MLP beside attention.
func TestLargestBetaBesideAnMLP(t *testing.T) {
	for _, mlp := range []string{"none", "tanh:1"} {
		k := New()
		k.Attention, k.Beta, k.Tokens = sde.Unnormalized, []float64{1, 1000}, []int{3}
		if err := parameter.ByName(k.Parameters(), "mlp").Set(mlp); err != nil {
			t.Fatal(err)
		}
		experimenttest.CheckRefused(t, k.Validate(), "beta", "e^β overflows in unnormalized attention")
	}
}
