package threetokens

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Solutions solve the systems of random matrices, also in the memory of other factors.
func TestFactored(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, shape := range [][2]int{{1, 1}, {2, 3}, {3, 12}, {5, 13}, {9, 40}} {
		rows, size := shape[0], shape[1]
		var f *factored
		for _, step := range []float64{0.1, 0.7} {
			b := newBanded(rows, size)
			for j := range b.block {
				for o, block := range b.block[j] {
					for k := range block {
						block[k] = r.NormFloat64()
						if o == 2 && k%(size+1) == 0 { // on the diagonal: rates out of a state
							block[k] -= 5 * float64(size)
						}
					}
				}
			}
			want := make([]float64, rows*size)
			for k := range want {
				want[k] = r.NormFloat64()
			}
			right := make([]float64, len(want)) // (I - step·b)·want
			for row := range right {
				right[row] = want[row]
				for o, block := range b.block[row/size] {
					for k := range len(block) / size {
						right[row] -= step * block[row%size*size+k] * want[(row/size+o-2)*size+k]
					}
				}
			}
			f = b.shifted(step, f)
			f.solve(right)
			for k, x := range right {
				if !(math.Abs(x-want[k]) < 1e-11) {
					t.Fatalf("%d rows of %d, step %v: number %d is %v, want %v", rows, size, step, k, x,
						want[k])
				}
			}
		}
	}
}
