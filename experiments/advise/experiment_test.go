package advise

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/overlap/stack"
	"antipode/sde/network"
	"antipode/sphere/must"
)

// Models are those of package network, except for the size of the vocabulary, and for gains and biases, which
// start as 1 and 0.
func TestModelsAreThoseOfNetworks(t *testing.T) {
	for model, want := range map[string]network.Network{
		bert: network.BERT(128), gpt2: network.GPT2(128), vit: network.ViT(197),
	} {
		e := New()
		e.be(model)
		got := e.network()
		want.LayerNorm.Affine, want.Biases, want.FinalNorm = false, false, false
		want.BranchSA, want.BranchMLP = 1, 1
		if want.Embedding.Vocabulary > 0 {
			want.Embedding.Vocabulary = vocabulary
		}
		for _, pair := range [][2]*float64{{&got.QueryKey2, &want.QueryKey2}, {&got.Value2, &want.Value2},
			{&got.Projection2, &want.Projection2}, {&got.Hidden2, &want.Hidden2}, {&got.Output2,
				&want.Output2}} {
			if !(math.Abs(*pair[0]/(*pair[1])-1) <= 1e-12) {
				t.Errorf("%s: variance %g, want %g", model, *pair[0], *pair[1])
			}
			*pair[0] = *pair[1]
		}
		if got != want {
			t.Errorf("%s:\n%+v, want\n%+v", model, got, want)
		}
	}
}

// tiny returns a small experiment with a model's kind of shape, which simulates 40 networks.
func tiny(t *testing.T, model string) *Experiment {
	t.Helper()
	e := New()
	e.be(model)
	e.Layers, e.Dim, e.Heads, e.Width, e.Tokens, e.Check = 6, 128, 4, 256, 16, 40
	deviation := 0.05
	e.Query, e.Value, e.Hidden, e.Output, e.Embedding = deviation, deviation, deviation, deviation, deviation
	if e.Projection = &deviation; model == gpt2 {
		scaled := deviation / branchRoot(6)
		e.Output, e.Projection = scaled, &scaled
	}
	e.Features = min(e.Features, 40)
	return e
}

// At least 95 % of the cosines of simulated networks are in the band, and 93 % of the stable ranks in theirs
// (85 % with causal attention). Mean cosines are within 0.04 of the theory, and mean squares within 8 %.
// Squared gradients by values, MLPs and inputs are within a factor of 1.4 of the theory, and those by queries
// within 3.2. The seed is fixed; with 12 other seeds no model fails by its cosines.
func TestTheoryAgainstNetworks(t *testing.T) {
	longtest.Only(t)
	periNorm := tiny(t, bert)
	periNorm.Norm = "peri-norm"
	biased := tiny(t, gpt2)
	biased.Bias = 0.4
	normed := tiny(t, bert)
	normed.Bias = 0.2
	shapes := map[string]*Experiment{"peri-norm": periNorm, "pre-norm with biases": biased,
		"post-norm with biases": normed}
	for _, model := range modelNames {
		shapes[model] = tiny(t, model)
	}
	for model, e := range shapes {
		rows, err := data.RowsOf[Row](experimenttest.Table(t, e, run.Options{Seed: 3}))
		if err != nil || len(rows) != 7 {
			t.Fatal(len(rows), err)
		}
		inside, ranks := 0.0, 0.0
		for _, r := range rows {
			inside += r.Inside / float64(len(rows))
			ranks += r.RankInside / float64(len(rows))
			if !(math.Abs(r.SimCosine-r.Cosine) <= 0.04) {
				t.Errorf("%s, layer %d: cosine %g ± %g, theory %g", model, r.Layer, r.SimCosine,
					r.SimStderr, r.Cosine)
			}
			if !(math.Abs(r.SimSquare/r.Square-1) <= 0.08) {
				t.Errorf("%s, layer %d: square %g, theory %g", model, r.Layer, r.SimSquare, r.Square)
			}
			for k, pair := range [][2]float64{{r.SimInput, r.GradientInput}, {r.SimValue, r.GradientValue},
				{r.SimHidden, r.GradientHidden}, {r.SimOutput, r.GradientOutput}, {r.SimQuery,
					r.GradientQuery}} {
				within := 1.4
				if k == 4 {
					within = 3.2
				}
				if ratio := pair[0] / pair[1]; ratio > within || ratio < 1/within {
					t.Errorf("%s, layer %d: gradient %d is %g, theory %g", model, r.Layer, k, pair[0],
						pair[1])
				}
			}
		}
		if inside < 0.95 {
			t.Errorf("%s: %.3f of cosines are in the band", model, inside)
		}
		if ranks < 0.93 && !e.Causal || ranks < 0.85 {
			t.Errorf("%s: %.3f of stable ranks are in the band", model, ranks)
		}
		t.Logf("%s: %.3f of cosines and %.3f of stable ranks are in their bands", model, inside, ranks)
	}
}

// failing returns an experiment whose network does not pass the signal: 24 post-norm layers with a weak skip
// connection.
func failing() *Experiment {
	e := New()
	e.Layers, e.Dim, e.Heads, e.Width, e.Tokens, e.Activation = 24, 64, 4, 64, 32, "relu"
	e.Query, e.Value, e.Hidden, e.Output, e.Projection = 0.024, 0.0559, 0.0559, 0.0559, nil
	e.AlphaSA, e.Types = 0.5, 0
	return e
}

// The flags of a suggested change, given to the same command, lead to the cosine that the change promises.
// Changes are sorted by their effect.
func TestFlagsOfChanges(t *testing.T) {
	e := failing()
	a, err := e.advise()
	if err != nil || a.Passes || len(a.Changes) == 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	passing, before := 0, stack.Change{Passes: true}
	for _, c := range a.Changes {
		if c.Passes && !before.Passes || c.Passes == before.Passes && c.Signal.Cosine < before.Signal.Cosine {
			t.Errorf("%s is below one of less effect", e.changeText(c))
		}
		before = c
		text := e.changeText(c)
		words := strings.Fields(text[strings.Index(text, "--"):])
		changed := failing()
		for k := 0; k+1 < len(words); k += 2 {
			at := slices.IndexFunc(changed.Parameters(),
				func(p parameter.Parameter) bool { return "--"+p.Name == words[k] })
			if at < 0 {
				t.Fatalf("no flag %s", words[k])
			}
			must.Do(t, changed.Parameters()[at].Set(words[k+1]))
		}
		after, err := changed.advise()
		if err != nil || !(math.Abs(after.Cosine-c.Signal.Cosine) <= 0.003) {
			t.Errorf("%s: cosine %g, promised %g, %v", text, after.Cosine, c.Signal.Cosine, err)
		}
		if c.Passes && c.Kind < stack.NormBefore {
			passing++
		}
	}
	if passing < 3 {
		t.Errorf("%d changes pass", passing)
	}
}

// The report has the numbers of its sections. Some of them follow from d, σ and T alone: S = 768·0.02², β =
// S/√log 128, w = S. Values that are not known are not shown as NaN.
func TestPage(t *testing.T) {
	e := New()
	table := experimenttest.Table(t, e, run.Options{})
	var page strings.Builder
	must.Do(t, e.Describe(&page, table))
	for _, want := range []string{
		"12 post-norm layers of dimension 768: attention of 12 heads, an MLP of 3072 (gelu), 128 tokens.",
		"β = 0, S = 0.3072", " 0.1395 ", "w = 0.3072", "σ²/L = 0.0001229",
		"d-2 = 766; they would stay above β_c = 3.667",
		"+1 attracting, -1 entrance", "The signal passes",
		"Deviations of weights: queries and keys 0.02, values 0.02, projection 0.02, MLP 0.02 and 0.02, " +
			"biases 0. Input: different words with learned positions and 2 types.",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is not in\n%s", want, page.String())
		}
	}
	for _, line := range strings.Split(page.String(), "\n") {
		if strings.Contains(line, "NaN") {
			t.Errorf("%s", line)
		}
	}
}

// For models with rotary positions, which have no embeddings of positions, the report says what the theory
// leaves out; for others it does not.
func TestPageOfRotaryPositions(t *testing.T) {
	for model, want := range map[string]bool{llama: true, bert: false, gpt2: false, vit: false} {
		e := tiny(t, model)
		e.Check = 0
		var page strings.Builder
		must.Do(t, e.Describe(&page, experimenttest.Table(t, e, run.Options{})))
		got := strings.Contains(page.String(), "The theory does not include rotary positions")
		if got != want {
			t.Errorf("%s: %t", model, got)
		}
	}
}

// For wide scores the report says that its means do not hold; for others it does not.
func TestPageOfWideScores(t *testing.T) {
	longtest.Only(t)
	for deviation, want := range map[float64]bool{0.05: false, 0.08: false, 0.12: true} {
		e := tiny(t, gpt2)
		e.Check, e.Query = 0, deviation
		var page strings.Builder
		must.Do(t, e.Describe(&page, experimenttest.Table(t, e, run.Options{})))
		got := strings.Contains(page.String(), "standard deviations below about 1. In layer 1")
		if got != want {
			t.Errorf("deviation %g: %t\n%s", deviation, got, &page)
		}
	}
}

// Bands contain the networks even if the random weights of few heads and tokens decide. 60 networks with the
// same seed are in it on average in at least 94 % of the layers; those of infinitely many heads hold 70 to
// 80 %.
func TestBandsOfFewHeads(t *testing.T) {
	longtest.Only(t)
	for _, model := range []string{gpt2, bert} {
		for _, tokens := range []int64{2, 3} {
			e := tiny(t, model)
			e.Norm, e.Bias = "pre-norm", 0.1
			e.Layers, e.Heads, e.Tokens, e.Query, e.Value, e.Check = 4, 2, tokens, 0.062, 0.1, 60
			projection := 0.07
			e.Projection = &projection
			rows, err := data.RowsOf[Row](experimenttest.Table(t, e, run.Options{Seed: 4}))
			must.Do(t, err)
			inside := 0.
			for _, r := range rows[1:] {
				inside += r.Inside / 4
			}
			if !(inside >= 0.94) {
				t.Errorf("%s, %d tokens: %.3f of the cosines are in the band", model, tokens, inside)
			}
			t.Logf("%s, %d tokens: %.3f", model, tokens, inside)
		}
	}
}

// JSON has the same numbers, the changes, and an entry for each layer.
func TestJSON(t *testing.T) {
	e := failing()
	var text bytes.Buffer
	must.Do(t, e.WriteJSON(&text, experimenttest.Table(t, e, run.Options{})))
	var got struct {
		Spread  float64
		Passes  bool
		Changes []struct {
			Change string
			Passes bool
		}
		Layers []struct{ Cosine float64 }
	}
	must.Do(t, json.Unmarshal(text.Bytes(), &got))
	if !(math.Abs(got.Spread-64*0.024*0.024) <= 1e-12) || got.Passes || len(got.Changes) != 7 ||
		len(got.Layers) != 25 {
		t.Errorf("%+v", got)
	}
}
