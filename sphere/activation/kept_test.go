package activation

import (
	"sync"
	"testing"
)

// The table for a variance is shared by concurrent users.
func TestCorrelationsAtTheSameTime(t *testing.T) {
	value := func(variance float64) float64 {
		c, err := NewCorrelation(Tanh, variance)
		if err != nil {
			t.Error(err)
			return 0
		}
		return c.At(0.37)
	}
	const values, variances = 8, 2
	var together [values]float64
	var group sync.WaitGroup
	for k := range values {
		group.Go(func() { together[k] = value(2.75 + float64(k%variances)) })
	}
	group.Wait()
	for k, got := range together {
		tanhTables.Forget()
		if want := value(2.75 + float64(k%variances)); got != want {
			t.Errorf("%v, alone %v", got, want)
		}
	}
}
