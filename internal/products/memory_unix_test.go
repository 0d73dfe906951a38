//go:build unix

package products

import (
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/blas/blas64"

	"antipode/sphere/must"
)

// atTheEdge moves the data of a matrix to memory that ends at a page which may be neither read nor written.
func atTheEdge(t *testing.T, m *blas64.General) {
	page := syscall.Getpagesize()
	size := (8*len(m.Data) + page - 1) / page * page
	memory := must.Get(syscall.Mmap(-1, 0, size+page, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE))(t)
	t.Cleanup(func() { syscall.Munmap(memory) })
	must.Do(t, syscall.Mprotect(memory[size:], syscall.PROT_NONE))
	data := unsafe.Slice((*float64)(unsafe.Pointer(&memory[0])), size/8)
	data = data[len(data)-len(m.Data):]
	copy(data, m.Data)
	m.Data = data
}

// Nothing past the end of a matrix is read or written.
func TestMemoryPastMatrices(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 10))
		m := New(1)
		for range 150 {
			p := drawnProblem(r, 1+r.IntN(20), 1+r.IntN(20), 1+r.IntN(60), r.NormFloat64)
			for _, matrix := range []*blas64.General{&p.a, &p.b, &p.c} {
				matrix.Data = matrix.Data[:extent(matrix)]
				atTheEdge(t, matrix)
			}
			p.solve(m)
		}
	})
}

// Scale and Divide apply one operation to every number, and touch nothing past the last one.
func TestScaleAndDivide(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(13, 14))
		for n := range 40 {
			scaled, factor := drawn(r, 1, n, r.NormFloat64), r.NormFloat64()
			scaled.Data = scaled.Data[:n]
			before := slices.Clone(scaled.Data)
			atTheEdge(t, &scaled)
			Scale(scaled.Data, factor)
			divided := blas64.General{Data: slices.Clone(before)}
			atTheEdge(t, &divided)
			Divide(divided.Data, factor)
			for k, x := range before {
				if got := scaled.Data[k]; got != x*factor {
					t.Errorf("number %d of %d: %v·%v = %v, want %v", k, n, x, factor, got, x*factor)
				}
				if got := divided.Data[k]; got != x/factor {
					t.Errorf("number %d of %d: %v/%v = %v, want %v", k, n, x, factor, got, x/factor)
				}
			}
		}
	})
}
