package weights

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"antipode/experiments/measure/arrays"
	"antipode/sphere/must"
)

// filled returns an array of the given shape with equal entries.
func filled(x float64, shape ...int) numbered {
	count := 1
	for _, n := range shape {
		count *= n
	}
	a := numbered{shape, make([]float64, count)}
	for k := range a.numbers {
		a.numbers[k] = x
	}
	return a
}

// embeddings returns the embeddings of a model of the family gpt2.
func embeddings(words, positions numbered) map[string]numbered {
	return map[string]numbered{"wte.weight": words, "wpe.weight": positions}
}

// The size of the tokens of a pre-norm model is the sum of the mean squares of its embeddings. Without all of
// them, or if they are 0 or of another shape, it is not known, and nothing is predicted.
func TestSizeOfEmbeddings(t *testing.T) {
	nan := math.NaN()
	for k, c := range []struct {
		family   string
		more     map[string]numbered
		want     float64
		refused  string
		predicts bool
	}{
		{"gpt2", nil, nan, "", false},
		{"gpt2", embeddings(filled(3, 7, 12), filled(-2, 5, 12)), 13, "", true},
		{"gpt2", map[string]numbered{"wte.weight": filled(3, 7, 12)}, nan, "", false},
		{"gpt2", embeddings(filled(3, 7, 12), filled(1, 60)), nan, "", false},
		{"gpt2", embeddings(filled(3, 7, 12), filled(1, 12, 5)), nan, "", false},
		{"gpt2", embeddings(filled(0, 7, 12), filled(0, 5, 12)), nan, "", false},
		{"gpt2", embeddings(filled(nan, 7, 12), filled(1, 5, 12)), 0,
			`array "wte.weight" has a number, NaN`, false},
		{"llama", map[string]numbered{"embed_tokens.weight": filled(0.5, 3, 12)}, 0.25, "", true},
		{"bert", nil, 1, "", true},
	} {
		all := arraysOf(c.family, 0.3, rand.New(rand.NewPCG(1, 2)))
		maps.Copy(all, c.more)
		m := must.Get(Open(write(t, "m.npz", npz(t, all)), nil, 3))(t)
		defer m.Close()
		got, err := m.inputSquare()
		p, failed := m.Predict(nil, 1)
		if c.refused != "" {
			checkRefused(t, fmt.Sprint(k), err, c.refused)
			checkRefused(t, fmt.Sprint(k), failed, c.refused)
			continue
		}
		if err != nil || failed != nil ||
			!(math.Abs(got-c.want) <= 1e-12) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%d: %s: %v, want %v, %v, %v", k, c.family, got, c.want, err, failed)
		}
		must.Do(t, p.Pass(must.Get(m.NewMeter(1).Measure(0))(t)))
		overlap := p.Overlap()
		if math.IsNaN(overlap) == c.predicts || c.predicts && !(overlap > 0 && overlap < 1) {
			t.Errorf("%d: %s: overlap %v", k, c.family, overlap)
		}
	}
}

// A sequence of one token has no overlap, and one of two tokens has theirs.
func TestOverlapOfFewTokens(t *testing.T) {
	m := must.Get(Open("testdata/model.safetensors", nil, 0))(t)
	defer m.Close()
	one, two := mat.NewSymDense(1, []float64{1}), mat.NewSymDense(2, []float64{1, 0.3, 0.3, 1})
	for n, want := range map[int]float64{1: math.NaN(), 2: 0.3} {
		s := map[int]Sequence{1: {one, []float64{1}}, 2: {two, []float64{1, 1}}}[n]
		got := must.Get(m.Predict([]Sequence{s}, 1))(t).Overlap()
		if !(math.Abs(got-want) <= 1e-12) && !(n == 1 && math.IsNaN(got)) {
			t.Errorf("%d tokens: %v, want %v", n, got, want)
		}
	}
}

// For a linear MLP with gates, the correlation of the outputs is that of the gates times the overlap, z²; an
// MLP without a variance or with an unknown activation has none.
func TestCorrelationOfGates(t *testing.T) {
	for gated, want := range map[bool]float64{false: 0.5, true: 0.25} {
		phi := must.Get(MLP{Variance: 1}.correlation("linear", gated))(t)
		if got := phi(0.5); !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("gated %v: %v, want %v", gated, got, want)
		}
	}
	m := &Model{Dim: 4, Layout: Families["bert"]}
	p := must.Get(m.Predict(nil, 1))(t)
	if err := p.Pass(Layer{MLP: MLP{Variance: math.NaN()}}); err == nil {
		t.Error("an MLP without a variance")
	}
	m.Layout.Activation = "x"
	if err := p.Pass(Layer{MLP: MLP{Variance: 1}}); err == nil {
		t.Error("an unknown activation")
	}
}

// A model whose matrices do not fit together, or that has too many layers, is refused.
func TestModelsThatDoNotFit(t *testing.T) {
	const output = "encoder.layer.0.attention.output.dense.weight"
	const up = "encoder.layer.0.intermediate.dense.weight"
	const key = "layers.0.self_attn.k_proj.weight"
	bert, llama := Families["bert"], Families["llama"]
	keys := llama
	keys.KeyHeads = 3
	for k, c := range []struct {
		family string
		layout *Layout
		more   map[string]numbered
		want   string
	}{
		{"bert", &llama, nil, `has no array whose name ends in "layers.0.self_attn.o_proj.weight"`},
		{"bert", &bert, nil, ""},
		{"bert", nil, map[string]numbered{output: filled(1, 144)}, "has 1 axes"},
		{"bert", nil, map[string]numbered{up: filled(1, 240)}, "has 1 axes"},
		{"bert", nil, map[string]numbered{output: filled(1, 1, 12)},
			"has dimension 1, 12 of all heads, and MLPs of width 20; must be from 2 to 32768, and at most"},
		{"bert", nil, map[string]numbered{up: filled(1, 0, 12)}, "MLPs of width 0"},
		{"llama", nil, map[string]numbered{key: filled(1, 144)}, "has 1 axes"},
		{"llama", nil, map[string]numbered{key: filled(1, 5, 12)},
			"has keys of 5 dimensions together, which do not belong to 3 heads of 4 dimensions"},
		{"llama", nil, map[string]numbered{key: filled(1, 8, 12)}, "has keys of 8"},
		{"llama", nil, map[string]numbered{key: filled(1, 3, 12)}, "has keys of 3"},
		{"llama", &keys, nil, ""},
		{"llama", &keys, map[string]numbered{key: filled(1, 4, 12)}, "has keys of 4"},
		{"pytorch", nil, map[string]numbered{"layers.1.self_attn.in_proj_weight": filled(math.NaN(), 36, 12)},
			"not finite"},
	} {
		all := arraysOf(c.family, 0.3, rand.New(rand.NewPCG(3, 4)))
		maps.Copy(all, c.more)
		_, err := measureFile(write(t, "m.npz", npz(t, all)), c.layout, 3)
		if checkRefused(t, fmt.Sprint(k), err, c.want); c.want == "" && err != nil {
			t.Errorf("%d: %v", k, err)
		}
	}
	for layers, want := range map[int]string{32767: "", 32768: "has more than 32767 layers"} {
		m := &Model{Layout: Layout{Output: "{layer}"}, byName: map[string]*arrays.Array{}}
		for k := range layers {
			m.byName[fmt.Sprint(k)] = &arrays.Array{}
		}
		if err := m.count([]string{""}); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%d layers: %v", layers, err)
		}
	}
}

// The norm of the embeddings is beside the stack of layers, where the prefix of the names ends in encoder.
func TestNormBesideTheEncoder(t *testing.T) {
	l := Families["bert"]
	for _, pattern := range []*string{&l.Query, &l.Key, &l.Value, &l.Output, &l.Up, &l.Down} {
		*pattern = strings.TrimPrefix(*pattern, "encoder.")
	}
	all := arraysOf("bert", 0.3, rand.New(rand.NewPCG(5, 6)))
	for name, want := range map[string]float64{"embeddings.LayerNorm.weight": 4,
		"encoder.embeddings.LayerNorm.weight": 4, "decoder.embeddings.LayerNorm.weight": 1} {
		some := maps.Clone(all)
		some[name] = filled(2, 12)
		m := must.Get(Open(write(t, "m.npz", npz(t, some)), &l, 3))(t)
		defer m.Close()
		if got := must.Get(m.read(0))(t).attention; got != want {
			t.Errorf("%s: mean square %v, want %v", name, got, want)
		}
	}
}

// The name of a family is that family's layout, and a config.json without an object is an error.
func TestNamesOfFamilies(t *testing.T) {
	layout := must.Get(ReadNames("gpt2"))(t)
	if layout.Fused != "h.{layer}.attn.c_attn.weight" || !layout.InputsFirst {
		t.Errorf("%+v", layout)
	}
	if _, err := fromConfig([]byte("[1]")); err == nil || !strings.Contains(err.Error(), "JSON array") {
		t.Errorf("%v", err)
	}
}

// Invariants beyond the domain of the theory leave the ends unknown.
func TestUnknownEnds(t *testing.T) {
	known := ends(12, 0.1, 0.05, 0, 0.5, 0.3, MLP{}, "gelu")
	if math.IsNaN(known.Plus) || math.IsNaN(known.Minus) {
		t.Fatalf("%+v", known)
	}
	for name, e := range map[string]Ends{
		"NaN of c":        ends(12, 0.1, 0.05, math.NaN(), 0.5, 0.3, MLP{}, "gelu"),
		"a spread NaN":    ends(12, 0.1, 0.05, 0, 0.5, math.NaN(), MLP{}, "gelu"),
		"a variance NaN":  ends(12, 0.1, 0.05, 0, 0.5, 0.3, MLP{Strength: 1, Variance: math.NaN()}, "gelu"),
		"unknown":         ends(12, 0.1, 0.05, 0, 0.5, 0.3, MLP{Strength: 1, Variance: 1}, "silu"),
		"no values":       ends(12, 0, 0, 0, 0.5, 0.3, MLP{}, "gelu"),
		"an infinite one": ends(12, math.Inf(1), 0, 0, 0.5, 0.3, MLP{}, "gelu"),
	} {
		if !math.IsNaN(e.Plus) || !math.IsNaN(e.Minus) {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
