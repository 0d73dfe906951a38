package network

// Parameter is a matrix of weights with a row for each output, or a vector, which has one row.
type Parameter struct {
	Name       string // as "layers.3.attention.query.weight", layers from 0
	Rows, Cols int
	Value      []float64 // row by row
	// Decay reports whether weight decay applies: to matrices and embeddings, not to biases, gains
	// and residual strengths.
	Decay bool

	law    law
	offset int // of the parameter's derivatives in those of all parameters
}

// Of returns the part of numbers that belong to all parameters of a Transformer in their order, such
// as Workspace.Gradient, that belongs to this one.
func (p *Parameter) Of(numbers []float64) []float64 { return numbers[p.offset:][:p.Rows*p.Cols] }

// Offset is where the parameter's numbers begin in those of all parameters.
func (p *Parameter) Offset() int { return p.offset }

// LayerParameter returns the value of a layer's parameter, layers from 1, by what its name has after the
// layer's, if there is one.
func (t *Transformer) LayerParameter(layer int, name string) (value []float64, ok bool) {
	p, ok := t.register.byName[layerPlace(layer-1)+name]
	if !ok {
		return nil, false
	}
	return p.Value, true
}

// law is how a parameter is drawn, and its address.
type law struct {
	kind   lawKind
	role   role
	layer  int     // from 0
	shared bool    // by all layers: drawn as that of the first
	scale  float64 // standard deviation, factor of the identity or the orthogonal matrix, or the constant
}

type lawKind int8

const (
	none lawKind = iota // no such parameter
	constant
	gaussian
	identity
	orthogonal
)

// register has the parameters of a Transformer in the order of the diagram, by name: what asks for a
// name that is there shares the parameter.
type register struct {
	parameters []*Parameter
	byName     map[string]*Parameter
	size       int // numbers in all parameters
}

func newRegister() *register { return &register{byName: map[string]*Parameter{}} }

// parameter returns the parameter of that name, a new one of all zeros if there is none.
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

// weight is a parameter in the hands of one goroutine: its value, which all share, and where the
// goroutine adds up derivatives, nil without them.
type weight struct {
	matrix
	gradient matrix
}

// has reports whether there is such a weight.
func (w weight) has() bool { return w.Data != nil }
