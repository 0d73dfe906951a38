package network

import (
	"math"
	"sort"

	"antipode/internal/products"
	"antipode/sde/internal/kernels"
)

// role is the purpose of random numbers: different roles have independent random numbers.
type role int

// The following roles are those of random numbers within each layer. The role of biases is the role of the
// weights that they belong to, plus biasRoles.
const (
	queryRole role = iota
	keyRole
	valueRole
	projectionRole
	hiddenRole
	outputRole
	biasRoles
	attentionProbe role = 2*biasRoles + iota - 7
	mlpProbe
	wholeProbe
	freeRole   // weights of free attention
	layerRoles = 16
)

// The following roles are those of random numbers outside the layers.
const (
	wordRole role = layerRoles + iota
	vectorMapRole
	classRole
	positionRole
	typeRole
	logitRole
	commonRole // common component of Gaussian tokens
	tokenRole
	wordsRole   // the words of a sequence
	lossRole    // the weights of the linear map of a loss
	classesRole // the random classes of a loss
)

// bias reports whether the role is that of the biases of a layer.
func (r role) bias() bool { return biasRoles <= r && r < 2*biasRoles }

// source generates the random numbers of one network of an Ensemble.
type source struct {
	stream  kernels.Stream
	network int64
	lanes   *kernels.Lanes   // generators of the random numbers of the rows that are sampled side by side
	buffer  []kernels.Vector // an even number of random entries for each row
}

const rowsTogether, columnsTogether = 8, 256

func newSource(stream kernels.Stream, network int64) *source {
	return &source{stream: stream, network: network, lanes: kernels.NewLanes(stream, 1),
		buffer: make([]kernels.Vector, columnsTogether)}
}

// address returns the purpose and the step that identify the random numbers of a row of a matrix of weights.
func address(r role, layer, row int) (purpose kernels.Purpose, step int64) {
	if r < layerRoles {
		return kernels.Increments, int64(layer*layerRoles+int(r))*largestCount + int64(row)
	}
	return kernels.Starts, int64(r)*largestCount + int64(row)
}

// normals fills a matrix with independent centred normal entries. Row k of the matrix has the random numbers
// of row k of the weights or, if rows is not nil, of row rows[k].
func (s *source) normals(m matrix, deviation float64, r role, layer int, rows []int) {
	for first := 0; first < m.Rows; first += rowsTogether {
		count := min(rowsTogether, m.Rows-first)
		if rows == nil {
			purpose, step := address(r, layer, first)
			s.lanes.SetSteps(purpose, s.network, step)
		} else {
			for k := range rowsTogether {
				purpose, step := address(r, layer, rows[first+min(k, count-1)])
				s.lanes.Set(k, purpose, s.network, step)
			}
		}
		for column := 0; column < m.Cols; column += len(s.buffer) {
			buffer := s.buffer[:min(len(s.buffer), m.Cols-column)]
			s.lanes.Normals(buffer, deviation, uint32(column/2))
			products.Transpose(columns(rowsOf(m, first, count), column, len(buffer)), matrix{
				Rows: len(buffer), Cols: count, Stride: rowsTogether, Data: kernels.Numbers(buffer)})
		}
	}
}

// draw fills a parameter with the random initial values that it has in a layer.
func (s *source) draw(p *Parameter, layer int) {
	if p.law.shared {
		layer = 0
	}
	m := matrixOf(p.Rows, p.Cols, p.Value)
	switch p.law.kind {
	case constant:
		p.fill(p.law.scale)
	case gaussian:
		s.normals(m, p.law.scale, p.law.role, layer, nil)
	case identity:
		clear(p.Value)
		for k := range p.Rows {
			p.Value[k*p.Cols+k%p.Cols] = p.law.scale
		}
	case orthogonal:
		s.normals(m, 1, p.law.role, layer, nil)
		Orthonormalize(m)
		for k := range p.Value {
			p.Value[k] *= p.law.scale
		}
	}
}

// rowsOf returns the block of count rows of a matrix that begins with row first.
func rowsOf(m matrix, first, count int) matrix {
	return matrix{Rows: count, Cols: m.Cols, Stride: m.Stride, Data: m.Data[first*m.Stride:]}
}

// tokens fills x with the tokens before the first layer, for an input of tokens that are not Embedded.
func (s *source) tokens(n Network, x matrix) {
	own, common := math.Sqrt(float64(float64(n.Dim)*(n.Q-n.P))), math.Sqrt(float64(float64(n.Dim)*n.P))
	switch n.Input {
	case Simplex:
		clear(x.Data)
		for t := range n.Tokens {
			token := row(x, t)
			token[t], token[n.Tokens] = own, common
		}
	case Rotated:
		axes := newMatrix(n.Tokens+1, n.Dim)
		s.normals(axes, 1, tokenRole, 0, nil)
		Orthonormalize(axes)
		clear(x.Data)
		for t := range n.Tokens {
			addMultiple(row(x, t), own, row(axes, t))
			addMultiple(row(x, t), common, row(axes, n.Tokens))
		}
	default:
		s.gaussianTokens(n, x)
	}
}

// gaussianTokens fills x with Gaussian tokens.
func (s *source) gaussianTokens(n Network, x matrix) {
	common := newMatrix(1, n.Dim)
	s.normals(common, math.Sqrt(n.P), commonRole, 0, nil)
	s.normals(x, math.Sqrt(n.Q-n.P), tokenRole, 0, nil)
	for t := range n.Tokens {
		addMultiple(row(x, t), 1, common.Data)
	}
}

// words samples count words of a sequence, by Zipf's law or, if law is nil, uniformly.
func (s *source) words(law zipf, sequence, count, vocabulary int) []int {
	if law == nil {
		return s.choices(wordsRole, sequence, count, vocabulary)
	}
	words := make([]int, count)
	for k, u := range s.uniforms(wordsRole, sequence, count) {
		words[k] = law.at(u)
	}
	return words
}

// choices samples count uniform integers from 0 to limit-1.
func (s *source) choices(r role, row, count, limit int) []int {
	choices := make([]int, count)
	for k, u := range s.uniforms(r, row, count) {
		choices[k] = kernels.Integer(u, limit)
	}
	return choices
}

// uniforms samples count uniform numbers in (0, 1).
func (s *source) uniforms(r role, row, count int) []float64 {
	uniforms := make([]float64, count)
	purpose, step := address(r, 0, row)
	s.stream.Uniforms(uniforms, 0.5, purpose, s.network, step)
	for k := range uniforms {
		uniforms[k] += 0.5
	}
	return uniforms
}

// zipf is Zipf's law of words, in which word k has probability proportional to 1/k: it holds the partial sums
// of 1/k.
type zipf []float64

func newZipf(words int) zipf {
	sums, sum := make(zipf, words), 0.0
	for k := range sums {
		sum += 1 / float64(k+1)
		sums[k] = sum
	}
	return sums
}

// at returns the word, counted from 0, at the quantile u of Zipf's law.
func (z zipf) at(u float64) int {
	return min(sort.SearchFloat64s(z, u*z[len(z)-1]), len(z)-1)
}
