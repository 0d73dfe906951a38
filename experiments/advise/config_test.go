package advise

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// written writes a file with the given content and returns its path.
func written(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.json")
	must.Do(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// The configuration file of a model sets the same parameters as its name.
func TestConfigsOfModels(t *testing.T) {
	for model, content := range map[string]string{
		bert: `{"model_type": "bert", "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
			"intermediate_size": 3072, "hidden_act": "gelu", "initializer_range": 0.02,
				"layer_norm_eps": 1e-12,
			"max_position_embeddings": 512, "type_vocab_size": 2, "vocab_size": 30522}`,
		gpt2: `{"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_inner": null,
			"activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "n_positions": 1024}`,
		vit: `{"model_type": "vit", "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
			"intermediate_size": 3072, "hidden_act": "gelu", "image_size": 224, "patch_size": 16,
			"num_channels": 3, "layer_norm_eps": 1e-12}`,
		llama: `{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
			"num_attention_heads": 32,
			"num_key_value_heads": 32, "intermediate_size": 11008, "hidden_act": "silu", "rms_norm_eps": 1e-6,
			"max_position_embeddings": 4096, "torch_dtype": "float16"}`,
	} {
		want, got := New(), New()
		want.be(model)
		if err := got.configFile().Set(written(t, content)); err != nil {
			t.Errorf("%s: %v", model, err)
			continue
		}
		if want.shape() != got.shape() || want.network() != got.network() || got.Heads != want.Heads {
			t.Errorf("%s: %+v, want %+v", model, got, want)
		}
		if !strings.Contains(got.Config, "#sha256:") {
			t.Errorf("%s: no checksum in %s", model, got.Config)
		}
	}
}

// with returns the configuration of a small BERT in which one field has another value, or is missing if the
// value is "".
func with(field, value string) string {
	fields := []string{}
	for _, pair := range [][2]string{{"model_type", `"bert"`}, {"hidden_size", "48"}, {"num_hidden_layers",
		"3"},
		{"num_attention_heads", "4"}, {"intermediate_size", "96"}} {
		if pair[0] == field {
			if pair[1] = value; value == "" {
				continue
			}
			field = ""
		}
		fields = append(fields, fmt.Sprintf("%q: %s", pair[0], pair[1]))
	}
	if field != "" && value != "" {
		fields = append(fields, fmt.Sprintf("%q: %s", field, value))
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// of returns the configuration of a small model of the given type, in which one field has another value.
func of(model, field, value string) string {
	return strings.Replace(with(field, value), "bert", model, 1)
}

// An invalid file gives a short error of one line that says what is wrong, and changes no parameter.
func TestHostileConfigs(t *testing.T) {
	for k, c := range []struct{ content, want string }{
		{"", "not JSON"},
		{"layers: 3", "not JSON"},
		{"{", "not JSON"},
		{"{}", "no field model_type"},
		{"[1, 2]", "has a JSON array"},
		{"null", "has a JSON null"},
		{`"bert"`, "has a JSON string"},
		{"12", "has a JSON number"},
		{"\x00\x01\xff", "not JSON"},
		{with("hidden_size", "48") + "}", "not JSON"},
		{strings.Repeat("[", 100_000), "not JSON"},
		{strings.Repeat(`{"a":`, 20_000), "not JSON"},
		{with("initializer_range", "NaN"), "not JSON"},
		{with("initializer_range", "Infinity"), "not JSON"},
		{with("model_type", `"t5"`), "field model_type is \"t5\", and must be one of bert"},
		{with("model_type", "7"), "field model_type is 7"},
		{with("model_type", ""), "no field model_type"},
		{with("model_type", "null"), "no field model_type"},
		{with("hidden_size", ""), "no field hidden_size"},
		{with("hidden_size", "-48"), "field hidden_size is -48, and must be a whole number from 2 to 65536"},
		{with("hidden_size", "48.5"), "field hidden_size is 48.5"},
		{with("hidden_size", `"48"`), `field hidden_size is "48"`},
		{with("hidden_size", "1e300"), "field hidden_size is 1e300"},
		{with("hidden_size", "1e999"), "field hidden_size is 1e999"},
		{with("hidden_size", "[48]"), "field hidden_size is [48]"},
		{with("hidden_size", "true"), "field hidden_size is true"},
		{with("hidden_size", "9223372036854775808"), "field hidden_size is 9223372036854775808"},
		{with("num_hidden_layers", "0"), "field num_hidden_layers is 0, and must be a whole number from " +
			"1 to"},
		{with("num_hidden_layers", "{}"), "field num_hidden_layers is {}"},
		{with("num_hidden_layers", ""), "no field num_hidden_layers"},
		{with("num_attention_heads", "5"), "5 heads do not divide the dimension 48"},
		{with("num_attention_heads", ""), "no field num_attention_heads"},
		{with("intermediate_size", "0"), "field intermediate_size is 0"},
		{with("initializer_range", "-0.02"), "field initializer_range is -0.02, and must be a number from 0"},
		{with("initializer_range", "1e30"), "field initializer_range is 1e30"},
		{with("initializer_range", `"0.02"`), "field initializer_range is"},
		{with("initializer_range", "0"), "embedding-deviation 0"},
		{with("initializer_range", "50"), "queries and keys"},
		{with("hidden_act", `"mish"`), "field hidden_act is \"mish\", and must be one of gelu"},
		{with("hidden_act", `{"name": "gelu"}`), "field hidden_act is"},
		{with("hidden_act", `"`+strings.Repeat("g", 100_000)+`"`), "field hidden_act is"},
		{with("type_vocab_size", "-1"), "field type_vocab_size is -1"},
		{with("layer_norm_eps", "-1e-12"), "field layer_norm_eps is -1e-12"},
		{with("max_position_embeddings", "1"), "field max_position_embeddings is 1"},
		{strings.Replace(with("patch_size", "300"), "bert", "vit", 1), "image_size must be at least " +
			"patch_size"},
		{strings.Replace(with("patch_size", "0"), "bert", "vit", 1), "field patch_size is 0"},
		{strings.Replace(with("num_key_value_heads", "3"), "bert", "llama", 1), "must divide the 4 heads"},
		{of("llama", "head_dim", "10"), "field head_dim is 10, and must be " +
			"hidden_size/num_attention_heads, 48/4: not supported"},
		{strings.Replace(of("mistral", "head_dim", "10"), `"num_attention_heads": 4`,
			`"num_attention_heads": 5`, 1), "field head_dim is 10"},
		{of("llama", "num_attention_heads", "5"), "5 heads do not divide the dimension 48"},
		{of("gpt2", "scale_attn_weights", "false"), "field scale_attn_weights is false, and must be true: " +
			"not supported"},
		{of("gpt2", "scale_attn_by_inverse_layer_idx", "true"), "must be false"},
		{of("electra", "embedding_size", "12"), "field embedding_size is 12, and must be hidden_size, 48: " +
			"not supported"},
		{of("electra", "layer_norm_eps", "1e-12"), "embedding_size is 128"},
		{with("is_decoder", "true"), "field is_decoder is true"},
		{with("position_embedding_type", `"relative_key"`), "must be one of absolute"},
	} {
		e, before := New(), New()
		err := e.configFile().Set(written(t, c.content))
		if err == nil { // each number alone is allowed
			err = e.Validate()
		} else if e.shape() != before.shape() || e.Config != before.Config {
			t.Errorf("%d: %.60s: changes the parameters", k, c.content)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") ||
			len(err.Error()) > 400 {
			t.Errorf("%d: %.60s: %v, want %s", k, c.content, err, c.want)
		}
	}
}

// So does a path that is not a regular file, or a file that is too large, which is not read.
func TestConfigsThatAreNoFiles(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.json")
	must.Do(t, os.WriteFile(large, []byte("{"), 0o600))
	if err := os.Truncate(large, 1<<30); err != nil { // a gigabyte of zeros that takes no room
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		large:         "more than 1048576 bytes",
		t.TempDir():   "not a regular file",
		os.DevNull:    "not a regular file",
		"nowhere/c.x": "no such file",
		"":            "no such file",
	} {
		if err := New().configFile().Set(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// If a checksum is given with the path, a file that has changed is refused.
func TestChecksum(t *testing.T) {
	path := written(t, with("hidden_size", "48"))
	e := New()
	must.Do(t, e.configFile().Set(path))
	text := e.Config
	if err := New().configFile().Set(text); err != nil {
		t.Error(err)
	}
	must.Do(t, os.WriteFile(path, []byte(with("hidden_size", "64")), 0o600))
	if err := New().configFile().Set(text); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Error("a changed file is read")
	}
}

// Fields that state the usual architecture are allowed.
func TestConfigsOfTheUsualArchitecture(t *testing.T) {
	for k, content := range []string{
		of("llama", "head_dim", "12"), of("mistral", "head_dim", "null"),
		of("gpt2", "scale_attn_weights", "true"), of("electra", "embedding_size", "48"),
		with("is_decoder", "false"), with("position_embedding_type", `"absolute"`),
	} {
		if err := New().configFile().Set(written(t, content)); err != nil {
			t.Errorf("%d: %v", k, err)
		}
	}
}
