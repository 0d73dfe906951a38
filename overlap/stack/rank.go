package stack

import "math"

// stableRank is Σλ²/λ₁² of XXᵀ, for tokens whose coordinates are independent normal vectors of this geometry:
// a bulk, of second moment tr K² + (tr K)²/d, and what stands out of it.
func (k *Stack) stableRank(x gram) float64 {
	d := float64(k.shape.Dim)
	squares, trace := 0.0, 0.0
	for i, n := range k.groups.count {
		trace += float64(n * x.square[i])
		squares += float64(n * x.square[i] * x.square[i])
		for j, m := range k.groups.count {
			if i == j {
				m--
			}
			squares += float64(float64(n*m) * x.inner[i][j] * x.inner[i][j])
		}
	}
	squares += (float64(trace*trace) + squares) / d
	top := k.top(x)
	return max(1, squares/float64(top*top))
}

// top is the largest eigenvalue: of a covariance with one eigenvalue ℓ times those of the others, level, and
// γ = T/d, it is level(ℓ + γℓ/(ℓ-1)) for ℓ > 1+√γ, else the edge level(1+√γ)² (Baik, Ben Arous and Péché).
func (k *Stack) top(x gram) float64 {
	largest := k.largest(x)
	t := float64(k.shape.Tokens)
	trace := float64(t * k.groups.meanSquare(x.square))
	level := max(trace-largest, 0) / (t - 1)
	gamma := t / float64(k.shape.Dim)
	if level == 0 {
		return largest
	}
	if l := largest / level; l > 1+math.Sqrt(gamma) {
		return float64(level * (l + float64(gamma*l)/(l-1)))
	}
	edge := 1 + math.Sqrt(gamma)
	return float64(level * edge * edge)
}

// largest is the largest eigenvalue of the geometry, by powers of its matrix over groups.
func (k *Stack) largest(x gram) float64 {
	v := make([]float64, len(x.square))
	for i := range v {
		v[i] = 1
	}
	value := 0.0
	for range 200 {
		next, before := make([]float64, len(v)), value
		value = 0
		for i := range v {
			next[i] = float64((x.square[i] - x.inner[i][i]) * v[i])
			for j, m := range k.groups.count {
				next[i] += float64(m * x.inner[i][j] * v[j])
			}
			value = max(value, math.Abs(next[i]))
		}
		if value == 0 {
			return 0
		}
		for i := range v {
			v[i] = next[i] / value
		}
		if math.Abs(value-before) <= 1e-12*value {
			break
		}
	}
	return value
}
