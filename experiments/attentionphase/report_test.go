package attentionphase

import (
	"errors"
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/sphere/must"
)

// For each ρ the report names β_c = √(2/(1-ρ)), and the row at the greatest β, in whatever order the rows
// are. A row that is uniform in the limit attends to all tokens.
func TestReport(t *testing.T) {
	a := New()
	a.Beta, a.Rho = []float64{1, 3}, []float64{0.5, 1}
	rows := []Row{{Beta: 3, Rho: 0.5, Y2: 0.25, Cosine: 0.75}, {Beta: 1, Rho: 0.5, Y2: 0.5, Cosine: 0.5},
		{Beta: 1, Rho: 1, Y2: 0, Cosine: 1}, {Beta: 3, Rho: 1, Y2: 0, Cosine: math.NaN()}}
	for _, tokens := range []string{"", "20"} {
		setting := "many tokens"
		if tokens != "" {
			many := int64(20)
			a.Tokens, setting = &many, "20 tokens"
		}
		table := experimenttest.TableOf(t, a, rows...)
		var text strings.Builder
		must.Do(t, a.Describe(&text, table))
		want := "ρ = 0.5: β_c = 2; at β = 3 a token attends to 4 of " + setting +
			", and the cosine after the layer is 0.7500.\n" +
			"ρ = 1: no β_c; at β = 3 a token attends to all of " + setting +
			", and the cosine after the layer is none.\n"
		if text.String() != want {
			t.Errorf("%s\nwant %s", &text, want)
		}
		if err := a.Describe(new(experimenttest.Room), table); !errors.Is(err, experimenttest.ErrNoRoom) {
			t.Errorf("error %v", err)
		}
	}
}
