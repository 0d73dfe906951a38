package attention

// The numbers of operations of the linear algebra of an n×n matrix, in units of n³, and the time per
// operation. ProductCost is that of a product of two matrices, SingularCost that of all singular values, and
// EigenCost that of all eigenvalues. A product of matrices takes less time per operation than an algorithm
// that works on single columns.
const (
	ProductCost  = 1 / 8.
	SingularCost = 8
	EigenCost    = 40
	PerOperation = 4e-10 // seconds, on one core
)

// Cube returns the third power n³.
func Cube(n int) float64 { return float64(n) * float64(n) * float64(n) }
