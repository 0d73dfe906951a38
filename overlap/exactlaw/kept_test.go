package exactlaw

import (
	"sync"
	"testing"

	"antipode/overlap"
)

// Cached results for a dimension and an order are shared by laws that are computed concurrently: the laws
// agree with those computed one after another. With the race detector, this covers concurrently what
// other tests of this package do in one goroutine.
func TestLawsAtTheSameTime(t *testing.T) {
	law := func(dim int) (Outcomes, error) {
		r, err := Clusters(dim, 0.8, overlap.Softmax, 1, 1, 1, 20)
		if err != nil {
			return Outcomes{}, err
		}
		return r.Uniform(10, 1e-1, 1e-3)
	}
	const laws, dims = 4, 2
	var together [laws]Outcomes
	var group sync.WaitGroup
	for k := range laws {
		group.Go(func() {
			var err error
			if together[k], err = law(3 + k%dims); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for k := range dims {
		want, err := law(3 + k)
		for j := k; j < laws; j += dims {
			if got := together[j]; err != nil || got != want {
				t.Errorf("d = %d: %+v, alone %+v, %v", 3+k, got, want, err)
			}
		}
	}
}
