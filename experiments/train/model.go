package train

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"antipode/experiments/train/npz"
	"antipode/sde/network"
	"antipode/sde/training"

	"gonum.org/v1/gonum/blas/blas64"
)

// saveModel saves the weights and the hidden states of a network, if the options name a folder for models.
func (r *runs) saveModel(number int, s *setting, t *training.Trainer, when string) error {
	if r.options.Models == "" {
		return nil
	}
	folder := filepath.Join(r.options.Models, fmt.Sprintf("run-%d", number))
	weights := filepath.Join(folder, "weights-"+when+".npz")
	states := filepath.Join(folder, "states-"+when+".npz")
	if err := npz.Write(weights, weightArrays(t.Transformer())); err != nil {
		return err
	}
	return npz.Write(states, s.stateArrays(t))
}

// stateArrays returns the tokens of the first validation sequences, one array for each layer.
func (s *setting) stateArrays(t *training.Trainer) (arrays []npz.Array) {
	n := s.network
	sequences := min(training.Observed, s.method.Validation)
	size := n.Tokens * n.Dim
	for l := range n.Layers + 1 {
		arrays = append(arrays, npz.Array{Name: fmt.Sprintf("layer_%04d", l),
			Shape: []int{sequences, n.Tokens, n.Dim}, Numbers: make([]float64, sequences*size)})
	}
	t.Tokens(func(sequence, layer int, tokens blas64.General) {
		into := arrays[layer].Numbers[sequence*size:][:size]
		for k := range n.Tokens {
			copy(into[k*n.Dim:][:n.Dim], tokens.Data[k*tokens.Stride:])
		}
	})
	return arrays
}

// pytorchNames replaces the names of the parameters of a layer, without the prefix of the layer, by the names
// of these parameters in torch.nn.TransformerEncoder, if they exist there. In PyTorch, queries, keys and
// values are rows of a single matrix.
var pytorchNames = strings.NewReplacer(
	"attention.projection.weight", "self_attn.out_proj.weight", "attention.projection.bias",
	"self_attn.out_proj.bias", "mlp.hidden.", "linear1.", "mlp.output.", "linear2.",
	"attention.norm.gain", "norm1.weight", "attention.norm.bias", "norm1.bias",
	"mlp.norm.gain", "norm2.weight", "mlp.norm.bias", "norm2.bias",
)

// weightArrays returns all weights of a network as arrays. Parameters of layers have the names of
// torch.nn.TransformerEncoder if it has such parameters, with shape outputs × inputs. All other parameters
// have the names of the network. Parameters that layers share are repeated for each layer. If the network
// does not mix the outputs of heads, the array of the mixing matrix is the identity.
func weightArrays(t *network.Transformer) (arrays []npz.Array) {
	n := t.Network
	m := modelArrays{byName: map[string]*network.Parameter{}, queries: n.Attention == network.QueriesKeys}
	for _, p := range t.Parameters {
		m.byName[p.Name] = p
	}
	for _, p := range t.Parameters {
		if !strings.HasPrefix(p.Name, "layers.") && !m.isFused(p.Name) {
			arrays = append(arrays, arrayOf(p.Name, p))
		}
	}
	for l := range n.Layers {
		place := fmt.Sprintf("layers.%d.", l)
		for _, kind := range []string{"weight", "bias"} {
			if fused, ok := m.fused(place, kind); ok {
				arrays = append(arrays, fused)
			}
		}
		if !n.Projection {
			arrays = append(arrays, identityArray(place+"self_attn.out_proj.weight", n.Dim))
		}
		for _, p := range t.Parameters {
			if name, ours := strings.CutPrefix(p.Name, place); ours && !m.isFused(name) {
				arrays = append(arrays, arrayOf(place+pytorchNames.Replace(name), p))
			}
		}
	}
	return arrays
}

// modelArrays finds the parameters of a trained network by their names.
type modelArrays struct {
	byName  map[string]*network.Parameter
	queries bool // whether there are queries and keys
}

// isFused reports whether a parameter of a layer, named without the prefix of the layer, is part of PyTorch's
// single matrix of queries, keys and values.
func (m modelArrays) isFused(name string) bool {
	kind, _ := strings.CutPrefix(name, "attention.")
	kind, _, _ = strings.Cut(kind, ".")
	return m.queries && slices.Contains([]string{"query", "key", "value"}, kind)
}

// of returns the parameter of a layer with the given name, or the parameter that all layers share.
func (m modelArrays) of(place, name string) *network.Parameter {
	if p := m.byName[place+name]; p != nil {
		return p
	}
	return m.byName[name]
}

// fused returns the weights of queries, keys and values as rows of one array, as PyTorch has them. If keys
// are tied to queries, the rows of queries are repeated. The result ok is false if there are no queries.
func (m modelArrays) fused(place, kind string) (a npz.Array, ok bool) {
	query, value := m.of(place, "attention.query."+kind), m.of(place, "attention.value."+kind)
	if !m.queries || query == nil {
		return a, false
	}
	key := m.of(place, "attention.key."+kind)
	if key == nil {
		key = query
	}
	a.Name = place + "self_attn.in_proj_" + kind
	a.Numbers = slices.Concat(query.Value, key.Value, value.Value)
	if a.Shape = []int{len(a.Numbers)}; kind == "weight" {
		a.Shape = []int{query.Rows + key.Rows + value.Rows, query.Cols}
	}
	return a, true
}

func arrayOf(name string, p *network.Parameter) npz.Array {
	shape := []int{p.Rows, p.Cols}
	if p.Rows == 1 {
		shape = []int{p.Cols}
	}
	return npz.Array{Name: name, Shape: shape, Numbers: p.Value}
}

func identityArray(name string, size int) npz.Array {
	a := npz.Array{Name: name, Shape: []int{size, size}, Numbers: make([]float64, size*size)}
	for k := range size {
		a.Numbers[k*(size+1)] = 1
	}
	return a
}
