package run

import "testing"

// Results come in their order, whatever the number of workers, and none after an end.
func TestInOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 50} {
		results := InOrder(t.Context(), 20, workers, func(k int) (int, error) { return k * k, nil })
		for k := range 20 {
			if got, err := results(k); got != k*k || err != nil {
				t.Errorf("%d workers: result %d is %d, %v", workers, k, got, err)
			}
		}
	}
}
