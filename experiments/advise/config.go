package advise

import (
	"crypto/sha256"
	"fmt"

	"antipode/experiments/internal/huggingface"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/overlap/stack"
)

// configFile returns a parameter value that is the name of a config.json of Hugging Face. Setting the value
// also sets the parameters that the file contains.
func (e *Experiment) configFile() parameter.Value {
	return namedfile.Optional{Field: &e.Config, What: "a config.json of Hugging Face", Else: "the model",
		Holder: "FILE", Sum: e.readConfig}
}

// readConfig sets the parameters to those in a config.json, and returns the checksum of the file.
func (e *Experiment) readConfig(text string) (sum string, err error) {
	path, want := namedfile.Split(text)
	content, err := huggingface.ReadSmall(path)
	if err != nil {
		return "", err
	}
	sum = fmt.Sprintf("%x", sha256.Sum256(content))
	if err := namedfile.Compare(want, sum); err != nil {
		return "", err
	}
	c, err := huggingface.Parse(content)
	if err != nil {
		return "", err
	}
	changed := *e
	if err := changed.beConfig(c); err != nil {
		return "", err
	}
	*e = changed
	return sum, nil
}

// beConfig sets the parameters of the architecture to those in a config.json.
func (e *Experiment) beConfig(c *huggingface.Config) error {
	family := c.Family()
	if c.Problem != nil {
		return c.Problem
	}
	s := size{
		layers: c.Whole(1, mostLayers, huggingface.Absent, "num_hidden_layers", "n_layer"),
		dim:    c.Whole(2, networks.MostDim, huggingface.Absent, "hidden_size", "n_embd"),
		heads:  c.Whole(1, networks.MostDim, huggingface.Absent, "num_attention_heads", "n_head"),
	}
	s.width = c.Whole(1, 1<<19, min(4*s.dim, 1<<19), "intermediate_size", "n_inner")
	s.deviation = c.Real(deviationRange.High, usualDeviation, "initializer_range")
	e.setSize(s)
	e.Tokens = min(128, c.Whole(2, stack.MostTokens, 128, "max_position_embeddings", "n_positions"))
	usual := "gelu"
	switch family {
	case "bert":
		e.beEncoder()
		requireEncoder(c, s.dim)
		e.Types = c.Whole(0, 1<<20, 2, "type_vocab_size")
	case "gpt2":
		usual = "gelu_new"
		c.Require(true, "scale_attn_weights")
		c.Require(false, "scale_attn_by_inverse_layer_idx")
		e.beGPT2()
	case "vit":
		patch := c.Whole(1, 1<<10, 16, "patch_size")
		e.beViT(min(patch*patch*c.Whole(1, 1<<10, 3, "num_channels"), 1<<20))
		side := c.Whole(1, 1<<16, 224, "image_size") / patch
		if side < 1 {
			c.Fail("field image_size must be at least patch_size, %d", patch)
		}
		e.Tokens = min(max(side*side+1, 2), stack.MostTokens)
	default:
		usual = "silu"
		e.beLlama()
		if wide := c.Whole(1, networks.MostDim, 0, "head_dim"); wide > 0 && wide*s.heads != s.dim {
			c.Fail("field head_dim is %d, and must be hidden_size/num_attention_heads, %d/%d: not supported",
				wide, s.dim, s.heads)
		}
		if groups := c.Whole(1, s.heads, s.heads, "num_key_value_heads"); s.heads%groups != 0 {
			c.Fail("field num_key_value_heads is %d, and must divide the %d heads", groups, s.heads)
		}
	}
	e.Activation = c.Activation(usual, "quick-gelu")
	e.Epsilon = c.Real(1, e.Epsilon, "layer_norm_eps", "layer_norm_epsilon", "rms_norm_eps")
	if c.Problem == nil && s.dim%s.heads != 0 {
		c.Fail("%d heads do not divide the dimension %d", s.heads, s.dim)
	}
	return c.Problem
}

// requireEncoder records a problem if a BERT has an architecture that the parameters cannot describe: causal
// attention, positions in its scores, or a projection of its input after LayerNorm.
func requireEncoder(c *huggingface.Config, dim int64) {
	c.Require(false, "is_decoder")
	c.Name([]string{"absolute"}, "absolute", "position_embedding_type")
	usual := dim
	if c.Type() == "electra" {
		usual = 128
	}
	if size := c.Whole(1, networks.MostDim, usual, "embedding_size"); size != dim {
		c.Fail("field embedding_size is %d, and must be hidden_size, %d: not supported", size, dim)
	}
}
