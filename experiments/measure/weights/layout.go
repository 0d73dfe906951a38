package weights

// A Layout gives the names of the weight matrices of a family of Transformers, and says how the layers use
// the matrices. The name of a matrix in a file must end with the name in the Layout. In the Layout, {layer}
// stands for the number of the layer, and | separates alternatives.
type Layout struct {
	Query  string `json:"query,omitempty"`
	Key    string `json:"key,omitempty"`
	Value  string `json:"value,omitempty"`
	Fused  string `json:"fused,omitempty"` // Query, Key and Value in one matrix
	Output string `json:"output"`
	// Up is the first matrix of the MLP, Gate its gate, and Down its last matrix. Up and Down are both empty
	// for layers of attention alone.
	Up   string `json:"up"`
	Gate string `json:"gate,omitempty"`
	Down string `json:"down"`

	// AttentionNorm and MLPNorm are the gains of the norms whose outputs attention and the MLP read.
	// FirstNorm is the norm of attention in layer 0, if the name of this norm has no number of a layer. In a
	// name, {previous} stands for the number of the previous layer. The gains multiply the normalised tokens;
	// gains less 1, as Gemma stores them, are not recognised and must be written with the 1 added.
	AttentionNorm string `json:"attention-norm,omitempty"`
	FirstNorm     string `json:"first-norm,omitempty"`
	MLPNorm       string `json:"mlp-norm,omitempty"`

	// InputsFirst says that weight matrices are stored as inputs × outputs, as in GPT-2, and not as outputs ×
	// inputs.
	InputsFirst bool `json:"inputs-first,omitempty"`
	// Norm is the position of the norm, PreNorm or PostNorm.
	Norm   string `json:"norm"`
	Causal bool   `json:"causal,omitempty"`
	// Activation is the activation function of the MLP, one of Activations.
	Activation string `json:"activation"`
	// Embeddings are the arrays whose sum is the input of the Transformer. The sizes of the embeddings
	// determine the norms of the input tokens of a pre-norm Transformer.
	Embeddings []string `json:"embeddings,omitempty"`
	// Heads is the number of heads of queries, and KeyHeads that of keys and values. A number that is not
	// known is 0.
	Heads    int `json:"heads,omitempty"`
	KeyHeads int `json:"key-heads,omitempty"`

	// projection is the matrix by which ELECTRA maps the output of FirstNorm to tokens of another size. Few
	// files have this matrix.
	projection string
	// layers and dim are the number of layers and the dimension of the tokens in a config.json, or 0.
	layers, dim int
}

// The positions of the norm in a layer: before a branch that reads its output, or after the branch.
const (
	PreNorm  = "pre-norm"
	PostNorm = "post-norm"
)

const number = "{layer}"

// Families are the layouts of the families of Transformers that are recognised from the names of their
// weights.
var Families = map[string]Layout{
	"bert": {
		Query:  "encoder.layer.{layer}.attention.self.query.weight",
		Key:    "encoder.layer.{layer}.attention.self.key.weight",
		Value:  "encoder.layer.{layer}.attention.self.value.weight",
		Output: "encoder.layer.{layer}.attention.output.dense.weight",
		Up:     "encoder.layer.{layer}.intermediate.dense.weight",
		Down:   "encoder.layer.{layer}.output.dense.weight",
		AttentionNorm: "encoder.layer.{previous}.output.LayerNorm.weight|" +
			"encoder.layer.{previous}.output.LayerNorm.gamma",
		FirstNorm: "embeddings.LayerNorm.weight|embeddings.LayerNorm.gamma",
		MLPNorm: "encoder.layer.{layer}.attention.output.LayerNorm.weight|" +
			"encoder.layer.{layer}.attention.output.LayerNorm.gamma",
		Norm: PostNorm, Activation: "gelu", projection: "embeddings_project.weight",
	},
	"gpt2": {
		Fused: "h.{layer}.attn.c_attn.weight", Output: "h.{layer}.attn.c_proj.weight",
		Up: "h.{layer}.mlp.c_fc.weight", Down: "h.{layer}.mlp.c_proj.weight",
		AttentionNorm: "h.{layer}.ln_1.weight", MLPNorm: "h.{layer}.ln_2.weight",
		Embeddings:  []string{"wte.weight", "wpe.weight"},
		InputsFirst: true, Norm: PreNorm, Causal: true, Activation: "gelu",
	},
	"vit": {
		Query:         "encoder.layer.{layer}.attention.attention.query.weight",
		Key:           "encoder.layer.{layer}.attention.attention.key.weight",
		Value:         "encoder.layer.{layer}.attention.attention.value.weight",
		Output:        "encoder.layer.{layer}.attention.output.dense.weight",
		Up:            "encoder.layer.{layer}.intermediate.dense.weight",
		Down:          "encoder.layer.{layer}.output.dense.weight",
		AttentionNorm: "encoder.layer.{layer}.layernorm_before.weight",
		MLPNorm:       "encoder.layer.{layer}.layernorm_after.weight",
		Norm:          PreNorm, Activation: "gelu",
	},
	"llama": {
		Query:         "layers.{layer}.self_attn.q_proj.weight",
		Key:           "layers.{layer}.self_attn.k_proj.weight",
		Value:         "layers.{layer}.self_attn.v_proj.weight",
		Output:        "layers.{layer}.self_attn.o_proj.weight",
		Up:            "layers.{layer}.mlp.up_proj.weight",
		Gate:          "layers.{layer}.mlp.gate_proj.weight",
		Down:          "layers.{layer}.mlp.down_proj.weight",
		AttentionNorm: "layers.{layer}.input_layernorm.weight",
		MLPNorm:       "layers.{layer}.post_attention_layernorm.weight",
		Embeddings:    []string{"embed_tokens.weight"},
		Norm:          PreNorm, Causal: true, Activation: "silu",
	},
	"pytorch": {
		Fused: "layers.{layer}.self_attn.in_proj_weight", Output: "layers.{layer}.self_attn.out_proj.weight",
		Up: "layers.{layer}.linear1.weight", Down: "layers.{layer}.linear2.weight",
		AttentionNorm: "layers.{previous}.norm2.weight", MLPNorm: "layers.{layer}.norm1.weight",
		Norm: PostNorm, Activation: "relu",
	},
}

// Activations are the names of the activation functions of MLPs. The map aliases has names of approximations
// of GELU, which are treated as GELU.
var Activations = []string{"linear", "tanh", "erf", "sin", "relu", "gelu", "hermite3", "silu"}

var aliases = map[string]string{"gelu-tanh": "gelu", "quick-gelu": "gelu"}

// families are the sorted names of the families of Transformers.
var families = []string{"bert", "gpt2", "llama", "pytorch", "vit"}
