package attention

// The numbers of operations of the linear algebra of an n×n matrix, in units of n³, and the time per
// operation. Products of matrices take less time per operation than algorithms that work on single columns.
const (
	ProductCost  = 1 / 8.
	SingularCost = 8
	EigenCost    = 40
	PerOperation = 4e-10 // seconds, on one core
)

// Cube returns n³.
func Cube(n int) float64 { return float64(n) * float64(n) * float64(n) }
