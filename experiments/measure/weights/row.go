package weights

import (
	"math"

	"antipode/data"
	"antipode/internal/lists"
)

// Row is a row of the table of weights: the measurements of a head, of an entire layer, or of the input.
type Row struct {
	Dim   int32    `column:"dim" meaning:"dimension d of the tokens"`
	Layer float64  `column:"layer" meaning:"number of the layer, from 1; 0 is the input"`
	_     struct{} `meaning:"number of the head, from 1; null in the row of a whole layer, which has"`
	_     struct{} `meaning:"sums over heads of a, b, c and outliers, and means of β and of S²"`
	Head  float64  `column:"head,nullable"`
	Invariants
	Scores
	_             struct{} `meaning:"largest singular value of W_O W_V, divided by the value that it exceeds"`
	_             struct{} `meaning:"in 1 % of random matrices of equal shape and norm; in the row of a"`
	_             struct{} `meaning:"layer the largest of all heads"`
	ValueLargest  float64  `column:"value_largest,nullable"`
	_             struct{} `meaning:"number of singular values of W_O W_V above the value that the largest"`
	_             struct{} `meaning:"exceeds in 1 % of random matrices of equal shape and norm"`
	ValueOutliers float64  `column:"value_outliers,nullable"`
	_             struct{} `meaning:"largest singular value of W_QᵀW_K, divided by the value that it exceeds"`
	_             struct{} `meaning:"in 1 % of random matrices of equal shape and norm; in the row of a"`
	_             struct{} `meaning:"layer the largest of all heads"`
	ScoreLargest  float64  `column:"score_largest,nullable"`
	_             struct{} `meaning:"number of singular values of W_QᵀW_K above the value that the largest"`
	_             struct{} `meaning:"exceeds in 1 % of random matrices of equal shape and norm"`
	ScoreOutliers float64  `column:"score_outliers,nullable"`
	_             struct{} `meaning:"strength c of the MLP: mean square of a coordinate that it adds to unit"`
	_             struct{} `meaning:"tokens; null in rows of heads"`
	MLPStrength   float64  `column:"mlp_c,nullable"`
	_             struct{} `meaning:"variance w of the MLP's pre-activations; null in rows of heads"`
	MLPVariance   float64  `column:"mlp_w,nullable"`
	_             struct{} `meaning:"fraction of the MLP's squared output that is odd in its input: 1 for an"`
	_             struct{} `meaning:"odd function, 0.5 for random ReLU; null in rows of heads"`
	MLPOdd        float64  `column:"mlp_odd,nullable"`
	_             struct{} `meaning:"largest singular value of the MLP's first matrix W_1, divided by the"`
	_             struct{} `meaning:"value that it exceeds in 1 % of random matrices of equal shape and norm"`
	_             struct{} `meaning:"(Tracy and Widom); null in rows of heads"`
	UpLargest     float64  `column:"up_largest,nullable"`
	_             struct{} `meaning:"number of singular values of the MLP's first matrix W_1 above the value"`
	_             struct{} `meaning:"that the largest exceeds in 1 % of random matrices of equal shape and"`
	_             struct{} `meaning:"norm; null in rows of heads"`
	UpOutliers    float64  `column:"up_outliers,nullable"`
	_             struct{} `meaning:"largest singular value of the MLP's second matrix W_2, divided by the"`
	_             struct{} `meaning:"value that it exceeds in 1 % of random matrices of equal shape and norm"`
	_             struct{} `meaning:"(Tracy and Widom); null in rows of heads"`
	DownLargest   float64  `column:"down_largest,nullable"`
	_             struct{} `meaning:"number of singular values of the MLP's second matrix W_2 above the"`
	_             struct{} `meaning:"value that the largest exceeds in 1 % of random matrices of equal shape"`
	_             struct{} `meaning:"and norm; null in rows of heads"`
	DownOutliers  float64  `column:"down_outliers,nullable"`
	_             struct{} `meaning:"inverse temperature β above which opposite tokens stay opposite, by a,"`
	_             struct{} `meaning:"b, c and S, without the MLP: cosh 2β = d-2 for random W_O W_V and S ="`
	_             struct{} `meaning:"0; null if there is none"`
	Critical      float64  `column:"beta_c,nullable"`
	_             struct{} `meaning:"1 if overlap +1 attracts under layers with these a, b, c, β and S and"`
	_             struct{} `meaning:"with the MLP, 0 if not"`
	PlusOne       float64  `column:"plus_one,nullable"`
	_             struct{} `meaning:"1 if overlap -1 attracts under layers with these a, b, c, β and S and"`
	_             struct{} `meaning:"with the MLP, 0 if not"`
	MinusOne      float64  `column:"minus_one,nullable"`
	_             struct{} `meaning:"mean overlap of two tokens after the layer, measured; null without"`
	_             struct{} `meaning:"hidden states and in rows of heads"`
	Overlap       float64  `column:"overlap,nullable"`
	_             struct{} `meaning:"mean overlap of two tokens after the layer in the theory of wide"`
	_             struct{} `meaning:"layers, from the measured layer 0 on, of the first four sequences with"`
	_             struct{} `meaning:"two tokens or more, of 256 tokens each at most, or else from 64"`
	_             struct{} `meaning:"orthogonal tokens; null in rows of heads"`
	Theory        float64  `column:"overlap_theory,nullable"`
}

// Head holds the measurements of an attention head.
type Head struct {
	Invariants
	Scores
	Values, Products Spectrum // spectra of W_O W_V and of W_QᵀW_K
}

// Layer holds the measurements of the weights of a layer.
type Layer struct {
	Heads    []Head
	MLP      MLP
	Up, Down Spectrum
}

// fields returns pointers to the measurements of a layer in the order in which Pack encodes them.
func (l *Layer) fields() (fields []*float64) {
	for k := range l.Heads {
		h := &l.Heads[k]
		for _, e := range []*Estimate{&h.A, &h.B, &h.C, &h.Beta, &h.Spread} {
			fields = append(fields, &e.Value, &e.Low, &e.High)
		}
		fields = append(fields, &h.Identity, &h.Values.Largest, &h.Values.Outliers, &h.Products.Largest,
			&h.Products.Outliers)
	}
	return append(fields, &l.MLP.Strength, &l.MLP.Variance, &l.MLP.Odd, &l.Up.Largest, &l.Up.Outliers,
		&l.Down.Largest, &l.Down.Outliers)
}

// Numbers returns how many numbers Pack returns for the measurements of a layer.
func (m *Model) Numbers() int { return len((&Layer{Heads: make([]Head, m.Heads)}).fields()) }

// Pack encodes the measurements of a layer as numbers, none of which is infinite.
func (l Layer) Pack() []float64 {
	return lists.Map(l.fields(), func(field *float64) float64 { return data.FiniteOrNaN(*field) })
}

// Unpack decodes the measurements of a layer that Pack has encoded.
func (m *Model) Unpack(numbers []float64) Layer {
	l := Layer{Heads: make([]Head, m.Heads)}
	for k, field := range l.fields() {
		*field = numbers[k]
	}
	return l
}

// Rows returns the rows of the heads of a layer, followed by the row of the entire layer. The argument number
// is the number of the layer in the table.
func (m *Model) Rows(number int, l Layer) (rows []Row) {
	for k, h := range l.Heads {
		rows = append(rows, m.row(number, float64(k+1), h, MLP{}))
	}
	whole := m.row(number, math.NaN(), l.whole(), l.MLP)
	whole.MLPStrength, whole.MLPVariance, whole.MLPOdd = l.MLP.Strength, l.MLP.Variance, l.MLP.Odd
	whole.UpLargest, whole.UpOutliers = l.Up.Largest, l.Up.Outliers
	whole.DownLargest, whole.DownOutliers = l.Down.Largest, l.Down.Outliers
	return append(rows, whole)
}

// row returns the row of a head, without the columns that only entire layers have.
func (m *Model) row(layer int, head float64, h Head, mlp MLP) Row {
	r := m.NullRow(layer)
	r.Head = head
	r.Invariants, r.Scores = h.Invariants, h.Scores
	r.ValueLargest, r.ValueOutliers = h.Values.Largest, h.Values.Outliers
	r.ScoreLargest, r.ScoreOutliers = h.Products.Largest, h.Products.Outliers
	activation := m.Layout.Activation
	if m.Layout.Gate != "" {
		activation = ""
	}
	e := ends(m.Dim, h.A.Value, h.B.Value, h.C.Value, h.Beta.Value, h.Spread.Value, mlp, activation)
	r.Critical, r.PlusOne, r.MinusOne = e.Critical, e.Plus, e.Minus
	return r
}

// whole describes an entire layer as a single head. This head has the sums over the heads of additive
// quantities, and the means of β and S². The confidence intervals assume that the heads are independent.
func (l Layer) whole() (h Head) {
	count := float64(len(l.Heads))
	total := func(of func(Head) Estimate, weight float64) Estimate {
		var s Estimate
		low, high := 0., 0.
		for _, one := range l.Heads {
			e := of(one)
			s.Value += weight * e.Value
			low += weight * weight * (e.Value - e.Low) * (e.Value - e.Low)
			high += weight * weight * (e.High - e.Value) * (e.High - e.Value)
		}
		s.Low, s.High = s.Value-math.Sqrt(low), s.Value+math.Sqrt(high)
		return s
	}
	h.A = total(func(h Head) Estimate { return h.A }, 1)
	h.B = total(func(h Head) Estimate { return h.B }, 1)
	h.C = total(func(h Head) Estimate { return h.C }, 1)
	h.Beta = total(func(h Head) Estimate { return h.Beta }, 1/count)
	squares := total(func(h Head) Estimate {
		s := h.Spread
		return Estimate{s.Value * s.Value, s.Low * s.Low, s.High * s.High}
	}, 1/count)
	h.Spread = Estimate{math.Sqrt(squares.Value), math.Sqrt(max(0, squares.Low)), math.Sqrt(squares.High)}
	for _, one := range l.Heads {
		h.Identity += one.Identity
		h.Values.Largest = max(h.Values.Largest, one.Values.Largest)
		h.Products.Largest = max(h.Products.Largest, one.Products.Largest)
		h.Values.Outliers += one.Values.Outliers
		h.Products.Outliers += one.Products.Outliers
	}
	return h
}
