package huggingface

import (
	"strings"
	"testing"

	"antipode/sphere/must"
)

// A field is read under the first of several names that is present and not null, and otherwise has the
// default. Only the first problem is kept.
func TestFields(t *testing.T) {
	c := must.Get(Parse([]byte("\ufeff" + `{"model_type": "qwen2", "a": null, "b": 3, "c": 0.5,
		"hidden_act": "gelu_new"}`)))(t)
	if c.Family() != "llama" || c.Whole(1, 9, 7, "a", "b") != 3 || c.Whole(1, 9, 7, "a") != 7 ||
		c.Real(1, 2, "c") != 0.5 || c.Real(1, 2, "d") != 2 || c.Activation("silu") != "gelu-tanh" ||
		c.Problem != nil {
		t.Errorf("%+v", c)
	}
	c.Whole(4, 9, 7, "b")
	c.Real(0.1, 0, "c")
	if c.Problem == nil || c.Problem.Error() != "field b is 3, and must be a whole number from 4 to 9" {
		t.Error(c.Problem)
	}
}

// A model type that is not supported or an activation that the caller excludes is refused, and not among the
// allowed ones in the error.
func TestWithout(t *testing.T) {
	for text, ask := range map[string]func(c *Config){
		`{"model_type": "qwen3"}`:      func(c *Config) { c.Family() },
		`{"hidden_act": "quick_gelu"}`: func(c *Config) { c.Activation("gelu", "quick-gelu") },
	} {
		c := must.Get(Parse([]byte(text)))(t)
		ask(c)
		if c.Problem == nil || strings.Count(c.Problem.Error(), "qwen3")+
			strings.Count(c.Problem.Error(), "quick_gelu") != 1 {
			t.Errorf("%s: %v", text, c.Problem)
		}
	}
}
