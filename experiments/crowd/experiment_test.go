package crowd

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/theory"
	"antipode/internal/longtest"
	"antipode/sphere"
)

// rowsOf returns the rows and the table of a run.
func rowsOf(t *testing.T, e *Experiment) ([]Row, *data.Table) {
	t.Helper()
	table := experimenttest.Table(t, e, run.Options{Seed: 3})
	rows, err := data.RowsOf[Row](table)
	if err != nil {
		t.Fatal(err)
	}
	return rows, table
}

// The outcomes of two tokens have the exact law at this depth. One of 4 fractions is 4.2 standard errors off
// by chance in one of 9,000 seeds.
func TestTwoTokensHaveTheExactLaw(t *testing.T) {
	longtest.Only(t)
	e := New()
	e.Dim, e.Beta, e.Tokens = []int{3, 4}, []float64{1.5}, []int{2}
	e.Trajectories, e.Depth, e.Horizon, e.Tolerance = 1000, 12, 10, 2e-3
	rows, _ := rowsOf(t, e)
	for k, d := range e.Dim {
		r := rows[k]
		if r.Dim != int32(d) || r.Single+r.Antipodal+r.Unclustered != 1000 || r.Sides != 0.5 {
			t.Fatalf("%+v", r)
		}
		law := theory.AtDepth(e.cell(d, 1.5, 2), 120, e.Tolerance)
		for _, of := range []struct {
			count int64
			p     float64
		}{{r.Antipodal, law.Antipodal}, {r.Single, law.Single}} {
			if off := outcomes.Deviation(of.count, 1000, of.p); !(off < 4.2) {
				t.Errorf("d = %d: %d of 1000, law %g", d, of.count, of.p)
			}
		}
	}
}

// A crowd consists of the first tokens of a larger crowd, and is moved by the same matrices. Its outcomes do
// not depend on what else is in the grid, but its distance depends on the larger crowd that it is compared
// with.
func TestCrowdsShareTokensAndMatrices(t *testing.T) {
	e := New()
	e.Dim, e.Beta, e.Tokens = []int{4}, []float64{0.4, 2}, []int{24, 3, 9}
	e.Trajectories, e.Depth, e.Horizon, e.Time = 6, 8, 11, 2
	all, _ := rowsOf(t, e)
	e.Tokens, e.Beta, e.Dim = []int{9, 3}, []float64{2}, []int{3, 4}
	some, _ := rowsOf(t, e)
	for k, n := range []int32{3, 9} {
		a, b := all[3+k], some[2+k]
		if a.Tokens != n || b.Tokens != n || a.Single != b.Single || a.Antipodal != b.Antipodal ||
			a.Won != b.Won || math.Float64bits(a.Time) != math.Float64bits(b.Time) {
			t.Errorf("%+v and %+v", a, b)
		}
		if n == 3 && a.Distance == b.Distance {
			t.Error("a larger crowd to compare with does not matter")
		}
	}
	if last := all[2]; last.Tokens != 24 || !math.IsNaN(last.Distance) {
		t.Errorf("%+v", last)
	}
}

// At β = 0 the time until one side wins grows like log N / (2·0.5625) = 0.889 log N. The simulated slope, at
// a finite depth and with saturation, agrees within 0.2 and 4 standard errors (one false alarm in 15,000
// seeds).
func TestSlopeOfTheTime(t *testing.T) {
	longtest.Only(t)
	e := New()
	e.Dim, e.Beta, e.Tokens = []int{4}, []float64{0}, []int{64, 1024}
	e.Trajectories, e.Depth, e.Horizon = 80, 12, 60
	rows, _ := rowsOf(t, e)
	r := rows[1]
	if !(math.Abs(r.SlopePredicted-1/1.125) <= 1e-12) {
		t.Errorf("predicted %v", r.SlopePredicted)
	}
	if !(math.Abs(r.Slope-1/1.125) < 0.2+4*r.SlopeStderr) || !(r.SlopeStderr < 0.11) || r.Won != 80 {
		t.Errorf("%v ± %v of %d", r.Slope, r.SlopeStderr, r.Won)
	}
	if got := (rows[1].Time - rows[0].Time) / math.Log(16); !(math.Abs(got-r.Slope) <= 1e-12) {
		t.Errorf("%v, slope %v", got, r.Slope)
	}
}

// The statistics in the rows, computed from made-up trajectories: imbalances 0.1, 0.2, 0.6; one side wins
// after 3 and 5 layers in the large crowd, and after 1 and 2 in the small one.
func TestRowsOfMadeUpTrajectories(t *testing.T) {
	nan := math.NaN()
	e := New()
	e.Beta, e.Tokens, e.Depth = []float64{0.3}, []int{10, 40}, 5
	few := []seen{{sphere.Single, nan, 1, 0.25, 0.04}, {sphere.Single, nan, 2, 0.39, 0.14},
		{sphere.Unclustered, nan, nan, 0.32, 0.09}}
	many := []seen{{sphere.Antipodal, 0.1, 3, nan, nan}, {sphere.Antipodal, 0.6, 5, nan, nan},
		{sphere.Antipodal, 0.2, 4, nan, nan}}
	var numbers [][]float64
	for k := range few {
		numbers = append(numbers, many[k].append(few[k].append(nil)))
	}
	rows := e.rows(5, numbers)
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-12) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	if r := rows[0]; r.Single != 2 || r.Unclustered != 1 || r.Won != 2 || r.Tokens != 10 {
		t.Errorf("%+v", r)
	}
	near("time where one side has not won", rows[0].Time, nan)
	near("distance", rows[0].Distance, math.Sqrt(0.32))
	near("its error", rows[0].DistanceStderr, 0.07/math.Sqrt(3)/(2*math.Sqrt(0.32)))
	near("independent", rows[0].Independent, 0.3)
	near("sides", rows[0].Sides, 511./512)
	near("imbalance", rows[1].Imbalance, 0.3)
	near("its error", rows[1].ImbalanceStderr, math.Sqrt(0.07/3))
	near("median", rows[1].ImbalanceMedian, 0.2)
	near("quantile at 10 %", rows[1].ImbalanceLow, 0.12)
	near("quantile at 90 %", rows[1].ImbalanceHigh, 0.52)
	near("time", rows[1].Time, 0.8)
	near("its error", rows[1].TimeStderr, 0.2/math.Sqrt(3))
	near("slope", rows[1].Slope, nan)
	rows = e.rows(5, numbers[:2])
	near("slope", rows[1].Slope, 2.5/5/math.Log(4))
	near("its error", rows[1].SlopeStderr, 0.5/5/math.Log(4))
	later := []seen{{sphere.Antipodal, 0.1, 6, nan, nan}, {sphere.Antipodal, 0.6, 7, nan, nan}}
	e.Tokens = []int{10, 40, 200}
	for k := range later {
		numbers[k] = later[k].append(numbers[k])
	}
	rows = e.rows(5, numbers[:2])
	near("slope to the third", rows[2].Slope, 2.5/5/math.Log(5))
	near("its error", rows[2].SlopeStderr, 0.5/5/math.Log(5))
	near("predicted above the boundary", (&Experiment{Beta: []float64{1.2}, Tokens: []int{10, 40},
		Depth: 5}).rows(5, numbers)[1].SlopePredicted, nan)
}

func TestTextAndFigure(t *testing.T) {
	e := New()
	e.Dim, e.Tokens, e.Trajectories, e.Depth, e.Horizon = []int{3, 5}, []int{3, 30}, 12, 10, 30
	_, table := rowsOf(t, e)
	var text bytes.Buffer
	if err := e.Describe(&text, table); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"d = 3, β = 0.4: opposite clusters attract; with 30 tokens, ",
		"d = 5, β = 0.4: one side wins; from 3 to 30 tokens the time until one side wins grows by ",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("there is no %q in\n%s", want, text.String())
		}
	}
	drawn, err := e.Draw(table)
	if err != nil || len(drawn.Panels) != 4 {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	e := New()
	e.Time = 17
	experimenttest.CheckRefused(t, e.Validate(), "time", "must be at most the horizon, 16")
	e.Time = 0.15
	experimenttest.CheckRefused(t, e.Validate(), "time", "whole number of layers")
	e = New()
	e.Tokens = []int{7}
	e.Time = New().Time
	if err := e.Validate(); err != nil {
		t.Error(err)
	}
	e.Tokens = []int{1, 4}
	experimenttest.CheckRefused(t, e.Validate(), "tokens", "must be")
}

// One side has won when the mean of the tokens has a norm of more than ½: with 16 of 20 tokens on one side,
// not with 15.
func TestOneSideHasWon(t *testing.T) {
	c := crowd{tokens: make([]float64, 3*20)}
	c.won = math.NaN()
	for k := range 20 {
		c.tokens[3*k+1] = -1
	}
	for k := range 5 {
		c.tokens[3*k+1] = 1
	}
	if c.look(3, 4); !math.IsNaN(c.won) {
		t.Errorf("15 of 20 tokens have won: %v", c.won)
	}
	c.tokens[1] = -1
	c.look(3, 7)
	c.look(3, 8)
	if c.won != 7 {
		t.Errorf("16 of 20 tokens: %v", c.won)
	}
}

// Starts and matrices have different random paths, in every dimension.
func TestPathsOfTheirOwn(t *testing.T) {
	seen := map[uint64]bool{}
	for d := 2; d <= 1000; d++ {
		starts, matrices := identities(d)
		if seen[starts] || seen[matrices] || starts == matrices {
			t.Fatalf("dimension %d", d)
		}
		seen[starts], seen[matrices] = true, true
	}
}
