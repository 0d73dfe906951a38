package spectrum

import (
	"context"

	"antipode/experiments/internal/attention"
	"antipode/sde/matrices"

	"gonum.org/v1/gonum/mat"
)

// rowsOfSample returns the number of rows of a sample.
func (s *Experiment) rowsOfSample() int {
	const ranks = 2
	layers, tokens := int(s.Layers), int(s.Tokens)
	switch {
	case s.large():
		return layers * (largeValues + ranks)
	case s.brief:
		return tokens + layers*ranks
	case s.Save == saveAttention:
		return layers * (3*tokens + ranks + tokens*tokens)
	}
	return layers * (3*tokens + ranks)
}

// sample computes the rows of one sample of a network.
func (s *Experiment) sample(
	ctx context.Context, n matrices.Network, seed uint64, sample int64, workers int,
) (rows []Row, err error) {
	if s.large() {
		return largeRows(ctx, n, seed, sample, workers)
	}
	signal := n.Start(seed, sample)
	for layer := 1; layer <= n.Layers; layer++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := signal.Advance(); err != nil {
			return nil, attention.TooDeep(n, err)
		}
		of, err := s.layerRows(signal)
		if err != nil {
			return nil, err
		}
		rows = append(rows, of...)
	}
	return rows, nil
}

// layerRows returns all rows of a layer or, for a brief table, only the rows that a summary needs.
func (s *Experiment) layerRows(signal *matrices.Signal) (rows []Row, err error) {
	layer, a, brief := signal.Layer(), signal.Attention(0), s.brief
	if !brief || layer == 1 {
		values, err := matrices.SingularValues(a)
		if err != nil {
			return nil, err
		}
		rows = realRows(layer, SingularValue, values...)
	}
	if brief {
		excess, err := matrices.CovarianceExcess(signal.X())
		return append(rows, rankRows(layer, excess)...), err
	}
	eigenvalues, err := matrices.Eigenvalues(a)
	if err != nil {
		return nil, err
	}
	rows = append(rows, eigenvalueRows(layer, eigenvalues)...)
	covariance, err := covarianceRows(layer, signal.X())
	rows = append(rows, covariance...)
	if s.Save == saveAttention {
		tokens, _ := a.Dims()
		entries := realRows(layer, Entry, a.RawMatrix().Data[:tokens*tokens]...)
		rows = append(rows, entries...)
	}
	return rows, err
}

// covarianceRows returns rows with the T singular values of the covariance XXᵀ of the signal X, and with the
// stable rank.
func covarianceRows(layer int, x *mat.Dense) ([]Row, error) {
	values, err := matrices.SingularValues(x)
	if err != nil {
		return nil, err
	}
	tokens, _ := x.Dims()
	squares := make([]float64, tokens)
	for k, v := range values {
		squares[k] = v * v
	}
	return append(realRows(layer, Covariance, squares...), rankRows(layer, matrices.Excess(values))...), nil
}

// largeValues is how many singular values of a large attention matrix are computed.
const largeValues = 2

// largeRows returns rows with the largest singular values of large attention matrices, and with the stable
// ranks of the signal.
func largeRows(
	ctx context.Context, n matrices.Network, seed uint64, sample int64, workers int,
) (rows []Row, err error) {
	large, err := n.NewLarge(ctx, seed, sample, workers)
	if err != nil {
		return nil, err
	}
	for layer := 1; layer <= n.Layers; layer++ {
		values, err := large.AttentionValues(layer, largeValues)
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		excess, _, err := large.Excess(layer)
		if err != nil {
			return nil, err
		}
		rows = append(append(rows, realRows(layer, SingularValue, values...)...), rankRows(layer, excess)...)
	}
	return rows, nil
}
