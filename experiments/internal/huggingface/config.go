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
	"strings"

	"antipode/experiments/internal/namedfile"
)

// mostBytes is more than any config.json has.
const mostBytes = 1 << 20

// ReadSmall reads a file of up to a megabyte.
func ReadSmall(path string) ([]byte, error) {
	content, err := namedfile.Read(path, mostBytes, fmt.Errorf("more than %d bytes", mostBytes))
	if err != nil {
		return nil, namedfile.WithoutPath(err)
	}
	return content, nil
}

// Config holds the fields of a file.
type Config struct {
	fields map[string]json.RawMessage
	// Problem is the first problem with a requested field, or nil.
	Problem error
}

// Parse parses the text of a file, which must be a JSON object.
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

// find returns the first of the names that the file has, with its value. Names whose value is null are
// ignored.
func (c *Config) find(names []string) (name string, value json.RawMessage, ok bool) {
	for _, name := range names {
		if v, is := c.fields[name]; is && string(v) != "null" {
			return name, v, true
		}
	}
	return names[0], nil, false
}

// Fail records a problem, unless there was one before.
func (c *Config) Fail(format string, values ...any) {
	if c.Problem == nil {
		c.Problem = fmt.Errorf(format, values...)
	}
}

// Absent, given as the default, says that the field is required.
const Absent = math.MinInt64

// Whole returns an integer in a range. If the field is absent, it returns otherwise.
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

// Real returns a number from 0 to high. If the field is absent, it returns otherwise.
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

// Name returns one of the allowed texts. If the field is absent, it returns otherwise; if otherwise is "",
// the field is required.
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

// Families gives for each known type of model the family that has the same layers and names of weights.
var Families = map[string]string{"bert": "bert", "roberta": "bert", "camembert": "bert", "electra": "bert",
	"xlm-roberta": "bert", "gpt2": "gpt2", "vit": "vit", "deit": "vit", "llama": "llama", "mistral": "llama",
	"qwen2": "llama", "qwen3": "llama"}

// Family returns the family of the type of the model. The type must be a key of Families. The types in but
// are refused.
func (c *Config) Family(but ...string) string {
	types := slices.DeleteFunc(slices.Sorted(maps.Keys(Families)), func(name string) bool {
		return slices.Contains(but, name)
	})
	return Families[c.Name(types, "", "model_type")]
}

// activations maps Hugging Face's names of activations to those of this program.
var activations = map[string]string{"gelu": "gelu", "gelu_python": "gelu", "gelu_new": "gelu-tanh",
	"gelu_pytorch_tanh": "gelu-tanh", "gelu_fast": "gelu-tanh", "quick_gelu": "quick-gelu", "relu": "relu",
	"silu": "silu", "swish": "silu", "tanh": "tanh", "linear": "linear"}

// Activation returns the name in this program of the activation of the MLPs. If the file has no activation,
// it returns usual. The activations in but are refused.
func (c *Config) Activation(usual string, but ...string) string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(activations)), func(name string) bool {
		return slices.Contains(but, activations[name])
	})
	return activations[c.Name(names, usual, "hidden_act", "activation_function")]
}
