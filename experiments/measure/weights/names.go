package weights

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"antipode/experiments/internal/huggingface"
)

// Auto is the text for the family of Transformers that is recognised from the names of weights in a file.
const Auto = "auto"

// Choices returns the texts that ReadNames accepts besides the name of a JSON file: Auto and the families of
// Transformers.
func Choices() []string { return append([]string{Auto}, families...) }

// ReadNames returns the layout that a text stands for: nil for Auto, the layout of a family, or the layout in
// a JSON file. The JSON file has the fields of a Layout. The optional field "like" names the family from
// which the other fields of the Layout are taken. A config.json of Hugging Face is accepted too.
func ReadNames(text string) (*Layout, error) {
	if text == Auto {
		return nil, nil
	}
	if layout, known := Families[text]; known {
		return &layout, nil
	}
	if !strings.EqualFold(filepath.Ext(text), ".json") {
		return nil, errors.New("must be " + Allowed())
	}
	content, err := huggingface.ReadSmall(text)
	if err != nil {
		return nil, err
	}
	var kind struct {
		ModelType string `json:"model_type"`
	}
	if err := json.Unmarshal(content, &kind); err != nil {
		return nil, fmt.Errorf("is not JSON of a model's names: %w", oneLine(err))
	}
	if kind.ModelType != "" {
		return fromConfig(content)
	}
	return fromMap(content)
}

// Allowed says in words which texts ReadNames accepts.
func Allowed() string {
	return strings.Join(Choices(), ", ") + " or the name of a file of JSON, .json"
}

// oneLine returns an error with the message of err on one line of at most 100 characters.
func oneLine(err error) error {
	text := []rune(strings.Join(strings.Fields(err.Error()), " "))
	return errors.New(string(text[:min(len(text), 100)]))
}

// fromMap reads a layout from the JSON of its fields.
func fromMap(content []byte) (*Layout, error) {
	var base struct {
		Like string `json:"like"`
	}
	if err := json.Unmarshal(content, &base); err != nil {
		return nil, oneLine(err)
	}
	read := struct {
		Like string `json:"like"`
		Layout
	}{}
	if base.Like != "" {
		family, known := Families[base.Like]
		if !known {
			return nil, fmt.Errorf("is like %.40q; must be like one of %s", base.Like, strings.Join(families,
				", "))
		}
		read.Layout = family
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return nil, oneLine(err)
	}
	return &read.Layout, read.Layout.check()
}

// fromConfig returns the layout of the family that a config.json of Hugging Face names, with the sizes and
// the activation function in the config.json.
func fromConfig(content []byte) (*Layout, error) {
	c, err := huggingface.Parse(content)
	if err != nil {
		return nil, err
	}
	family := c.Family()
	layout := Families[family]
	layout.Heads = int(c.Whole(1, MostHeads, huggingface.Absent, "num_attention_heads", "n_head"))
	layout.KeyHeads = int(c.Whole(1, MostHeads, 0, "num_key_value_heads"))
	layout.layers = int(c.Whole(1, mostLayers, 0, "num_hidden_layers", "n_layer"))
	layout.dim = int(c.Whole(2, mostDim, 0, "hidden_size", "n_embd"))
	layout.Activation = c.Activation(layout.Activation)
	if other, is := aliases[layout.Activation]; is {
		layout.Activation = other
	}
	if c.Problem != nil {
		return nil, c.Problem
	}
	return &layout, layout.check()
}

// check returns an error if a layout lacks the name of a matrix or has an invalid value.
func (l *Layout) check() error {
	required := map[string]string{"output": l.Output}
	if !l.alone() {
		required["up"], required["down"] = l.Up, l.Down
	}
	if l.Fused == "" {
		required["query"], required["key"], required["value"] = l.Query, l.Key, l.Value
	}
	for _, field := range []string{"query", "key", "value", "output", "up", "down"} {
		pattern, needed := required[field]
		if needed && !strings.Contains(pattern, number) {
			return fmt.Errorf("has %.40q for %q; must be a name with %s in it", pattern, field, number)
		}
	}
	switch {
	case l.Norm != PreNorm && l.Norm != PostNorm:
		return fmt.Errorf("has %.40q for \"norm\"; must be %s or %s", l.Norm, PreNorm, PostNorm)
	case !l.alone() && !slices.Contains(Activations, l.Activation):
		return fmt.Errorf("has the activation %.40q; must be one of %s", l.Activation,
			strings.Join(Activations, ", "))
	case l.Heads < 0 || l.Heads > MostHeads || l.KeyHeads < 0 || l.KeyHeads > MostHeads:
		return fmt.Errorf("has %d heads and %d of keys; must be from 1 to %d", l.Heads, l.KeyHeads, MostHeads)
	}
	return nil
}

// alone reports whether the layers of the layout have attention but no MLP.
func (l *Layout) alone() bool { return l.Up == "" && l.Gate == "" && l.Down == "" }

// MostHeads is the largest number of heads of a model.
const MostHeads = 4096

// mostLayers is the largest number of layers of a model.
const mostLayers = math.MaxInt16
