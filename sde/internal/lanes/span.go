package lanes

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/kernels"
)

// span finds the coefficients C of the rows of a matrix A in an orthonormal basis of their span, C Cᵀ = A Aᵀ,
// by Cholesky's method in rounds. The method computes, as a difference, the squared length of the component
// of a row orthogonal to the rows before it. If the squared length of the component is much smaller than that
// of the row, the difference consists of rounding errors of the Gram matrix. A row with such a square is left
// to the next round, which begins with the component of the row orthogonal to all directions found so far,
// computed as a vector. So the differences of nearly coincident rows do not lose the digits that they would
// lose in the Gram matrix of A. Usually one round of Cholesky's method is enough.
//
// Rows of A that coincide bit for bit get the same coefficients.
type span struct {
	most, dim int // largest number of rows of A, and their dimension
	products  *products.Multiplier
	team      *team.Team

	n, columns   int // numbers of rows and columns of C
	coefficients kernels.Matrix
	triangular   bool            // whether one round was enough: C is then the lower triangle of factor
	twin         []int32         // for each row, the first row that coincides with it
	squares      []float64       // squared lengths of the rows
	factor       triangle        // Gram matrix of the rows of this round, and then its Cholesky factor
	rest         *kernels.Matrix // rows of this round
	rests        [2]kernels.Matrix
	rows         []int32        // for each row of rest, the row of A from which it comes
	chosen, left []int32        // chosen rows add a direction; rows in left are left to the next round
	basis        kernels.Matrix // chosen rows
	basisFactor  triangle       // Cholesky factor of the Gram matrix of the chosen rows
	along        kernels.Matrix // coefficients of the rows in left along the directions of this round
	substitute   func(k int)
}

const (
	// leastPart is the least ratio, of the squared length of the orthogonal component of a row to the squared
	// length of the row, for which the component counts as a direction. Half of the digits of the squared
	// length, which is computed as a difference, are then correct.
	leastPart = 0x1p-24
	// spanRounding is an upper bound of the squared length of the rounding errors in the component of a row,
	// as a fraction of the squared length of the row.
	spanRounding = 0x1p-98
)

func newSpan(most, dim int, p *products.Multiplier, t *team.Team) *span {
	s := &span{
		most: most, dim: dim, products: p, team: t, coefficients: kernels.NewSquare(most),
		twin: make([]int32, most), squares: make([]float64, most), factor: newTriangle(most, p, t),
		rows: make([]int32, 0, most), chosen: make([]int32, 0, most), left: make([]int32, 0, most),
		basis: kernels.NewMatrix(most, dim), basisFactor: newTriangle(most, p, t),
		along: kernels.NewSquare(most),
	}
	for k := range s.rests {
		s.rests[k] = kernels.NewMatrix(most, dim)
	}
	s.substitute = func(k int) { s.basisFactor.solveTransposed(s.along.Numbers(k)[:len(s.chosen)]) }
	return s
}

// spanBytes returns the memory, in bytes, of a span for at most the given number of rows.
func spanBytes(most, dim float64) float64 {
	return float64(8 * (float64(4*(most+16)*(most+16)) + float64(3*most*(dim+16))))
}

// factorise finds the coefficients C of the first n rows of a, and returns the number of columns of C.
func (s *span) factorise(a *kernels.Matrix, n int) int {
	s.n, s.columns, s.rest, s.rows = n, 0, a, s.rows[:0]
	for i := range n {
		s.rows = append(s.rows, int32(i))
	}
	for round := 0; len(s.rows) > 0; round++ {
		s.gram()
		if round == 0 {
			s.findTwins(a)
		}
		s.choose()
		if s.triangular = round == 0 && len(s.chosen) == n; s.triangular {
			s.columns = n
			return n
		}
		if round == 0 {
			for i := range n {
				clear(s.coefficients.Numbers(i))
			}
		}
		s.collect()
		s.project(&s.rests[round%2])
	}
	return s.columns
}

// gram computes the Gram matrix of the rows of the current round.
func (s *span) gram() {
	n := len(s.rows)
	s.products.Lower(blas.NoTrans, 1, s.rest.General(n, s.dim), 0, s.factor.General(n, n))
}

// findTwins finds the rows of a that coincide bit for bit. Only rows with equal entries in the Gram matrix
// are compared.
func (s *span) findTwins(a *kernels.Matrix) {
	for j := range s.n {
		products := s.factor.Numbers(j)
		square := products[j]
		s.squares[j], s.twin[j] = square, int32(j)
		for i, product := range products[:j] {
			if product == square && s.squares[i] == square && equal(a.Row(i), a.Row(j)) {
				s.twin[j] = int32(i)
				break
			}
		}
	}
}

func equal(x, y []kernels.Vector) bool {
	for k := range x {
		if x[k] != y[k] {
			return false
		}
	}
	return true
}

// choose factorises the Gram matrix of the current round and sorts its rows: a row adds a direction, or is
// left to the next round, or consists only of rounding errors.
func (s *span) choose() {
	least := func(j int) float64 {
		square := s.factor.Numbers(j)[j]
		row := s.rows[j]
		if s.twin[row] != row || !(square > float64(spanRounding*s.squares[row])) {
			return math.Inf(1)
		}
		return max(float64(leastPart*square), 0x1p-900)
	}
	s.chosen, s.left = s.chosen[:0], s.left[:0]
	s.factor.factorise(len(s.rows), least, func(j int, chosen, nothing bool) {
		switch {
		case chosen:
			s.chosen = append(s.chosen, int32(j))
		case !nothing:
			s.left = append(s.left, int32(j))
		}
	})
}

// collect appends the columns of the current round to the coefficients C.
func (s *span) collect() {
	for i, row := range s.rows {
		from, to := s.factor.Numbers(i), s.coefficients.Numbers(int(row))
		for k, j := range s.chosen {
			if int(j) > i {
				break
			}
			to[s.columns+k] = from[j]
		}
	}
	s.columns += len(s.chosen)
}

// project replaces the rows that are left to the next round by their components orthogonal to the directions
// of the current round. project projects the rows twice; the second projection corrects the coefficients for
// the rounding errors of the first projection.
func (s *span) project(to *kernels.Matrix) {
	directions, left := len(s.chosen), len(s.left)
	if left == 0 {
		s.rows = s.rows[:0]
		return
	}
	for k, j := range s.chosen {
		copy(s.basis.Row(k), s.rest.Row(int(j)))
		s.basisFactor.copyRow(k, s.factor.Numbers(int(j)), s.chosen[:k+1])
	}
	first := s.columns - directions
	for k, j := range s.left {
		copy(to.Row(k), s.rest.Row(int(j)))
		s.rows[k] = s.rows[j]
		copy(s.along.Numbers(k)[:directions], s.coefficients.Numbers(int(s.rows[k]))[first:])
	}
	s.rows = s.rows[:left]
	basis, rest := s.basis.General(directions, s.dim), to.General(left, s.dim)
	along := s.along.General(left, directions)
	s.team.Each(left, s.substitute)
	s.products.Multiply(blas.NoTrans, blas.NoTrans, -1, along, basis, 1, rest)
	s.products.Multiply(blas.NoTrans, blas.Trans, 1, rest, basis, 0, along)
	for k, row := range s.rows {
		more := s.along.Numbers(k)[:directions]
		s.basisFactor.solve(more)
		for j, v := range more {
			s.coefficients.Numbers(int(row))[first+j] += v
		}
	}
	s.team.Each(left, s.substitute)
	s.products.Multiply(blas.NoTrans, blas.NoTrans, -1, along, basis, 1, rest)
	s.rest = to
}

// multiply writes the product C z to change, where C are the coefficients and z has a row of normal numbers
// for each column of C.
func (s *span) multiply(change *kernels.Matrix, z blas64.General) {
	if s.triangular {
		s.factor.multiply(change.General(s.n, z.Cols), z)
	} else {
		s.products.Multiply(blas.NoTrans, blas.NoTrans, 1, s.coefficients.General(s.n, s.columns), z, 0,
			change.General(s.n, z.Cols))
	}
	for i, twin := range s.twin[:s.n] {
		if int(twin) != i {
			copy(change.Row(i), change.Row(int(twin)))
		}
	}
}
