// Package huggingface reads config.json, the file in which Hugging Face stores the type and the size of a
// model.
//
//	c, err := huggingface.Parse([]byte(`{"model_type": "gpt2", "n_head": 12}`))
//	heads := c.Whole(1, 4096, 12, "num_attention_heads", "n_head") // 12 if neither is there
//	err = errors.Join(err, c.Problem)
package huggingface

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"antipode/experiments/internal/namedfile"
)

// mostBytes is a number of bytes that no config.json reaches.
const mostBytes = 1 << 20

// ReadSmall reads a file of at most a megabyte, such as config.json.
func ReadSmall(path string) ([]byte, error) {
	content, err := namedfile.Read(path, mostBytes, fmt.Errorf("more than %d bytes", mostBytes))
	if err != nil {
		return nil, namedfile.WithoutPath(err)
	}
	return content, nil
}

// Config holds the fields of a config.json file.
type Config struct {
	fields map[string]json.RawMessage
	// Problem is the first problem with a field that was asked for, or nil.
	Problem error
}

// Parse parses the content of a config.json file, which must be a JSON object.
func Parse(content []byte) (*Config, error) {
	c := &Config{}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if err := json.Unmarshal(content, &c.fields); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return nil, fmt.Errorf("the file has a JSON %s", wrong.Value)
		}
		return nil, fmt.Errorf("not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if c.fields == nil {
		return nil, errors.New("the file has a JSON null")
	}
	return c, nil
}

// find returns the first of the given names that is a field of config.json, with the value of the field.
// Fields whose value is null are ignored.
func (c *Config) find(names []string) (name string, value json.RawMessage, ok bool) {
	for _, name := range names {
		if v, is := c.fields[name]; is && string(v) != "null" {
			return name, v, true
		}
	}
	return names[0], nil, false
}

// Fail records a problem with a field of config.json, unless an earlier problem has been recorded.
func (c *Config) Fail(format string, values ...any) {
	if c.Problem == nil {
		c.Problem = fmt.Errorf(format, values...)
	}
}

// Absent is the default value, the argument otherwise, of a field of config.json that is required.
const Absent = math.MinInt64

// Whole returns the integer in a field of config.json, which must be from low to high. The field has one of
// the given names. If the field is absent, Whole returns the default otherwise.
func (c *Config) Whole(low, high, otherwise int64, names ...string) int64 {
	name, value, ok := c.find(names)
	if !ok {
		if otherwise == Absent {
			c.Fail("there is no field %s", name)
			return low
		}
		return otherwise
	}
	var number float64
	if json.Unmarshal(value, &number) != nil || number != math.Trunc(number) ||
		!(number >= float64(low) && number <= float64(high)) {
		c.Fail("field %s is %.20s, and must be a whole number from %d to %d", name, value, low, high)
		return low
	}
	return int64(number)
}

// Real returns the number in a field of config.json, which must be from 0 to high. The field has one of the
// given names. If the field is absent, Real returns the default otherwise.
func (c *Config) Real(high, otherwise float64, names ...string) float64 {
	name, value, ok := c.find(names)
	if !ok {
		return otherwise
	}
	var number float64
	if json.Unmarshal(value, &number) != nil || !(number >= 0 && number <= high) {
		c.Fail("field %s is %.20s, and must be a number from 0 to %g", name, value, high)
		return 0
	}
	return number
}

// Name returns the text in a field of config.json, which must be one of the allowed texts. The field has one
// of the given names. If the field is absent, Name returns the default otherwise; if otherwise is "", the
// field is required.
func (c *Config) Name(allowed []string, otherwise string, names ...string) string {
	name, value, ok := c.find(names)
	var text string
	switch {
	case !ok && otherwise == "":
		c.Fail("there is no field %s", name)
	case !ok:
		return otherwise
	case json.Unmarshal(value, &text) != nil || !slices.Contains(allowed, text):
		c.Fail("field %s is %.30s, and must be one of %s", name, value, strings.Join(allowed, ", "))
	}
	return text
}

// Families maps the known types of models in config.json to families. Models of the same family have the same
// layers and the same names of weights.
var Families = map[string]string{"bert": "bert", "roberta": "bert", "camembert": "bert", "electra": "bert",
	"xlm-roberta": "bert", "gpt2": "gpt2", "vit": "vit", "deit": "vit", "llama": "llama", "mistral": "llama",
	"qwen2": "llama"}

// Require records a problem if a field of config.json is not the given truth value, which is its default.
func (c *Config) Require(want bool, name string) {
	if _, value, ok := c.find([]string{name}); ok && string(value) != strconv.FormatBool(want) {
		c.Fail("field %s is %.20s, and must be %t: not supported", name, value, want)
	}
}

// Family returns the family of the model's type.
func (c *Config) Family() string { return Families[c.Type()] }

// Type returns the type of the model, which must be a key of Families.
func (c *Config) Type() string {
	if _, value, ok := c.find([]string{"model_type"}); ok && string(value) == `"qwen3"` {
		c.Fail("the model_type is qwen3, which normalises queries and keys: not supported")
		return ""
	}
	return c.Name(slices.Sorted(maps.Keys(Families)), "", "model_type")
}

// activations maps Hugging Face's names of activation functions to the names in this program.
var activations = map[string]string{"gelu": "gelu", "gelu_python": "gelu", "gelu_new": "gelu-tanh",
	"gelu_pytorch_tanh": "gelu-tanh", "gelu_fast": "gelu-tanh", "quick_gelu": "quick-gelu", "relu": "relu",
	"silu": "silu", "swish": "silu", "tanh": "tanh", "linear": "linear"}

// Activation returns the activation function of the MLPs of a model, by its name in this program. The
// argument usual is Hugging Face's name of the activation function of a model whose config.json names none.
// The activation functions in but are refused.
func (c *Config) Activation(usual string, but ...string) string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(activations)), func(name string) bool {
		return slices.Contains(but, activations[name])
	})
	return activations[c.Name(names, usual, "hidden_act", "activation_function")]
}
