package advise

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/networks"
	"antipode/overlap/stack"
)

// configFile is a config.json of Hugging Face, which brings its parameters with it.
type configFile struct{ *Experiment }

func (v configFile) file() namedfile.Optional {
	return namedfile.Optional{Field: &v.Config, What: "a config.json of Hugging Face",
		Else: "the model", Holder: "FILE", Sum: v.read}
}

// Set implements parameter.Value.
func (v configFile) Set(text string) error { return v.file().Set(text) }

func (v configFile) String() string                       { return v.Config }
func (v configFile) Allowed() string                      { return v.file().Allowed() }
func (v configFile) Placeholder() string                  { return "FILE" }
func (v configFile) Check() error                         { return nil }
func (v configFile) NamesFile(text string) (string, bool) { return v.file().NamesFile(text) }

// read sets the parameters of a file, and returns the checksum of its text.
func (v configFile) read(text string) (sum string, err error) {
	path, want := namedfile.Split(text)
	content, err := readSmall(path)
	if err != nil {
		return "", err
	}
	sum = fmt.Sprintf("%x", sha256.Sum256(content))
	if err := namedfile.Compare(want, sum); err != nil {
		return "", err
	}
	c, err := parseConfig(content)
	if err != nil {
		return "", err
	}
	changed := *v.Experiment
	if err := changed.beConfig(c); err != nil {
		return "", err
	}
	*v.Experiment = changed
	return sum, nil
}

// mostBytes is more than a config has.
const mostBytes = 1 << 20

func readSmall(path string) ([]byte, error) {
	if err := namedfile.MustBeRegular(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, namedfile.WithoutPath(err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, mostBytes+1))
	switch {
	case err != nil:
		return nil, namedfile.WithoutPath(err)
	case len(content) > mostBytes:
		return nil, fmt.Errorf("more than %d bytes", mostBytes)
	}
	return content, nil
}

// config has the fields of a file, and the first problem with one of them.
type config struct {
	fields  map[string]json.RawMessage
	problem error
}

func parseConfig(content []byte) (*config, error) {
	c := &config{}
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

// find is the value of the first of the names that the file has, and is not null.
func (c *config) find(names []string) (name string, value json.RawMessage, ok bool) {
	for _, name := range names {
		if v, is := c.fields[name]; is && string(v) != "null" {
			return name, v, true
		}
	}
	return names[0], nil, false
}

func (c *config) fail(format string, values ...any) {
	if c.problem == nil {
		c.problem = fmt.Errorf(format, values...)
	}
}

// absent is for fields that must be there.
const absent = math.MinInt64

// whole is a whole number in a range, or what stands for one that is not there.
func (c *config) whole(low, high, otherwise int64, names ...string) int64 {
	name, value, ok := c.find(names)
	if !ok {
		if otherwise == absent {
			c.fail("there is no field %s", name)
			return low
		}
		return otherwise
	}
	var number float64
	if json.Unmarshal(value, &number) != nil || number != math.Trunc(number) ||
		!(number >= float64(low) && number <= float64(high)) {
		c.fail("field %s is %.20s, and must be a whole number from %d to %d", name, value, low, high)
		return low
	}
	return int64(number)
}

// real is a number from 0 to high, or what stands for one that is not there.
func (c *config) real(high, otherwise float64, names ...string) float64 {
	name, value, ok := c.find(names)
	if !ok {
		return otherwise
	}
	var number float64
	if json.Unmarshal(value, &number) != nil || !(number >= 0 && number <= high) {
		c.fail("field %s is %.20s, and must be a number from 0 to %g", name, value, high)
		return 0
	}
	return number
}

// name is one of some texts, or what stands for one that is not there, "" for none.
func (c *config) name(allowed []string, otherwise string, names ...string) string {
	name, value, ok := c.find(names)
	var text string
	switch {
	case !ok && otherwise == "":
		c.fail("there is no field %s", name)
	case !ok:
		return otherwise
	case json.Unmarshal(value, &text) != nil || !slices.Contains(allowed, text):
		c.fail("field %s is %.30s, and must be one of %s", name, value, strings.Join(allowed, ", "))
	}
	return text
}

// families are the values of model_type that are known.
var families = []string{"bert", "roberta", "gpt2", "vit", "deit", "llama", "mistral", "qwen2"}

// activations are the names that Hugging Face has for them.
var activations = map[string]stack.Activation{
	"gelu": stack.GELU, "gelu_new": stack.GELUTanh, "gelu_pytorch_tanh": stack.GELUTanh,
	"gelu_fast": stack.GELUTanh, "relu": stack.ReLU, "silu": stack.SiLU, "swish": stack.SiLU,
	"tanh": stack.Tanh, "linear": stack.Linear,
}

// activationNames are those names in the order of messages.
var activationNames = []string{"gelu", "gelu_new", "gelu_pytorch_tanh", "gelu_fast", "relu", "silu", "swish",
	"tanh", "linear"}

// beConfig sets the parameters of a file.
func (e *Experiment) beConfig(c *config) error {
	family := c.name(families, "", "model_type")
	if c.problem != nil {
		return c.problem
	}
	s := size{
		layers: c.whole(1, mostLayers, absent, "num_hidden_layers", "n_layer"),
		dim:    c.whole(2, networks.MostDim, absent, "hidden_size", "n_embd"),
		heads:  c.whole(1, networks.MostDim, absent, "num_attention_heads", "n_head"),
	}
	s.width = c.whole(1, 1<<19, min(4*s.dim, 1<<19), "intermediate_size", "n_inner")
	s.deviation = c.real(deviationRange.High, usualDeviation, "initializer_range")
	e.setSize(s)
	e.Tokens = min(128, c.whole(2, stack.MostTokens, 128, "max_position_embeddings", "n_positions"))
	usual := "gelu"
	switch family {
	case "bert", "roberta":
		e.beEncoder()
		e.Types = c.whole(0, 1<<20, 2, "type_vocab_size")
	case "gpt2":
		usual = "gelu_new"
		e.beGPT2()
	case "vit", "deit":
		patch := c.whole(1, 1<<10, 16, "patch_size")
		e.beViT(min(patch*patch*c.whole(1, 1<<10, 3, "num_channels"), 1<<20))
		side := c.whole(1, 1<<16, 224, "image_size") / patch
		if side < 1 {
			c.fail("field image_size must be at least patch_size, %d", patch)
		}
		e.Tokens = min(max(side*side+1, 2), stack.MostTokens)
	default:
		usual = "silu"
		e.beLlama()
		if groups := c.whole(1, s.heads, s.heads, "num_key_value_heads"); s.heads%groups != 0 {
			c.fail("field num_key_value_heads is %d, and must divide the %d heads", groups, s.heads)
		}
	}
	e.Activation = activations[c.name(activationNames, usual, "hidden_act", "activation_function")].String()
	e.Epsilon = c.real(1, e.Epsilon, "layer_norm_eps", "layer_norm_epsilon", "rms_norm_eps")
	if c.problem == nil && s.dim%s.heads != 0 {
		c.fail("%d heads do not divide the dimension %d", s.heads, s.dim)
	}
	return c.problem
}
