package weights

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"antipode/internal/lists"
)

// Spectrum compares the singular values of a weight matrix with those of a random matrix of the same shape
// and norm.
type Spectrum struct {
	// Largest is the largest singular value divided by the edge, where the largest singular value of a random
	// matrix is above the edge with probability 1 %.
	Largest float64
	// Outliers is the number of singular values above the edge.
	Outliers float64
}

// level is the probability that a random matrix has a singular value above the edge.
const level = 0.01

// productEdge returns the spectral edge of a random product LR: the 99 % quantile of its largest squared
// singular value, divided by the sum of all squared singular values. The matrices L (d × h) and R (h × d)
// have independent Gaussian entries. LᵀL and RRᵀ are sampled by Bartlett's decomposition.
func productEdge(dim, inner int, seed uint64) float64 {
	draws := max(100, min(400, 400*64/inner)) // fewer samples of large matrices, to save time
	random := rand.New(rand.NewPCG(seed, uint64(dim)<<32|uint64(inner)))
	shares := make([]float64, draws)
	for k := range shares {
		var both mat.Dense
		both.Mul(wishartRoot(random, dim, inner), wishartRoot(random, dim, inner).T())
		squares := squaredSingularValues(&both)
		shares[k] = squares[0] / lists.Sum(squares)
	}
	slices.Sort(shares)
	return shares[int(math.Ceil((1-level)*float64(draws)))-1]
}

// wishartRoot returns a random triangular matrix T such that TᵀT has the law of GᵀG, where G is d × h with
// independent Gaussian entries and d ≥ h. If d < h, wishartRoot returns G itself.
func wishartRoot(random *rand.Rand, dim, inner int) mat.Matrix {
	root := mat.NewDense(min(dim, inner), inner, nil)
	for i := range min(dim, inner) {
		for j := range inner {
			switch {
			case dim < inner || j > i:
				root.Set(i, j, random.NormFloat64())
			case j == i:
				root.Set(i, i, math.Sqrt(distuv.ChiSquared{K: float64(dim - i), Src: random}.Rand()))
			}
		}
	}
	return root
}

// spectrum compares the singular values of a matrix product with a spectral edge.
func (p product) spectrum(edge float64) Spectrum {
	var root mat.Dense
	root.Mul(rootOf(p.right).T(), rootOf(p.left))
	return beyond(squaredSingularValues(&root), edge)
}

// rootOf returns a matrix T such that TTᵀ equals the given positive semidefinite matrix. The matrix T is
// computed from the eigenvectors of the given matrix.
func rootOf(m *mat.Dense) *mat.Dense {
	n, _ := m.Dims()
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			symmetric.SetSym(i, j, m.At(i, j))
		}
	}
	var eigen mat.EigenSym
	root := mat.NewDense(n, n, nil)
	if !eigen.Factorize(symmetric, true) {
		return root
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil)
	root.Apply(func(_, j int, v float64) float64 { return v * math.Sqrt(max(0, values[j])) }, &vectors)
	return root
}

// beyond compares squared singular values, in descending order, with a spectral edge. The edge is a fraction
// of the sum of the squared singular values.
func beyond(squares []float64, edge float64) Spectrum {
	most := edge * lists.Sum(squares)
	if !(most > 0) {
		return Spectrum{Largest: math.NaN()}
	}
	outliers := lists.Count(squares, func(x float64) bool { return x > most })
	return Spectrum{Largest: math.Sqrt(squares[0] / most), Outliers: float64(outliers)}
}

// tracyWidom is the 99 % quantile of the Tracy-Widom law for real matrices (β = 1).
const tracyWidom = 2.0234

// matrixEdge returns the spectral edge of a random matrix with independent Gaussian entries: the 99 %
// quantile of its largest squared singular value, divided by the sum of all squared singular values. The
// matrix has at least two rows or columns. The quantile is that of the Tracy-Widom law, with the constants of
// Johnstone (2001).
func matrixEdge(rows, columns int) float64 {
	p, n := float64(min(rows, columns)), float64(max(rows, columns))
	root := math.Sqrt(n-1) + math.Sqrt(p)
	edge := root*root + tracyWidom*root*math.Cbrt(1/math.Sqrt(n-1)+1/math.Sqrt(p))
	return min(1, edge/(p*n))
}

// spectrumOf compares the singular values of a weight matrix with those of a random matrix.
func spectrumOf(m *mat.Dense) Spectrum {
	rows, columns := m.Dims()
	return beyond(squaredSingularValues(m), matrixEdge(rows, columns))
}

// squaredSingularValues returns the squares of the singular values of a matrix M in descending order,
// computed from the smaller of MᵀM and MMᵀ.
func squaredSingularValues(m *mat.Dense) []float64 {
	rows, columns := m.Dims()
	gram := mat.NewSymDense(min(rows, columns), nil)
	if rows <= columns {
		gram.SymOuterK(1, m)
	} else {
		gram.SymOuterK(1, m.T())
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, false) {
		return []float64{math.NaN()}
	}
	values := eigen.Values(nil)
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
	return values
}
