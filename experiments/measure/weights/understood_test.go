package weights

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// withGains returns the arrays of a family and gains of ones with these names.
func withGains(family string, names ...string) map[string]numbered {
	all := arraysOf(family, 0.3, rand.New(rand.NewPCG(11, 12)))
	for _, name := range names {
		all[name] = numbered{[]int{12}, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}
	}
	return all
}

// Layers with norms that the theory's layers do not have are refused, however the matrices are named, and
// layers with the norms of their family are not.
func TestNormsThatAreNotUnderstood(t *testing.T) {
	const queriesAndKeys = "queries or keys are normalised"
	for _, c := range []struct {
		model, family, want string
		names               []string
	}{
		{"Qwen3", "llama", queriesAndKeys, []string{"input_layernorm.weight",
			"post_attention_layernorm.weight", "self_attn.q_norm.weight", "self_attn.k_norm.weight"}},
		{"OLMo 2", "llama", "post_feedforward_layernorm", []string{"post_attention_layernorm.weight",
			"post_feedforward_layernorm.weight", "self_attn.q_norm.weight", "self_attn.k_norm.weight"}},
		{"StableLM", "llama", queriesAndKeys, []string{"input_layernorm.weight",
			"post_attention_layernorm.weight", "self_attn.q_layernorm.norms.0.weight"}},
		{"norm_q", "llama", queriesAndKeys, []string{"self_attn.norm_q.weight"}},
		{"Gemma 2", "llama", "post_feedforward_layernorm", []string{"input_layernorm.weight",
			"post_attention_layernorm.weight", "pre_feedforward_layernorm.weight",
			"post_feedforward_layernorm.weight"}},
		{"decoder of PyTorch", "pytorch", "norm3", []string{"norm1.weight", "norm2.weight", "norm3.weight"}},
		{"decoder like BERT", "bert", "crossattention", []string{"attention.output.LayerNorm.weight",
			"output.LayerNorm.weight", "crossattention.output.LayerNorm.weight"}},
		{"GPT-2 that reads an encoder", "gpt2", "ln_cross_attn", []string{"ln_1.weight", "ln_2.weight",
			"ln_cross_attn.weight"}},
		{"BERT", "bert", "", []string{"attention.output.LayerNorm.weight", "output.LayerNorm.weight"}},
		{"old BERT", "bert", "", []string{"attention.output.LayerNorm.gamma", "output.LayerNorm.gamma"}},
		{"GPT-2", "gpt2", "", []string{"ln_1.weight", "ln_1.bias", "ln_2.weight", "ln_2.bias"}},
		{"ViT", "vit", "", []string{"layernorm_before.weight", "layernorm_after.weight",
			"layernorm_after.bias"}},
		{"Llama", "llama", "", []string{"input_layernorm.weight", "post_attention_layernorm.weight"}},
		{"PyTorch", "pytorch", "", []string{"norm1.weight", "norm2.weight"}},
	} {
		stem, _, _ := strings.Cut(Families[c.family].Output, number)
		var names []string
		for layer := range 2 {
			for _, name := range c.names {
				names = append(names, fmt.Sprint(stem, layer, ".", name))
			}
		}
		path := write(t, "m.safetensors", safetensors(withGains(c.family, names...), nil))
		family := Families[c.family]
		own := must.Get(ReadNames(write(t, "names.json", []byte(`{"like":"`+c.family+`","heads":3}`))))(t)
		for how, layout := range map[string]*Layout{"auto": nil, "family": &family, "map": own} {
			_, err := measureFile(path, layout, 3)
			if c.want != "" {
				checkRefused(t, c.model+", "+how, err, c.want)
			} else if err != nil {
				t.Errorf("%s, %s: %v", c.model, how, err)
			}
		}
		own.AttentionNorm = "" // a map that leaves norms out says that it ignores norms
		_, err := measureFile(path, own, 3)
		if normalises := strings.Contains(fmt.Sprint(c.names), "q"); normalises != (err != nil) {
			t.Errorf("%s, with a map without a norm: %v", c.model, err)
		}
	}
	_, err := ReadNames(write(t, "config.json", []byte(`{"model_type":"qwen3","num_attention_heads":4}`)))
	checkRefused(t, "config.json of Qwen3", err, "normalises queries and keys")
}

// A matrix that is missing in the middle of a model is an error, and not the end of the model.
func TestMissingLayer(t *testing.T) {
	for _, family := range families {
		all := arraysOf(family, 0.3, rand.New(rand.NewPCG(13, 14)))
		l := Families[family]
		for _, missing := range l.matrices() {
			fewer := maps.Clone(all)
			delete(fewer, withLayer(missing, 1))
			_, err := measureFile(write(t, "m.safetensors", safetensors(fewer, nil)), nil, 3)
			checkRefused(t, family+" without "+missing, err, `has no array "`+withLayer(missing, 1))
		}
		if last := all[withLayer(l.Down, 1)]; len(last.numbers) > 0 {
			all[withLayer(l.Down, 7)] = last
		}
		_, err := measureFile(write(t, "m.safetensors", safetensors(all, nil)), nil, 3)
		checkRefused(t, family+" with a matrix of layer 7", err, `has no array "`+withLayer(l.Output, 2))
	}
}

// The sizes in config.json must be those of the weights.
func TestSizesOfTheConfiguration(t *testing.T) {
	path := write(t, "m.safetensors", safetensors(arraysOf("gpt2", 0.3, rand.New(rand.NewPCG(15, 16))), nil))
	for fields, want := range map[string]string{
		`"n_layer":12`:                            "has 2 layers; must have the 12 of its configuration",
		`"n_embd":777`:                            "has dimension 12; must have the 777 of its configuration",
		`"n_layer":2,"n_embd":12`:                 "",
		`"num_hidden_layers":2,"hidden_size":12`:  "",
		`"num_hidden_layers":null,"n_inner":null`: "",
	} {
		layout := must.Get(ReadNames(write(t, "config.json", []byte(
			`{"model_type":"gpt2","n_head":3,`+fields+`}`))))(t)
		_, err := measureFile(path, layout, 0)
		checkRefused(t, fields, err, want)
		if want == "" && err != nil {
			t.Errorf("%s: %v", fields, err)
		}
	}
}

// The embeddings of ELECTRA may be narrower than its tokens, into which a matrix maps them after their norm.
// Attention of the first layer then reads tokens whose mean square is that of this matrix times the gains.
func TestProjectedEmbeddings(t *testing.T) {
	all := arraysOf("bert", 0.3, rand.New(rand.NewPCG(17, 18)))
	projection := numbered{[]int{12, 3}, make([]float64, 36)}
	gains := numbered{[]int{3}, []float64{2, 0.5, -1}}
	want := 0.
	for k := range projection.numbers {
		projection.numbers[k] = math.Sin(float64(k))
		x := projection.numbers[k] * gains.numbers[k%3]
		want += x * x / 12
	}
	for _, prefix := range []string{"", "electra."} {
		named := map[string]numbered{prefix + "embeddings.LayerNorm.weight": gains,
			prefix + "embeddings_project.weight": projection}
		for name, a := range all {
			named[prefix+name] = a
		}
		path := write(t, "m.safetensors", safetensors(named, nil))
		must.Get(measureFile(path, nil, 3))(t)
		m := must.Get(Open(path, nil, 3))(t)
		r := must.Get(m.read(0))(t)
		if math.Abs(r.attention-want) > 1e-12*want || want < 0.5 {
			t.Errorf("attention reads tokens of mean square %v, want %v", r.attention, want)
		}
		if next := must.Get(m.read(1))(t); next.attention != 1 {
			t.Errorf("attention of layer 2 reads tokens of mean square %v", next.attention)
		}
		must.Do(t, m.Close())
		named[prefix+"embeddings_project.weight"] = numbered{[]int{3, 12}, projection.numbers}
		_, err := measureFile(write(t, "m.safetensors", safetensors(named, nil)), nil, 3)
		checkRefused(t, "transposed projection", err, "embeddings_project.weight")
		delete(named, prefix+"embeddings_project.weight")
		_, err = measureFile(write(t, "m.safetensors", safetensors(named, nil)), nil, 3)
		checkRefused(t, "no projection", err, "must be of 12 gains")
	}
}
