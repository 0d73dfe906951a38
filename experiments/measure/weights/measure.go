// Package weights measures the weights of a Transformer that a person has: by layer and head the invariants
// of W_O W_V, the scores that W_QᵀW_K makes, singular values beside those of random matrices and what MLPs do
// to unit tokens; on which side of the boundary of antipodal clustering they stand; and what the theory of
// wide layers says of the overlaps of tokens.
//
//	model, err := weights.Open("testdata/model.safetensors", nil, 0)
//	if err != nil {
//		return err
//	}
//	defer model.Close()
//	layer, err := model.NewMeter(1).Measure(0)
package weights

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"antipode/data"
)

// NullRow is the row of a layer of which nothing is known.
func (m *Model) NullRow(layer int) Row {
	r := data.NullRow[Row]()
	r.Dim, r.Layer = int32(m.Dim), float64(layer)
	return r
}

// Meter measures layers. It serves several goroutines.
type Meter struct {
	model *Model
	seed  uint64
	edge  float64 // of products of the matrices of a head
}

// NewMeter returns what measures the layers of a model. The seed is that of the random matrices with which
// those of heads are compared, and of the tokens with which MLPs are measured.
func (m *Model) NewMeter(seed uint64) *Meter {
	return &Meter{m, seed, productEdge(m.Dim, m.HeadDim, seed)}
}

// Measure measures a layer, from 0. The error names the array that cannot be read.
func (m *Meter) Measure(layer int) (l Layer, err error) {
	r, err := m.model.read(layer)
	if err != nil {
		return l, err
	}
	for h := range m.model.Heads {
		l.Heads = append(l.Heads, m.head(r, h))
	}
	if m.model.Layout.alone() {
		nothing := Spectrum{math.NaN(), math.NaN()}
		l.MLP.Odd, l.Up, l.Down = math.NaN(), nothing, nothing
		return l, nil
	}
	random := rand.New(rand.NewPCG(m.seed, uint64(layer)))
	l.MLP = measureMLP(r, m.model.Layout.Activation, random)
	l.Up, l.Down = spectrumOf(r.up), spectrumOf(r.down)
	return l, nil
}

// head measures a head. Where several heads of queries share one of keys and values, each has it.
func (m *Meter) head(r *matrices, h int) Head {
	size, shared := m.model.HeadDim, h*m.model.KeyHeads/m.model.Heads
	rows := func(of *mat.Dense, h int) mat.Matrix { return of.Slice(h*size, (h+1)*size, 0, m.model.Dim) }
	values := newProduct(r.output.Slice(0, m.model.Dim, h*size, (h+1)*size), rows(r.value, shared))
	scores := newProduct(rows(r.query, h).T(), rows(r.key, shared))
	return Head{values.invariants(), scores.scores(r.attention), values.spectrum(m.edge),
		scores.spectrum(m.edge)}
}

// Predictor follows the tokens of sequences through layers by theory.
type Predictor struct {
	model   *Model
	streams []*stream
}

// Sequence is the tokens of a sequence at the input: their cosines and the mean squares of their entries.
type Sequence struct {
	Cosines *mat.SymDense
	Squares []float64
}

// tokensOfTheory is how many orthogonal tokens the theory begins with where there are no hidden states.
const tokensOfTheory = 64

// Predict begins at the input: at the sequences, or where there are none at orthogonal tokens of the size
// that the embeddings have. If that size is not known, it predicts nothing.
func (m *Model) Predict(sequences []Sequence, seed uint64) (*Predictor, error) {
	p := &Predictor{model: m}
	if len(sequences) == 0 {
		square, err := m.inputSquare()
		if err != nil || math.IsNaN(square) {
			return p, err
		}
		one := Sequence{mat.NewSymDense(tokensOfTheory, nil), make([]float64, tokensOfTheory)}
		for i := range tokensOfTheory {
			one.Cosines.SetSym(i, i, 1)
			one.Squares[i] = square
		}
		sequences = append(sequences, one)
	}
	for k, s := range sequences {
		random := rand.New(rand.NewPCG(seed, uint64(k)))
		p.streams = append(p.streams, newStream(s.Cosines, s.Squares, m.Layout, random))
	}
	return p, nil
}

// Overlap is the mean overlap of two tokens after the layers so far, NaN if nothing is predicted.
func (p *Predictor) Overlap() float64 {
	total := 0.
	for _, s := range p.streams {
		total += s.mean()
	}
	return total / float64(len(p.streams))
}

// Pass goes through a layer.
func (p *Predictor) Pass(l Layer) error {
	if len(p.streams) == 0 {
		return nil
	}
	feed := func(*stream) {}
	if layout := &p.model.Layout; !layout.alone() {
		correlation, err := l.MLP.correlation(layout.Activation, layout.Gate != "")
		if err != nil {
			return err
		}
		feed = func(s *stream) { s.feed(l.MLP, correlation, p.model.Dim) }
	}
	for _, s := range p.streams {
		s.attend(l.Heads, p.model.Dim)
		feed(s)
	}
	return nil
}

// Bytes is about how much memory a layer takes while it is measured.
func (m *Model) Bytes() float64 {
	d, inner, width := float64(m.Dim), float64(m.Heads*m.HeadDim), float64(m.Width)
	small := min(d, width)
	return 8 * (3*(4*d*inner+3*d*width) + 4*small*small + 6*float64(m.HeadDim*m.HeadDim))
}
