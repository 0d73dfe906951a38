package network

import (
	"math"
	"strconv"

	"antipode/internal/products"
)

// layer is a part of the network that maps each token to an output of the same dimension. A layer has its own
// memory for the activations of its forward pass. A layer points to its weights, which other layers may
// share.
type layer interface {
	// Forward returns the outputs of the layer for the tokens x. The outputs are valid until the next call of
	// Forward. Neither the outputs nor x may be changed until the backward pass is done.
	Forward(x matrix) matrix
	// Backward replaces the derivatives with respect to the outputs of the last Forward by the derivatives
	// with respect to the tokens x of that call. Backward adds the derivatives with respect to the weights of
	// the layer to their gradients.
	Backward(derivative matrix)
}

// chain is a sequence of layers that are applied one after another.
type chain []layer

// Forward implements layer.
func (c chain) Forward(x matrix) matrix {
	for _, l := range c {
		x = l.Forward(x)
	}
	return x
}

// Backward implements layer.
func (c chain) Backward(derivative matrix) {
	for k := len(c) - 1; k >= 0; k-- {
		c[k].Backward(derivative)
	}
}

// work is scratch memory that the layers of one goroutine use in turn, mainly for derivatives of a loss with
// respect to activations.
type work struct {
	products          *products.Multiplier
	heads             matrix // derivatives with respect to the outputs of heads
	query, key, value matrix
	rows              matrix  // derivatives with respect to some rows of an attention matrix of a head
	hidden            matrix  // derivatives with respect to the outputs of the first weights of an MLP
	active            matrix  // derivatives with respect to the inputs of the second weights of a gated MLP
	branch            matrix  // derivatives with respect to the output of the branch of a residual connection
	ones              matrix  // a column of ones, one for each token
	scores            float64 // factor of the attention scores
	masks             masks
	dropped           matrix // an attention matrix after dropout
}

// drafter builds the diagram of a network: it creates the layers with their memory, for given numbers of
// sequences and tokens.
type drafter struct {
	Network
	register  *register
	sequences int // number of sequences stacked in every matrix of tokens; 0 stands for 1
	tokens    int // number of tokens in each sequence
	dropout   Dropout
	// fixedStrengths says that derivatives with respect to strengths of residual connections are not
	// computed.
	fixedStrengths bool
	gradient       []float64 // gradient of all parameters; nil without gradients
	work           *work
	// measure says that the memory that layers need is added up in floats, but not allocated.
	measure bool
	floats  float64
	at      int    // index of the current layer, from 0
	place   string // prefix of the names of parameters
}

// matrix returns a new matrix for a layer of the diagram.
func (d *drafter) matrix(rows, columns int) matrix {
	d.floats += float64(float64(rows) * float64(columns))
	if d.measure {
		return matrix{Rows: rows, Cols: columns, Stride: columns}
	}
	return newMatrix(rows, columns)
}

// rows returns the number of tokens of all sequences together.
func (d *drafter) rows() int { return max(d.sequences, 1) * d.tokens }

// tokenMatrix returns a matrix with a row for each token of all sequences.
func (d *drafter) tokenMatrix() matrix { return d.matrix(d.rows(), d.Dim) }

// weight returns the parameter with the given name, and creates it if it does not exist. For a law of kind
// none there is no parameter, and weight returns the zero weight.
func (d *drafter) weight(name string, rows, columns int, law law) weight {
	if law.kind == none {
		return weight{}
	}
	if !law.shared {
		name = d.place + name
	}
	law.layer = d.at
	p := d.register.parameter(name, rows, columns, law)
	if d.measure {
		return weight{}
	}
	if p.Value == nil {
		p.Value = make([]float64, rows*columns)
		if law.kind == constant {
			p.fill(law.scale)
		}
	}
	w := weight{matrix: matrixOf(rows, columns, p.Value)}
	if d.gradient != nil {
		w.gradient = matrixOf(rows, columns, p.Of(d.gradient))
	}
	return w
}

func (p *Parameter) fill(value float64) {
	for k := range p.Value {
		p.Value[k] = value
	}
}

// normal returns the law of centred normal weights of variance scaled/inputs, where inputs is the number of
// inputs of the matrix of weights.
func normal(role role, scaled float64, inputs int) law {
	return law{kind: gaussian, role: role, scale: math.Sqrt(scaled / float64(inputs))}
}

// biases returns the law of the biases that belong to the weights of a role.
func (d *drafter) biases(role role) law {
	return law{kind: gaussian, role: role + biasRoles, scale: math.Sqrt(d.Bias2)}
}

func (d *drafter) linear(name string, outputs, inputs int, weights, biases law) linear {
	return linear{d.weight(name+".weight", outputs, inputs, weights),
		d.weight(name+".bias", 1, outputs, biases), d.work}
}

func (d *drafter) norm(name string) *norm {
	n := &norm{law: d.LayerNorm, factor: d.matrix(1, d.rows()).Data, normalised: d.tokenMatrix()}
	n.out = n.normalised
	if d.LayerNorm.Affine {
		n.gain = d.weight(name+".gain", 1, d.Dim, constantLaw(1))
		n.bias = d.weight(name+".bias", 1, d.Dim, constantLaw(0))
		n.out = d.tokenMatrix()
	}
	return n
}

func (d *drafter) attention() *attention {
	a := &attention{
		heads: d.Heads, keys: d.keys(), values: d.Dim / d.Heads,
		tokens: d.tokens, causal: d.Causal, uniform: d.Uniform, gainControl: d.GainControl,
		source: d.Attention, work: d.work,
	}
	keys := d.Heads * a.keys
	project := func(name string, outputs, inputs int, weights law, shared bool) linear {
		bias := law{}
		if d.Biases {
			bias = d.biases(weights.role)
		}
		weights.shared, bias.shared = shared, shared
		return d.linear("attention."+name, outputs, inputs, weights, bias)
	}
	if d.Attention == QueriesKeys {
		a.query = project("query", keys, d.Dim, normal(queryRole, d.QueryKey2, d.Dim), d.SharedKeys)
		if a.key = a.query; !d.TiedKeys {
			a.key = project("key", keys, d.Dim, normal(keyRole, d.QueryKey2, d.Dim), d.SharedKeys)
		}
	} else {
		a.free = d.weight("attention.free.weight", d.Heads*d.Tokens, d.Tokens, d.freeLaw())
	}
	a.value = project("value", d.Dim, d.Dim, d.squareLaw(valueRole, d.Values, d.Value2), d.SharedValues)
	a.queries, a.keysOfHeads = d.matrix(d.rows(), keys), d.matrix(d.rows(), keys)
	a.valuesOfHeads = d.tokenMatrix()
	for range max(d.sequences, 1) * d.Heads {
		a.rows = append(a.rows, d.matrix(d.tokens, d.tokens))
	}
	if a.dropout = d.dropout.Attention; a.dropout > 0 {
		a.layer = d.at
		for range a.rows {
			a.masks = append(a.masks, d.matrix(d.tokens, d.tokens))
		}
	}
	a.mixed = d.tokenMatrix()
	if a.out = a.mixed; d.Projection {
		law := d.squareLaw(projectionRole, d.Projections, d.Projection2)
		a.projection = project("projection", d.Dim, d.Dim, law, false)
		a.out = d.tokenMatrix()
	}
	return a
}

// squareLaw returns the law of value matrices, or of the matrix W_O that mixes the heads.
func (d *drafter) squareLaw(role role, kind ValueLaw, square float64) law {
	switch kind {
	case IdentityValues:
		return law{kind: identity, role: role, scale: math.Sqrt(square)}
	case OrthogonalValues:
		return law{kind: orthogonal, role: role, scale: math.Sqrt(square)}
	}
	return normal(role, square, d.Dim)
}

// freeLaw returns the law of the weights of free attention: a square matrix for each head, stacked
// vertically.
func (d *drafter) freeLaw() law {
	if d.Attention == FreeWeights {
		return law{kind: identity, role: freeRole, scale: 1, shared: d.SharedKeys}
	}
	l := normal(freeRole, d.QueryKey2, 1)
	l.shared = d.SharedKeys
	return l
}

func (d *drafter) mlp() *mlp {
	width, outputs := d.width(), d.hidden()
	hidden, output := normal(hiddenRole, d.Hidden2, d.Dim), normal(outputRole, d.Output2, width)
	m := &mlp{
		first:      d.linear("mlp.hidden", outputs, d.Dim, hidden, d.biases(hiddenRole)),
		second:     d.linear("mlp.output", d.Dim, width, output, d.biases(outputRole)),
		activation: d.Activation, gated: d.Gated, hidden: d.matrix(d.rows(), outputs),
		active: d.matrix(d.rows(), width),
		out:    d.tokenMatrix(), work: d.work,
	}
	if rate := d.dropout.MLP; rate > 0 {
		m.dropped = d.drop(rate, mlpHidden, width)
	}
	return m
}

// block returns the layer of the Transformer with the given number.
func (d *drafter) block(layer int, place string) *block {
	d.at, d.place = layer, place
	defer func() { d.at, d.place = 0, "" }()
	b := &block{attention: d.attention()}
	b.chain = d.branch("attention", b.attention, attentionOutputs, d.AlphaSA, orOne(d.BranchSA))
	if !d.AttentionOnly {
		b.mlp = d.mlp()
		b.chain = append(b.chain, d.branch("mlp", b.mlp, mlpOutputs, d.AlphaMLP, orOne(d.BranchMLP))...)
	}
	return b
}

// branch returns the layer f as the branch of a residual connection: with a parallel skip connection,
// LayerNorm at its place, and dropout of the outputs.
func (d *drafter) branch(name string, f layer, outputs place, skip, strength float64) chain {
	before, after := name+".norm", name+".norm"
	inner := chain{f}
	switch d.Norm {
	case PreNorm:
		inner = chain{d.norm(before), f}
	case PeriNorm:
		inner = chain{d.norm(before), f, d.norm(name + ".output_norm")}
	}
	if rate := d.dropout.Branch; rate > 0 {
		inner = append(inner, d.drop(rate, outputs, d.Dim))
	}
	whole := chain{d.residual(name, inner, skip, strength)}
	if d.Norm == PostNorm {
		whole = append(whole, d.norm(after))
	}
	return whole
}

// drop returns a dropout layer for a place where tokens have the given number of coordinates.
func (d *drafter) drop(rate float64, at place, columns int) *dropout {
	return &dropout{rate: rate, layer: d.at, at: at, tokens: d.tokens,
		mask: d.matrix(d.rows(), columns), out: d.matrix(d.rows(), columns), work: d.work}
}

func (d *drafter) residual(name string, branch layer, skip, strength float64) layer {
	return &residual{
		branch: branch, out: d.tokenMatrix(), work: d.work, fixed: d.fixedStrengths,
		skip:     d.weight(name+".skip", 1, 1, constantLaw(skip)),
		strength: d.weight(name+".strength", 1, 1, constantLaw(strength)),
	}
}

// layerPlace returns the prefix of the names of the parameters of a layer, counted from 0.
func layerPlace(layer int) string { return "layers." + strconv.Itoa(layer) + "." }

// attentionRows is the largest number of rows of an attention matrix whose derivatives are in memory at a
// time.
const attentionRows = 1024

// takeWork allocates the scratch memory that layers use in turn.
func (d *drafter) takeWork(gradients bool, workers int) {
	d.work = &work{products: products.New(workers), scores: 1, ones: d.matrix(d.rows(), 1)}
	for k := range d.work.ones.Data {
		d.work.ones.Data[k] = 1
	}
	if d.dropout.Attention > 0 {
		d.work.dropped = d.matrix(d.tokens, d.tokens)
	}
	if !gradients {
		return
	}
	keys := d.Heads * d.keys()
	d.work.heads, d.work.value, d.work.branch = d.tokenMatrix(), d.tokenMatrix(), d.tokenMatrix()
	d.work.query, d.work.key = d.matrix(d.rows(), keys), d.matrix(d.rows(), keys)
	d.work.rows = d.matrix(min(d.tokens, attentionRows), d.tokens)
	d.work.hidden = d.matrix(d.rows(), d.hidden())
	if d.Gated {
		d.work.active = d.matrix(d.rows(), d.width())
	}
}
