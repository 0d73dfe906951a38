package stack

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap/propagation"
)

// A post-norm network that reads tokens three times as long, with query and key weights a third as large, has
// the same scores, cosines and derivatives by values; those by queries are three times as large.
func TestLongInputOfPostNorm(t *testing.T) {
	for _, causal := range []bool{false, true} {
		short := usual()
		short.Layers, short.QueryKey2, short.Causal = 1, 2.7, causal
		long := short
		long.Input.Square, long.QueryKey2 = 9, 0.3
		a, b := forward(t, short)[1], forward(t, long)[1]
		x, err := must(t, short).Backward()
		if err != nil {
			t.Fatal(err)
		}
		y, err := must(t, long).Backward()
		if err != nil {
			t.Fatal(err)
		}
		for name, pair := range map[string][2]float64{
			"score deviation": {a.ScoreDeviation, b.ScoreDeviation},
			"participation":   {a.Participation, b.Participation},
			"cosine":          {a.Cosine, b.Cosine},
			"upper cosine":    {a.High, b.High},
			"values":          {x[0].Value, y[0].Value},
			"queries":         {9 * x[0].Query, y[0].Query},
			"hidden":          {x[0].Hidden, y[0].Hidden},
			"input":           {x[0].Input / 9, y[0].Input},
		} {
			if !(math.Abs(pair[1]/pair[0]-1) <= 1e-8) {
				t.Errorf("causal %v, %s: %.12g, want %.12g", causal, name, pair[1], pair[0])
			}
		}
	}
}

// Attention of long tokens is condensed, however small the scores of normalised tokens are: Margin sees it.
func TestLongInputCondenses(t *testing.T) {
	s := usual()
	s.QueryKey2, s.Input.Square, s.Input.First, s.Bias2 = 0.64, 61, 0.02, 0.01
	k := must(t, s)
	signal, err := k.Signal()
	if err != nil {
		t.Fatal(err)
	}
	if layer := forward(t, s)[1]; !(layer.ScoreDeviation > 25) || !(layer.Participation > 8) {
		t.Errorf("deviation %g, participation %g", layer.ScoreDeviation, layer.Participation)
	}
	if !(signal.Margin < 0.1) {
		t.Errorf("margin %g", signal.Margin)
	}
	normed, err := k.With(NormBefore.Apply(s, 1))
	if err != nil {
		t.Fatal(err)
	}
	if other, err := normed.Signal(); err != nil || !(other.Margin > 3) {
		t.Errorf("margin %g after LayerNorm, %v", other.Margin, err)
	}
	back, err := normed.With(s)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := back.Signal(); err != nil || again != signal {
		t.Errorf("%+v, %v, want %+v", again, err, signal)
	}
}

// Beyond the spread of normalised tokens, rows have the sums of squares that package propagation computes,
// up to deviations for which almost all weight is on one token.
func TestRowsOfLongTokens(t *testing.T) {
	longtest.Only(t)
	for _, s := range []Architecture{
		{Tokens: 40, QueryKey2: 0.7, Input: Input{Square: 400}},
		{Tokens: 2, QueryKey2: 0.003, Input: Input{Square: LargestVariance}},
	} {
		s.Layers, s.Dim, s.Width = 1, 16, 16
		table := must(t, s).groups.participation
		for _, deviation := range []float64{0.001, 0.5, 1.9, 2.1, 4, 7.7, 11.9, 14, 23, 60, 100} {
			row, err := propagation.FiniteRow(float64(s.Tokens), deviation)
			if err != nil {
				t.Fatal(err)
			}
			tolerance := 1e-6
			if deviation > furthest {
				tolerance = 2e-3
			}
			got := table.at(float64(s.Tokens), deviation) / float64(s.Tokens)
			if !(math.Abs(got/row.Y2-1) <= tolerance) {
				t.Errorf("%d tokens, deviation %g: %.9g, want %.9g", s.Tokens, deviation, got, row.Y2)
			}
			if off := (1-got)/(1-row.Y2) - 1; !(math.Abs(off) <= 1e-3) {
				t.Errorf("%d tokens, deviation %g: the share of other tokens is %g off", s.Tokens,
					deviation, off)
			}
		}
		if got := table.at(float64(s.Tokens), 1e6) / float64(s.Tokens); !(got < 1 && got > 0.99999) {
			t.Errorf("%d tokens: %g for scores that all differ", s.Tokens, got)
		}
	}
}
