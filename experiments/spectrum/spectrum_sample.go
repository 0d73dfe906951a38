package spectrum

import (
	"antipode/experiments/run"
	"context"
	"math"

	"antipode/sde/matrices"

	"gonum.org/v1/gonum/mat"
)

// spectrumRows are the rows of the table for one sample.
type spectrumRows struct {
	attention        int8
	sample           int32
	layer, index     []int32
	quantity         []int8
	value, imaginary []float64
}

// rowsCodec keeps the rows of a sample.
var rowsCodec = run.Codec[*spectrumRows]{
	Append: func(bytes []byte, r *spectrumRows) []byte {
		bytes = run.AppendInt(run.AppendInt(append(bytes, byte(r.attention)), int64(r.sample)), int64(len(r.value)))
		for k := range r.value {
			bytes = run.AppendInt(run.AppendInt(append(bytes, byte(r.quantity[k])), int64(r.layer[k])), int64(r.index[k]))
			bytes = run.AppendFloat(run.AppendFloat(bytes, r.value[k]), r.imaginary[k])
		}
		return bytes
	},
	Read: func(d *run.Decoder) *spectrumRows {
		r := &spectrumRows{attention: int8(d.Byte()), sample: int32(d.Int())}
		for range d.Length() {
			r.quantity = append(r.quantity, int8(d.Byte()))
			r.layer, r.index = append(r.layer, int32(d.Int())), append(r.index, int32(d.Int()))
			r.value, r.imaginary = append(r.value, d.Float()), append(r.imaginary, d.Float())
		}
		return r
	},
}

// add adds values of a quantity in a layer.
func (r *spectrumRows) add(layer int, quantity int8, values ...float64) {
	for k, v := range values {
		r.addComplex(layer, quantity, k, complex(v, math.NaN()))
	}
}

func (r *spectrumRows) addComplex(layer int, quantity int8, k int, v complex128) {
	r.layer, r.quantity, r.index = append(r.layer, int32(layer)), append(r.quantity, quantity), append(r.index, int32(k+1))
	r.value, r.imaginary = append(r.value, real(v)), append(r.imaginary, imag(v))
}

// addRank adds the stable rank and its excess over 1.
func (r *spectrumRows) addRank(layer int, excess float64) {
	r.add(layer, stableRank, 1+excess)
	r.add(layer, stableRankExcess, excess)
}

func (r *spectrumRows) columns() []any {
	attention, sample := make([]int8, len(r.layer)), make([]int32, len(r.layer))
	for k := range r.layer {
		attention[k], sample[k] = r.attention, r.sample
	}
	return []any{attention, sample, r.layer, r.quantity, r.index, r.value, r.imaginary}
}

// sample makes the rows of one sample.
func (s *Spectrum) sample(ctx context.Context, n matrices.Network, seed uint64, sample int64, workers int) (*spectrumRows, error) {
	rows := &spectrumRows{attention: int8(n.Attention), sample: int32(sample)}
	if s.large() {
		return rows, rows.addLarge(ctx, n, seed, sample, workers)
	}
	signal := n.Start(seed, sample)
	for layer := 1; layer <= n.Layers; layer++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := signal.Advance(); err != nil {
			return nil, tooDeep(n, err)
		}
		if err := rows.addLayer(signal, s.Brief); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// addLayer adds all that there is in a layer, or for a brief table little.
func (r *spectrumRows) addLayer(signal *matrices.Signal, brief bool) error {
	layer, a := signal.Layer(), signal.Attention(0)
	if !brief || layer == 1 {
		values, err := matrices.SingularValues(a)
		if err != nil {
			return err
		}
		r.add(layer, singularValue, values...)
	}
	if brief {
		excess, err := matrices.CovarianceExcess(signal.X())
		r.addRank(layer, excess)
		return err
	}
	eigenvalues, err := matrices.Eigenvalues(a)
	if err != nil {
		return err
	}
	for k, v := range eigenvalues {
		r.addComplex(layer, eigenvalue, k, v)
	}
	return r.addCovariance(layer, signal.X())
}

// addCovariance adds the singular values of XXᵀ, T of them, and the stable rank.
func (r *spectrumRows) addCovariance(layer int, x *mat.Dense) error {
	values, err := matrices.SingularValues(x)
	if err != nil {
		return err
	}
	tokens, _ := x.Dims()
	squares := make([]float64, tokens)
	for k, v := range values {
		squares[k] = v * v
	}
	r.add(layer, covariance, squares...)
	r.addRank(layer, matrices.Excess(values))
	return nil
}

// addLarge adds the largest singular values of the attention matrices, and the stable
// ranks.
func (r *spectrumRows) addLarge(ctx context.Context, n matrices.Network, seed uint64, sample int64, workers int) error {
	const values = 2
	large, err := n.NewLarge(ctx, seed, sample, workers)
	if err != nil {
		return err
	}
	for layer := 1; layer <= n.Layers; layer++ {
		v, err := large.AttentionValues(layer, values)
		if err != nil {
			return err
		}
		r.add(layer, singularValue, v...)
		if err := ctx.Err(); err != nil {
			return err
		}
		excess, _, err := large.Excess(layer)
		if err != nil {
			return err
		}
		r.addRank(layer, excess)
	}
	return nil
}
