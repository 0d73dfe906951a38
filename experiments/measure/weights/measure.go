// Package weights measures the weights of a user's own Transformer. For each layer and attention head it
// computes the invariants of W_O W_V, the scores due to W_QᵀW_K, singular values compared with those of
// random matrices, and the action of MLPs on unit tokens. The package says on which side of the boundary of
// antipodal clustering the layers are, and predicts the overlaps of tokens by the theory of wide layers.
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

// NullRow returns the row of a layer in which all measurements are unknown.
func (m *Model) NullRow(layer int) Row {
	r := data.NullRow[Row]()
	r.Dim, r.Layer = int32(m.Dim), float64(layer)
	return r
}

// Meter measures the layers of a model's weights. A Meter is safe for concurrent use.
type Meter struct {
	model *Model
	seed  uint64
	edge  float64 // spectral edge of products of a head's matrices
}

// NewMeter returns a Meter for the layers of a model. The seed determines the random matrices with which the
// heads are compared, and the tokens with which MLPs are measured.
func (m *Model) NewMeter(seed uint64) *Meter {
	return &Meter{m, seed, productEdge(m.Dim, m.HeadDim, seed)}
}

// Measure measures the weights of a layer, counted from 0. The error names the array that cannot be read.
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

// head measures an attention head. If several heads of queries share keys and values, each of these heads is
// measured with the shared keys and values.
func (m *Meter) head(r *matrices, h int) Head {
	size, shared := m.model.HeadDim, h*m.model.KeyHeads/m.model.Heads
	rows := func(of *mat.Dense, h int) mat.Matrix { return of.Slice(h*size, (h+1)*size, 0, m.model.Dim) }
	values := newProduct(r.output.Slice(0, m.model.Dim, h*size, (h+1)*size), rows(r.value, shared))
	scores := newProduct(rows(r.query, h).T(), rows(r.key, shared))
	return Head{values.invariants(), scores.scores(r.attention), values.spectrum(m.edge),
		scores.spectrum(m.edge)}
}

// Predictor follows the overlaps of the tokens of sequences through the layers of a model by the theory of
// wide layers.
type Predictor struct {
	model   *Model
	streams []*stream
}

// Sequence describes the tokens of a sequence at the input of a model by their cosines and by the mean square
// of the entries of each token.
type Sequence struct {
	Cosines *mat.SymDense
	Squares []float64
}

// tokensOfTheory is the number of orthogonal tokens at which the prediction of overlaps starts if there are
// no hidden states.
const tokensOfTheory = 64

// Predict starts the prediction of overlaps at the tokens of the given sequences. If there are no sequences,
// the prediction starts at orthogonal tokens whose size is that of the embeddings. If the size of the
// embeddings is not known, nothing is predicted.
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

// Overlap returns the predicted mean overlap of two tokens after the layers that were passed so far, or NaN
// without a prediction.
func (p *Predictor) Overlap() float64 {
	total := 0.
	for _, s := range p.streams {
		total += s.mean()
	}
	return total / float64(len(p.streams))
}

// Pass advances the prediction of overlaps through a layer.
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

// Bytes estimates the memory in bytes that the measurement of one layer takes.
func (m *Model) Bytes() float64 {
	d, inner, width := float64(m.Dim), float64(m.Heads*m.HeadDim), float64(m.Width)
	small := min(d, width)
	return 8 * (3*(4*d*inner+3*d*width) + 4*small*small + 6*float64(m.HeadDim*m.HeadDim))
}
