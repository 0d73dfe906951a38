package network

import (
	"math"
	"strconv"
)

// plainNetwork passes a sequence through a Transformer in simple loops, by the definitions of Network,
// and looks up weights by their names.
type plainNetwork struct {
	Network
	parameters map[string]*Parameter
	attention  [][][][]float64 // by layer and head, before gain control
	tokens     [][][]float64   // after each layer; layer 0 is the input
}

func plainOf(t *Transformer) *plainNetwork {
	p := &plainNetwork{Network: t.Network, parameters: map[string]*Parameter{}}
	for _, parameter := range t.Parameters {
		p.parameters[parameter.Name] = parameter
	}
	return p
}

// at returns an entry of a weight, or its default if there is no such weight.
func (p *plainNetwork) at(name string, i, k int, missing float64) float64 {
	if w := p.parameters[name]; w != nil {
		return w.Value[i*w.Cols+k]
	}
	return missing
}

func (p *plainNetwork) norm(x [][]float64, name string) (y [][]float64) {
	for _, token := range x {
		mean, square := 0.0, 0.0
		for _, v := range token {
			if p.LayerNorm.Centred {
				mean += v / float64(len(token))
			}
		}
		for _, v := range token {
			square += (v - mean) * (v - mean) / float64(len(token))
		}
		y = append(y, nil)
		for k, v := range token {
			v = (v - mean) / math.Sqrt(square+p.LayerNorm.Epsilon)
			y[len(y)-1] = append(y[len(y)-1], v*p.at(name+".gain", 0, k, 1)+p.at(name+".bias", 0, k, 0))
		}
	}
	return y
}

func (p *plainNetwork) linear(x [][]float64, name string) (y [][]float64) {
	w := p.parameters[name+".weight"]
	for _, token := range x {
		y = append(y, nil)
		for i := range w.Rows {
			total := p.at(name+".bias", 0, i, 0)
			for k, v := range token {
				total += p.at(name+".weight", i, k, 0) * v
			}
			y[len(y)-1] = append(y[len(y)-1], total)
		}
	}
	return y
}

func (p *plainNetwork) embed(s Sequence) (x [][]float64) {
	if p.Input != Embedded {
		for t := range s.Vectors.Rows {
			x = append(x, row(s.Vectors, t))
		}
		return x
	}
	e := p.Embedding
	if e.Class {
		x = append(x, append([]float64{}, p.parameters["embedding.class.weight"].Value...))
	}
	for _, word := range s.Words {
		x = append(x, nil)
		for k := range p.Dim {
			x[len(x)-1] = append(x[len(x)-1], p.at("embedding.word.weight", word, k, 0))
		}
	}
	if e.Features > 0 {
		var vectors [][]float64
		for t := range s.Vectors.Rows {
			vectors = append(vectors, row(s.Vectors, t))
		}
		x = append(x, p.linear(vectors, "embedding.vector")...)
	}
	for t := range x {
		for k := range x[t] {
			if e.Positions == LearnedPositions {
				x[t][k] += p.at("embedding.position.weight", t, k, 0)
			} else if e.Positions == SinusoidalPositions {
				angle := float64(t) / math.Pow(10000, float64(k-k%2)/float64(p.Dim))
				x[t][k] += []float64{math.Sin(angle), math.Cos(angle)}[k%2]
			}
			if e.Types > 0 {
				kind := 0
				if s.Types != nil {
					kind = s.Types[t]
				}
				x[t][k] += p.at("embedding.type.weight", kind, k, 0)
			}
		}
	}
	if e.Norm {
		x = p.norm(x, "embedding.norm")
	}
	return x
}

func (p *plainNetwork) attend(x [][]float64, layer int) [][]float64 {
	place := "layers." + strconv.Itoa(layer) + ".attention."
	keyPlace, valuePlace := place, place
	if p.SharedKeys {
		keyPlace = "attention."
	}
	if p.SharedValues {
		valuePlace = "attention."
	}
	values := p.linear(x, valuePlace+"value")
	var queries, keys [][]float64
	size, width := 0, p.Dim/p.Heads
	if p.Attention == QueriesKeys {
		queries = p.linear(x, keyPlace+"query")
		if keys = queries; !p.TiedKeys {
			keys = p.linear(x, keyPlace+"key")
		}
		size = len(queries[0]) / p.Heads
	}
	out := make([][]float64, len(x))
	for t := range out {
		out[t] = make([]float64, p.Dim)
	}
	p.attention = append(p.attention, nil)
	for h := range p.Heads {
		var all [][]float64
		for t := range x {
			weights, total, last := make([]float64, len(x)), 0.0, len(x)
			if p.Causal {
				last = t + 1
			}
			for s := range last {
				score := 0.0
				for c := h * size; c < (h+1)*size; c++ {
					score += queries[t][c] * keys[s][c] / math.Sqrt(float64(size))
				}
				if p.Uniform {
					score = 0
				}
				if p.Attention != QueriesKeys {
					score = p.at(keyPlace+"free.weight", h*p.Tokens+t, s, 0)
				}
				if p.Attention == FreeWeights {
					weights[s], total = score, 1
					continue
				}
				weights[s] = math.Exp(score)
				total += weights[s]
			}
			for s := range last {
				weights[s] /= total
				weight := weights[s]
				if p.GainControl {
					weight -= 1 / float64(last)
				}
				for c := h * width; c < (h+1)*width; c++ {
					out[t][c] += weight * values[s][c]
				}
			}
			all = append(all, weights)
		}
		p.attention[len(p.attention)-1] = append(p.attention[len(p.attention)-1], all)
	}
	if p.Projection {
		out = p.linear(out, place+"projection")
	}
	return out
}

func (p *plainNetwork) mlp(x [][]float64, layer int) [][]float64 {
	place := "layers." + strconv.Itoa(layer) + ".mlp."
	hidden := p.linear(x, place+"hidden")
	for t, token := range hidden {
		var gates []float64
		if p.Gated {
			token, gates = token[:len(token)/2], token[len(token)/2:]
			hidden[t] = token
		}
		for k, v := range token {
			token[k] = map[Activation]float64{
				ReLU: max(v, 0), Tanh: math.Tanh(v), Erf: math.Erf(v), Linear: v,
				GELU:     0.5 * v * (1 + math.Erf(v/math.Sqrt2)),
				GELUTanh: 0.5 * v * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(v+0.044715*v*v*v))),
				SiLU:     v / (1 + math.Exp(-v)),
			}[p.Activation]
			if p.Gated {
				token[k] *= gates[k]
			}
		}
	}
	return p.linear(hidden, place+"output")
}

// beside combines a branch with its skip connection, with LayerNorm at its place.
func (p *plainNetwork) beside(
	x [][]float64, name string, branch func(x [][]float64) [][]float64,
) [][]float64 {
	y := x
	if p.Norm == PreNorm || p.Norm == PeriNorm {
		y = p.norm(y, name+".norm")
	}
	y = branch(y)
	if p.Norm == PeriNorm {
		y = p.norm(y, name+".output_norm")
	}
	var total [][]float64
	for t := range x {
		total = append(total, nil)
		for k := range x[t] {
			total[t] = append(total[t], p.at(name+".skip", 0, 0, 0)*x[t][k]+p.at(name+".strength", 0, 0,
				0)*y[t][k])
		}
	}
	if p.Norm == PostNorm {
		total = p.norm(total, name+".norm")
	}
	return total
}

// forward returns the same as Workspace.Forward.
func (p *plainNetwork) forward(s Sequence) [][]float64 {
	p.attention = nil
	x := p.embed(s)
	p.tokens = [][][]float64{x}
	for l := range p.Layers {
		place := "layers." + strconv.Itoa(l)
		x = p.beside(x, place+".attention", func(x [][]float64) [][]float64 { return p.attend(x, l) })
		if !p.AttentionOnly {
			x = p.beside(x, place+".mlp", func(x [][]float64) [][]float64 { return p.mlp(x, l) })
		}
		p.tokens = append(p.tokens, x)
	}
	if p.FinalNorm {
		x = p.norm(x, "final_norm")
	}
	if p.Outputs > 0 {
		x = p.linear(x, "outputs")
	}
	return x
}

// layer computes the statistics in Layer by sums over pairs of tokens, and from attention weights; layer
// 0 is the input.
func (p *plainNetwork) layer(at int) (l Layer) {
	d, pairs, x := float64(p.Dim), 0.0, p.tokens[at]
	if p.Late > 0 {
		x = x[len(x)-p.Late:]
	}
	for t := range x {
		l.Q += inner(x[t], x[t]) / d / float64(len(x))
		l.Norm += math.Sqrt(inner(x[t], x[t])) / float64(len(x))
		for s := range t {
			pairs++
			l.P += inner(x[t], x[s]) / d
			l.Cosine += inner(x[t], x[s]) / math.Sqrt(inner(x[t], x[t])*inner(x[s], x[s]))
		}
	}
	l.P, l.Cosine = l.P/pairs, l.Cosine/pairs
	if at == 0 {
		return l
	}
	for _, rows := range p.attention[at-1] {
		for t, row := range rows {
			attended := float64(p.Tokens)
			if p.Causal {
				attended = float64(t + 1)
			}
			l.Excess += (inner(row, row) - 1/attended) / float64(p.Tokens*p.Heads)
			for s := range int(attended) { // diag(a) - aaᵀ - (I - 1/n)/n
				for u := range int(attended) {
					difference := (1/attended)/attended - row[s]*row[u]
					if s == u {
						difference += row[s] - 1/attended
					}
					l.Jacobian += difference * difference / float64(p.Tokens*p.Heads)
				}
			}
		}
	}
	return l
}

func inner(a, b []float64) (sum float64) {
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}
