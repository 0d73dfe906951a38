package attention

import "runtime"

// Workers is the number of goroutines for that many tasks.
func Workers(workers int, tasks int64) float64 {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return float64(min(int64(workers), tasks))
}

// Operations of the linear algebra of a matrix with sides n, in units of n³, and the time of
// one: products are faster than what is done to single columns.
const (
	ProductCost  = 1 / 8.
	SingularCost = 8
	EigenCost    = 40
	PerOperation = 4e-10 // seconds, on one core
)

// Cube is n³.
func Cube(n int) float64 { return float64(n) * float64(n) * float64(n) }
