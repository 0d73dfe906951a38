package network

import "math"

// normalize writes x√d/|x| of each token to y, and the factors √d/|x|. A token of 0 gives
// an infinite factor.
func normalize(y, x matrix, factor []float64) {
	for t := range x.Rows {
		token := row(x, t)
		factor[t] = math.Sqrt(float64(x.Cols) / dot(token, token))
		for k, v := range token {
			y.Data[t*y.Stride+k] = v * factor[t]
		}
	}
}

// normalizeBack turns the derivatives with respect to y, by which normalize replaced x, to
// those with respect to x, in place: factor·(dy - y<y, dy>/d).
func normalizeBack(dy, y matrix, factor []float64) {
	for t := range y.Rows {
		token, derivative := row(y, t), row(dy, t)
		along := dot(token, derivative) / float64(y.Cols)
		for k, v := range token {
			derivative[k] = factor[t] * (derivative[k] - float64(along*v))
		}
	}
}
