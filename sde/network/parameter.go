package network

// Parameter is a named matrix of weights of a Transformer, with a row for each output, or a vector of
// weights, which is stored as a single row.
type Parameter struct {
	Name       string // for example "layers.3.attention.query.weight"; layers are counted from 0
	Rows, Cols int
	Value      []float64 // weights, row-major
	// Decay reports whether weight decay applies to the parameter: it applies to matrices and embeddings, not
	// to biases, gains and residual strengths.
	Decay bool

	law    law
	offset int // index of the first weight of the parameter among the weights of all parameters
}

// Of returns the part of numbers that belongs to the parameter p, where numbers has one number for each
// weight of all parameters of a Transformer, in their order, as Workspace.Gradient has.
func (p *Parameter) Of(numbers []float64) []float64 { return numbers[p.offset:][:p.Rows*p.Cols] }

// Offset returns the index of the first weight of the parameter among the weights of all parameters of its
// Transformer.
func (p *Parameter) Offset() int { return p.offset }

// LayerParameter returns the value of a parameter of a layer. Layers are counted from 1. The argument name is
// the part of the parameter's name after the prefix of the layer. The second result is false if the layer has
// no parameter of this name.
func (t *Transformer) LayerParameter(layer int, name string) (value []float64, ok bool) {
	p, ok := t.register.byName[layerPlace(layer-1)+name]
	if !ok {
		return nil, false
	}
	return p.Value, true
}

// law is the law of the initial weights of a parameter, and identifies their random numbers.
type law struct {
	kind   lawKind
	role   role
	layer  int     // index of the layer, from 0
	shared bool    // whether all layers share the parameter, which is then sampled as in the first layer
	scale  float64 // standard deviation, factor of the identity or orthogonal matrix, or the constant
}

type lawKind int8

const (
	none lawKind = iota // the parameter does not exist
	constant
	gaussian
	identity
	orthogonal
)

// register holds the parameters of a Transformer, in the order of the diagram and by name. Several layers
// that request a parameter of the same name share this parameter.
type register struct {
	parameters []*Parameter
	byName     map[string]*Parameter
	size       int // number of weights in all parameters
}

func newRegister() *register { return &register{byName: map[string]*Parameter{}} }

// parameter returns the parameter of the network with the given name. A parameter that does not exist is
// created with weights 0.
func (r *register) parameter(name string, rows, columns int, law law) *Parameter {
	if p := r.byName[name]; p != nil {
		return p
	}
	p := &Parameter{
		Name: name, Rows: rows, Cols: columns, Decay: !law.role.bias() && law.kind != constant,
		law: law, offset: r.size,
	}
	r.size += rows * columns
	r.parameters = append(r.parameters, p)
	r.byName[name] = p
	return p
}

// weight is a parameter as one goroutine uses it. The matrix holds the weights of the parameter, which all
// goroutines share. Each goroutine accumulates derivatives in its own gradient, which is nil without
// gradients.
type weight struct {
	matrix
	gradient matrix
}

// has reports whether the parameter of the weight exists.
func (w weight) has() bool { return w.Data != nil }
