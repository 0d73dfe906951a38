package spectrum

import (
	"context"
	"math"

	"antipode/data"
	"antipode/sde/matrices"

	"gonum.org/v1/gonum/mat"
)

// spectrumRows are the rows of the table for one sample: of each layer, quantity, index,
// value and imaginary part, one after the other.
type spectrumRows struct{ numbers []float64 }

// rowNumbers is how many numbers a row has.
const rowNumbers = 5

// add adds values of a quantity in a layer.
func (r *spectrumRows) add(layer int, quantity int8, values ...float64) {
	for k, v := range values {
		r.addComplex(layer, quantity, k, complex(v, math.NaN()))
	}
}

func (r *spectrumRows) addComplex(layer int, quantity int8, k int, v complex128) {
	r.numbers = append(r.numbers, float64(layer), float64(quantity), float64(k+1), real(v), imag(v))
}

// columnsOf are the columns of the table for the rows of a sample.
func columnsOf(n matrices.Network, sample int64, numbers []float64) []data.Values {
	rows := len(numbers) / rowNumbers
	layer, quantity, index := make([]int32, rows), make([]int8, rows), make([]int32, rows)
	value, imaginary := make([]float64, rows), make([]float64, rows)
	for k := range rows {
		row := numbers[k*rowNumbers:]
		layer[k], quantity[k], index[k] = int32(row[0]), int8(row[1]), int32(row[2])
		value[k], imaginary[k] = row[3], row[4]
	}
	return []data.Values{data.Slice[int8](repeat(int8(n.Attention), rows)), data.Slice[int32](repeat(int32(sample), rows)), data.Slice[int32](layer), data.Slice[int8](quantity), data.Slice[int32](index), data.Slice[float64](value), data.Slice[float64](imaginary)}
}

// rowsOfSample is the number of rows of a sample.
func (s *Spectrum) rowsOfSample() int {
	const ranks = 2
	layers, tokens := int(s.Layers), int(s.Tokens)
	switch {
	case s.large():
		return layers * (largeValues + ranks)
	case s.Brief:
		return tokens + layers*ranks
	}
	return layers * (3*tokens + ranks)
}

// addRank adds the stable rank and its excess over 1.
func (r *spectrumRows) addRank(layer int, excess float64) {
	r.add(layer, stableRank, 1+excess)
	r.add(layer, stableRankExcess, excess)
}

// sample makes the rows of one sample.
func (s *Spectrum) sample(ctx context.Context, n matrices.Network, seed uint64, sample int64, workers int) (rows spectrumRows, err error) {
	if s.large() {
		return rows, rows.addLarge(ctx, n, seed, sample, workers)
	}
	signal := n.Start(seed, sample)
	for layer := 1; layer <= n.Layers; layer++ {
		if err := ctx.Err(); err != nil {
			return rows, err
		}
		if err := signal.Advance(); err != nil {
			return rows, tooDeep(n, err)
		}
		if err := rows.addLayer(signal, s.Brief); err != nil {
			return rows, err
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

// largeValues is how many singular values of a large attention matrix there are.
const largeValues = 2

// addLarge adds the largest singular values of the attention matrices, and the stable
// ranks.
func (r *spectrumRows) addLarge(ctx context.Context, n matrices.Network, seed uint64, sample int64, workers int) error {
	large, err := n.NewLarge(ctx, seed, sample, workers)
	if err != nil {
		return err
	}
	for layer := 1; layer <= n.Layers; layer++ {
		v, err := large.AttentionValues(layer, largeValues)
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
