package propagation

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// reading returns an experiment whose networks read words from a text, or words that are drawn by Zipf's law
// if there is no text.
func reading(t *testing.T, words string) *Experiment {
	t.Helper()
	networks, sequences, tokens := int64(12), int64(4), int64(24)
	p := New()
	p.Beta, p.Layers, p.Dim, p.Heads = []float64{0.3}, 3, 192, 3
	p.Simulate, p.Sequences, p.Tokens = &networks, &sequences, &tokens
	if words == "" {
		return p
	}
	path := filepath.Join(t.TempDir(), "text")
	must.Do(t, os.WriteFile(path, []byte(words), 0o600))
	for _, q := range p.Parameters() {
		if q.Name == "text" {
			must.Do(t, q.Set(path))
		}
	}
	return p
}

// The theory starts at the overlap of the words: 0.0069 for 30522 words by Zipf's law, and
// (8·7/2)/(24·23/2)/2 for sequences in which one word is at every third place and all others are different.
// Networks are on its curve for three layers. The seed is fixed; correct code would miss the limits of four
// standard errors and 5 % for the finite width in one of 10^4 seeds.
func TestNetworksThatReadAreOnTheCurve(t *testing.T) {
	var text strings.Builder
	for k := range 96 {
		if text.WriteString(" word"); k%3 > 0 {
			text.WriteString(strings.Repeat("x", k))
		}
	}
	for words, start := range map[string]float64{"": 0.00692, text.String(): 28. / 276 / 2} {
		table := experimenttest.Table(t, reading(t, words), run.Options{Seed: 6})
		curves := must.Get(readCurves(New(), table))(t)
		for _, r := range curves[0] {
			far := math.Abs(r.CosineSimulated - r.Cosine)
			if far > 4*r.CosineStderr+0.05*r.Cosine || r.CosineStderr > 0.3*r.Cosine {
				t.Errorf("layer %d: %v ± %v, in theory %v", r.Layer, r.CosineSimulated, r.CosineStderr,
					r.Cosine)
			}
		}
		if got := curves[0][0].Cosine; !(math.Abs(got-start) <= 1e-5) {
			t.Errorf("start %v, want %v", got, start)
		}
	}
}

// A text is refused if it has fewer words than are read.
func TestTextOfTooFewWords(t *testing.T) {
	err := reading(t, "only four words here").Validate()
	if err == nil || !strings.Contains(err.Error(), "has 4 words; must have 96 for 4 times 24") {
		t.Error(err)
	}
}
