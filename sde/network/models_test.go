package network

import (
	"math"
	"strings"
	"testing"

	"antipode/sde/internal/rowwise"
)

// measuredParameters returns the parameters of a network without their values.
func measuredParameters(n Network) *register {
	r := newRegister()
	d := &drafter{Network: n, register: r, tokens: n.Tokens, measure: true}
	d.transformer(&Workspace{})
	return r
}

// The numbers of parameters are those of the models without heads for their tasks: 108,891,648 for
// BERT-base with 512 positions, 124,439,808 for GPT-2 with 1024 positions, and 85,798,656 for ViT-base
// with 197 positions. Here each branch has two additional strengths. Weights have standard deviation
// 0.02, and 0.02/√24 for the last maps of the branches of GPT-2.
func TestModels(t *testing.T) {
	for name, c := range map[string]struct {
		n     Network
		size  int
		last  float64
		norm  Placement
		first string
	}{
		"BERT":  {BERT(512), 108_891_648, 0.02, PostNorm, "embedding.word.weight"},
		"GPT-2": {GPT2(1024), 124_439_808, 0.00408248290463863, PreNorm, "embedding.word.weight"},
		"ViT":   {ViT(197), 85_798_656, 0.02, PreNorm, "embedding.vector.weight"},
	} {
		r := measuredParameters(c.n)
		if r.size != c.size+4*12 || c.n.Norm != c.norm || r.parameters[0].Name != c.first {
			t.Errorf("%s, %v: %d parameters from %s", name, c.n.Norm, r.size, r.parameters[0].Name)
		}
		for _, p := range r.parameters {
			want := 0.02
			switch {
			case strings.HasSuffix(p.Name, "projection.weight"), strings.HasSuffix(p.Name,
				"mlp.output.weight"):
				want = c.last
			case strings.HasSuffix(p.Name, "bias"):
				want = 0
			case strings.HasSuffix(p.Name, "gain"), strings.HasSuffix(p.Name,
				"skip"), strings.HasSuffix(p.Name, "strength"):
				want = 1
			}
			if !(math.Abs(p.law.scale-want) <= 1e-12) {
				t.Errorf("%s: %s has %v", name, p.Name, p.law.scale)
			}
		}
		if err := c.n.Validate(); err != nil {
			t.Error(err)
		}
	}
	for name, c := range map[string][2]float64{ // what else there is to know
		"epsilon of BERT": {BERT(5).LayerNorm.Epsilon, 1e-12}, "epsilon of GPT-2": {GPT2(5).LayerNorm.Epsilon,
			1e-5},
		"epsilon of ViT": {ViT(5).LayerNorm.Epsilon, 1e-12},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %v", name, c[0])
		}
	}
	if BERT(5).Causal || !GPT2(5).Causal || ViT(5).Causal || BERT(5).Activation != GELU ||
		GPT2(5).Activation != GELUTanh || ViT(5).Activation != GELU {
		t.Error("another mask or activation")
	}
}

// The mean square of every weight agrees with its variance within five standard errors.
func TestVariances(t *testing.T) {
	n := Network{
		Tokens: 30, Dim: 40, Layers: 1, Heads: 2, KeyDim: 50, Width: 90, Projection: true, Biases: true,
		QueryKey2: 1, Value2: 2, Projection2: 3, Hidden2: 4, Output2: 5, Bias2: 6,
		Input: Embedded, Embedding: Embedding{Vocabulary: 60, Positions: LearnedPositions, Types: 20,
			Variance: 7},
	}
	transformer, err := New(n, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range transformer.Parameters {
		want, special := map[string]float64{
			"query.weight": 1. / 40, "key.weight": 1. / 40, "value.weight": 2. / 40,
			"projection.weight": 3. / 40, "hidden.weight": 4. / 40, "output.weight": 5. / 90,
			"word.weight": 7, "position.weight": 7, "type.weight": 7,
		}[p.Name[1+strings.LastIndexAny(strings.TrimSuffix(p.Name, ".weight"), "."):]]
		if strings.HasSuffix(p.Name, "bias") && !strings.Contains(p.Name, "norm") {
			want, special = 6, true
		}
		count := float64(len(p.Value))
		got := rowwise.Dot(p.Value, p.Value) / count
		if special && !(math.Abs(got/want-1) <= 5*math.Sqrt(2/count)) || !special && got != 1 && got != 0 {
			t.Errorf("%s: mean square %v, want %v", p.Name, got, want)
		}
	}
}
