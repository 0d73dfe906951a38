package training

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

// Pairs and clusters of tokens with different norms: two that coincide within the tolerance, one opposite
// to them, and one elsewhere.
func TestClusters(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		data                  []float64
		plus, minus, clusters float64
	}{
		{[]float64{2, 0, 5, 0.1, -3, 0, 0, 7}, 1. / 6, 2. / 6, 3},
		{[]float64{2, 0, 5, 0.3, -3, 0, 0, 7}, 0, 1. / 6, 4},
		{[]float64{1, 0, 1, 0.04, 1, 0.08, 1, 0.12}, 3. / 6, 0, 1},
		{[]float64{1, 0, 0, 0, 1, 1, 2, 3}, nan, nan, nan},
		{[]float64{1, 0, nan, 0, 1, 1, 2, 3}, nan, nan, nan},
	} {
		var l LayerRecord
		new(clusters).observe(blas64.General{Rows: 4, Cols: 2, Stride: 2, Data: c.data}, &l)
		for k, pair := range [][2]float64{{l.Plus, c.plus}, {l.Minus, c.minus}, {l.Clusters, c.clusters}} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-15) && !(math.IsNaN(pair[0]) && math.IsNaN(pair[1])) {
				t.Errorf("%v, number %d: %v, want %v", c.data, k, pair[0], pair[1])
			}
		}
	}
}
