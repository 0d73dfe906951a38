package threetokens

// A vector has components along the orthonormal directions m, n and e of a place of three tokens.
type vector [3]float64

func (v vector) dot(w vector) float64 {
	return float64(v[0]*w[0]) + float64(v[1]*w[1]) + float64(v[2]*w[2])
}

// combine returns a linear combination of three vectors.
func combine(a float64, v vector, b float64, w vector, c float64, x vector) (sum vector) {
	for k := range sum {
		sum[k] = float64(a*v[k]) + float64(b*w[k]) + float64(c*x[k])
	}
	return sum
}

// A matrix C represents the noise tr(CᵀdW) of a function of three tokens, where W is the Brownian motion of
// the value matrices.
type matrix [3]vector

// addOuter adds factor·v wᵀ to c; the matrix v wᵀ represents the noise <dW w, v>.
func (c *matrix) addOuter(factor float64, v, w vector) {
	for k := range c {
		for l := range c[k] {
			c[k][l] += float64(float64(factor*v[k]) * w[l])
		}
	}
}

// dot returns the covariance per unit of time of the noises that two matrices represent.
func (c *matrix) dot(e *matrix) float64 { return c[0].dot(e[0]) + c[1].dot(e[1]) + c[2].dot(e[2]) }
