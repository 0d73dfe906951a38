package advise

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/internal/huggingface"
	"antipode/experiments/run"
	"antipode/overlap/stack"
	"antipode/sde/network"
	"antipode/sphere/must"
)

// Layers in which a kind of weights has no gradient are left out of its line, and so is the whole kind if the
// last layer has none, as all are divided by it. Networks without gradients in a layer have no dot there.
func TestGradientsThatAreZero(t *testing.T) {
	e, rows := checked(t)
	rows[1].GradientQuery, rows[2].GradientValue, rows[1].GradientHidden = 0, 0, math.NaN()
	rows[1].SimInput, rows[2].SimOutput = 0, 0
	drawn := figuretest.Draw(t, e, experimenttest.TableOf(t, e, rows...))
	p := figuretest.Read(t, drawn, 1, "Gradients by layer", "layer", "squared norm over the last layer's")
	stroke := func(k int) figure.Stroke {
		return figure.Stroke{Color: figure.SeriesColors[k], Width: 1.2,
			Dashes: figure.SeriesDashes[k%len(figure.SeriesDashes)]}
	}
	p.Has(figuretest.LineOf(stroke(0), 1, 4, 2, 1))
	p.Has(figuretest.DotsOf(0, 2, 1, 1, 1)) // the first layer's is 0
	p.Has(figuretest.LineOf(stroke(1), 2, 1))
	p.Has(figuretest.DotsOf(1, 2, 1, 1, 1))
	p.Has(figuretest.LineOf(stroke(3), 2, 1))
	p.Has(figuretest.LineOf(stroke(4), 1, 3.5, 2, 1))
	p.Has(figuretest.DotsOf(4)) // the last layer's is 0
	p.Count(8)
	figuretest.Key(t, drawn.Key, drawn.Panels, "input", "queries", "MLP's first", "MLP's second")
	p.Range(p.X, -0.3, 2.3)
}

// A table without the row of a layer is refused by report and figure, which name the layer.
func TestMissingLayers(t *testing.T) {
	e, rows := checked(t)
	for missing := range rows {
		some := slices.Delete(slices.Clone(rows), missing, missing+1)
		table := experimenttest.TableOf(t, e, some...)
		want := fmt.Sprintf("layer %d is missing: the table must have all from 0 to 2", missing)
		if _, err := e.Draw(table); err == nil || err.Error() != want {
			t.Errorf("figure: %v, want %q", err, want)
		}
		if err := e.Describe(new(strings.Builder), table); err == nil || err.Error() != want {
			t.Errorf("report: %v, want %q", err, want)
		}
	}
}

// The divisor that is suggested for the number of heads is the nearest one, and of two the greater.
func TestNearestDivisor(t *testing.T) {
	for n := int64(2); n <= 60; n++ {
		for k := int64(1); k <= 70; k++ {
			want, distance := int64(0), int64(1000)
			for d := n; d >= 1; d-- { // the greater divisors first
				if off := max(d-k, k-d); n%d == 0 && off < distance {
					want, distance = d, off
				}
			}
			if got := divisor(n, k); got != want {
				t.Fatalf("of %d near %d: %d, want %d", n, k, got, want)
			}
		}
	}
}

// The report warns if the limit of the cosine lies in the band of the last layer, and if gradients differ by
// more than a factor of ten.
func TestWarnings(t *testing.T) {
	rows := []Row{{Low: 0, High: 1}, {Low: 0.5, High: 0.75}}
	for limit, near := range map[float64]bool{0.25: false, 0.5: false, 0.5625: true, 0.75: false,
		0.875: false} {
		if got := nearLimit(rows, limit); (got != "") != near {
			t.Errorf("limit %g: %q", limit, got)
		}
	}
	for growth, unequal := range map[float64]bool{0.0999: true, 0.1: false, 1: false, 10: false, 10.001: true,
		math.Inf(1): true, 0: true} {
		if got := unequalGradients(growth); (got != "") != unequal {
			t.Errorf("growth %g: %q", growth, got)
		}
	}
	if got := unequalGradients(math.Inf(1)); !strings.Contains(got, "infinitely many times") {
		t.Errorf("%q", got)
	}
	for margin, want := range map[float64]string{0.99: "is condensed", 1: "begins to condense",
		stack.SafeMargin - 0.001: "begins to condense", stack.SafeMargin: "is spread"} {
		if got := condensed(margin); !strings.Contains(got, want) {
			t.Errorf("margin %g: %s, want %q", margin, got, want)
		}
	}
	for ratio, want := range map[float64]string{1: "1 times the needed strength",
		0.999: "only 0.999 of the needed strength", math.Inf(1): "any is enough"} {
		if got := side(ratio); got != want {
			t.Errorf("ratio %g: %s, want %q", ratio, got, want)
		}
	}
	for x, want := range map[float64]bool{-0.001: false, 0: true, 0.5: true, 1: true, 1.001: false,
		1 + 1e-12: true} {
		if got := within(0, x, 1); got != want {
			t.Errorf("%g is in the band: %v", x, got)
		}
	}
}

// If all networks are inside, their fraction is exactly 1, whatever their number.
func TestFractions(t *testing.T) {
	for networks := 1; networks < 300; networks++ {
		runs := make([][]network.Layer, networks)
		for k := range runs {
			runs[k] = []network.Layer{{Cosine: 0.5, StableRank: 2}}
		}
		row := Row{Low: 0.4, High: 0.6, RankLow: 1, RankHigh: 3}
		if row.simulate(runs, 0); row.Inside != 1 || row.RankInside != 1 {
			t.Errorf("%d networks: %v and %v inside", networks, row.Inside, row.RankInside)
		}
		runs[0] = []network.Layer{{Cosine: 0.3, StableRank: 4}}
		want := float64(networks-1) / float64(networks)
		if row.simulate(runs, 0); row.Inside != want || row.RankInside != want {
			t.Errorf("%d networks: %v and %v inside, want %v", networks, row.Inside, row.RankInside, want)
		}
	}
}

// The input of a given cosine is in its band, which has no width, and so is its stable rank, which is known.
func TestGivenInput(t *testing.T) {
	for _, start := range []float64{0, 0.5, 0.9} {
		e := New()
		e.Norm, e.Input, e.Start, e.Activation = "pre-norm", given, start, "relu"
		e.Layers, e.Dim, e.Heads, e.Width, e.Tokens, e.Check = 1, 64, 1, 64, 40, 20
		deviation := 0.125
		e.Value, e.Projection = deviation, &deviation
		e.Positions, e.Types = false, 0
		rows, err := data.RowsOf[Row](experimenttest.Table(t, e, run.Options{Seed: 2}))
		must.Do(t, err)
		if r := rows[0]; r.Inside != 1 || r.RankInside != 1 || !(math.Abs(r.SimRank/r.StableRank-1) <= 1e-9) {
			t.Errorf("cosine %g: inside %g and %g, rank %g, simulated %g", start, r.Inside, r.RankInside,
				r.StableRank, r.SimRank)
		}
		r := rows[1]
		if !(math.Abs(r.SimCosine-r.Cosine) <= 0.02) || !(r.Inside >= 0.9) || !(r.RankInside >= 0.9) {
			t.Errorf("cosine %g: %g after the layer, simulated %g; inside %g and %g", start, r.Cosine,
				r.SimCosine, r.Inside, r.RankInside)
		}
		if !(math.Abs(r.SimRank/r.StableRank-1) <= 0.2) {
			t.Errorf("cosine %g: rank %g, simulated %g", start, r.StableRank, r.SimRank)
		}
	}
}

// Without a skip connection none may be needed: the report does not divide 0 by 0.
func TestNoSkipConnectionIsNeeded(t *testing.T) {
	e := New()
	e.Layers, e.Tokens, e.Collapse, e.AlphaSA = 1, 8, 0.999, 0
	var report strings.Builder
	must.Do(t, e.Describe(&report, experimenttest.Table(t, e, run.Options{Seed: 1})))
	if text := report.String(); !strings.Contains(text, "α_c = 0, α_SA = 0: any is enough") ||
		strings.Contains(text, "NaN") || strings.Contains(text, "overlap:") {
		t.Errorf("%s", text)
	}
}

// Changes with which the signal passes come first, and then those with the smallest cosines; queries and keys
// stay where they are.
func TestOrderOfChanges(t *testing.T) {
	change := func(kind stack.Kind, passes bool, cosine float64) stack.Change {
		return stack.Change{Kind: kind, Passes: passes, Signal: stack.Signal{Cosine: cosine}}
	}
	for name, test := range map[string]struct{ given, want []stack.Change }{
		"none": {nil, nil},
		"with queries": {
			[]stack.Change{change(stack.QueriesKeys, false, 0.9), change(stack.Skips, false, 0.5),
				change(stack.Values, true, 0.7), change(stack.NormBefore, true, 0.6)},
			[]stack.Change{change(stack.QueriesKeys, false, 0.9), change(stack.NormBefore, true, 0.6),
				change(stack.Values, true, 0.7), change(stack.Skips, false, 0.5)}},
		"without": {
			[]stack.Change{change(stack.Skips, false, 0.5), change(stack.Values, false, 0.25),
				change(stack.NormBefore, true, 0.9)},
			[]stack.Change{change(stack.NormBefore, true, 0.9), change(stack.Values, false, 0.25),
				change(stack.Skips, false, 0.5)}},
	} {
		if sortByEffect(test.given); !slices.Equal(test.given, test.want) {
			t.Errorf("%s: %+v", name, test.given)
		}
	}
}

// Numbers that are not finite, and layers that are not reached, are null in JSON.
func TestNullsInJSON(t *testing.T) {
	for x, want := range map[float64]string{0: "0", -1.5: "-1.5", math.Inf(1): "null", math.Inf(-1): "null"} {
		if got := string(must.Get(json.Marshal(data.FiniteOrNil(x)))(t)); got != want {
			t.Errorf("%g: %s", x, got)
		}
	}
	if data.FiniteOrNil(math.NaN()) != nil {
		t.Error("NaN")
	}
	for layer, want := range map[int]string{-1: "null", 0: "0", 3: "3"} {
		if got := string(must.Get(json.Marshal(reached(layer)))(t)); got != want {
			t.Errorf("layer %d: %s", layer, got)
		}
	}
	if x := orNaN(3, true); x != 3 {
		t.Errorf("%g", x)
	}
	if x := orNaN(3, false); x == x {
		t.Errorf("%g", x)
	}
}

// A config.json may have the values at the limits of the parameters and none beyond, and a smaller image than
// a patch is refused.
func TestLimitsOfConfigs(t *testing.T) {
	const bert, vit = `"model_type":"bert","num_hidden_layers":2,"hidden_size":64,"num_attention_heads":4`,
		`"model_type":"vit","num_hidden_layers":2,"hidden_size":64,"num_attention_heads":4`
	const llama = `"model_type":"llama","num_hidden_layers":2,"hidden_size":64,"intermediate_size":8`
	for text, want := range map[string]string{
		bert: "", bert + `,"num_hidden_layers":1000`: "",
		bert + `,"num_hidden_layers":1001`: "num_hidden_layers",
		bert + `,"num_hidden_layers":0`:    "num_hidden_layers",
		bert + `,"num_attention_heads":5`:  "do not divide",
		bert + `,"type_vocab_size":0`:      "", bert + `,"type_vocab_size":-1`: "type_vocab_size",
		bert + `,"max_position_embeddings":2`: "",
		bert + `,"max_position_embeddings":1`: "max_position_embeddings",
		bert + `,"layer_norm_eps":1`:          "", bert + `,"layer_norm_eps":1.5`: "layer_norm_eps",
		vit + `,"image_size":32,"patch_size":32`:                   "",
		vit + `,"image_size":31,"patch_size":32`:                   "at least patch_size",
		llama + `,"num_attention_heads":4,"num_key_value_heads":2`: "",
		llama + `,"num_attention_heads":4,"num_key_value_heads":3`: "must divide the 4 heads",
		llama + `,"num_attention_heads":4,"num_key_value_heads":5`: "num_key_value_heads",
	} {
		var fields map[string]any // the last of equal fields counts
		must.Do(t, json.Unmarshal([]byte("{"+text+"}"), &fields))
		c, err := huggingface.Parse(must.Get(json.Marshal(fields))(t))
		if err == nil {
			err = New().beConfig(c)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	be := func(text string) *Experiment {
		e := New()
		must.Do(t, e.beConfig(must.Get(huggingface.Parse([]byte("{"+text+"}")))(t)))
		return e
	}
	// 2 × 2 patches and the class token
	if e := be(vit + `,"image_size":70,"patch_size":32`); e.Tokens != 5 || e.Features != 3*32*32 {
		t.Errorf("%d tokens of %d features", e.Tokens, e.Features)
	}
	e := be(bert + `,"max_position_embeddings":100`)
	if e.Tokens != 100 || e.Types != 2 || e.Width != 256 {
		t.Errorf("%d tokens, %d types, width %d", e.Tokens, e.Types, e.Width)
	}
}

// The diffusion of two tokens is not known for some architectures, and the reason is said.
func TestReasonsWithoutADiffusion(t *testing.T) {
	for want, change := range map[string]func(e *Experiment){
		"":                               func(e *Experiment) {},
		"no MLP with gates or with silu": func(e *Experiment) { e.Gated = true },
		"MLP with gates or with silu":    func(e *Experiment) { e.Activation = stack.SiLU.String() },
		"no LayerNorm behind a branch": func(e *Experiment) {
			e.Norm = stack.PlacementNames[stack.PeriNorm]
		},
		"no biases":                       func(e *Experiment) { e.Bias = 0.1 },
		"all tokens attend to each other": func(e *Experiment) { e.Causal = true },
		"values have no noise":            func(e *Experiment) { e.Value = 0 },
		"has both skip connections":       func(e *Experiment) { e.AlphaSA, e.AlphaMLP = 0, 0 },
		"diffusion has both skip":         func(e *Experiment) { e.AlphaMLP = 0 },
		"the MLP is above 1e+06 times":    func(e *Experiment) { e.AlphaMLP = 1e-4 },
		"the dimension is above 10,000":   func(e *Experiment) { e.Dim = 10_001; e.Heads = 1 },
	} {
		e := New()
		e.Layers, e.Dim, e.Heads, e.Width, e.Tokens = 2, 64, 4, 64, 8
		change(e)
		k := must.Get(stack.New(e.shape()))(t)
		var a advice
		must.Do(t, a.twoTokens(k))
		if (a.LimitUnknown == "") != (want == "") || !strings.Contains(a.LimitUnknown, want) ||
			(a.PlusOne == "") != (want != "") {
			t.Errorf("%q, want %q; ends %q and %q", a.LimitUnknown, want, a.PlusOne, a.MinusOne)
		}
	}
}

// Tokens that a layer takes to 0 are refused by the strength of the skip connection, with and without
// simulated networks, and no row is written.
func TestTokensThatBecomeZero(t *testing.T) {
	for _, check := range []int64{0, 1} {
		e := New()
		e.Layers, e.Dim, e.Heads, e.Width, e.Tokens, e.Check = 2, 4, 1, 4, 3, check
		e.AlphaSA, e.Value = 0, 0
		table := data.NewTable(run.Schema(e, 1))
		err := e.Run(t.Context(), run.Options{Seed: 1}, table)
		experimenttest.CheckRefused(t, err, "alpha-sa", "the tokens become 0")
		if table.Rows() != 0 {
			t.Errorf("--check %d: %d rows", check, table.Rows())
		}
		_, err = e.advise()
		experimenttest.CheckRefused(t, err, "alpha-sa", "the tokens become 0")
	}
}

// Architectures that are out of the domain of the theory of two tokens have no ends, and the advice says why.
func TestArchitecturesOutOfTheLimit(t *testing.T) {
	for want, change := range map[string]func(e *Experiment){
		"":                                       func(*Experiment) {},
		"the MLP is above 1e+06 times as strong": func(e *Experiment) { e.Value = 1e-5 },
	} {
		e := New()
		e.Layers, e.Dim, e.Heads, e.Width, e.Tokens, e.Causal = 2, 4, 1, 4, 3, false
		change(e)
		a := experimenttest.Must(e.advise())
		if !strings.Contains(a.LimitUnknown, want) || (want == "") != (a.LimitUnknown == "") ||
			(want == "") != (a.PlusOne != "" && a.MinusOne != "") {
			t.Errorf("%s: %q, ends %q and %q", want, a.LimitUnknown, a.PlusOne, a.MinusOne)
		}
	}
}
