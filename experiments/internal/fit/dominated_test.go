package fit

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The least squared norm with a second coefficient of at most half the first is that of a scan over their
// ratio, with the ratio inside and at both ends.
func TestSecondTermIsAtMostHalfTheFirst(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	var inside, ends [2]int // by the sign of the ratio
	for range 200 {
		var y, first, next [5]float64
		for i := range y {
			y[i], first[i] = random.NormFloat64(), random.NormFloat64()
			next[i] = 3*random.Float64()*first[i] + random.NormFloat64()
		}
		least, at := math.Inf(1), 0.0
		for _, step := range []float64{1e-3, 1e-6, 1e-9} {
			middle := at
			for k := -1000; k <= 1000; k++ {
				share := max(-0.5, min(0.5, middle+step*float64(k)))
				yy, yv, vv := 0.0, 0.0, 0.0
				for i := range y {
					v := first[i] + share*next[i]
					yy, yv, vv = yy+y[i]*y[i], yv+y[i]*v, vv+v*v
				}
				if left := yy - yv*yv/vv; left < least {
					least, at = left, share
				}
			}
		}
		side := 0
		if at < 0 {
			side = 1
		}
		if math.Abs(at) == 0.5 {
			ends[side]++
		} else {
			inside[side]++
		}
		if got := dominated(y[:], first[:], next[:]); !(math.Abs(got-least) < 1e-9) {
			t.Errorf("%v for %v, %v, %v; by a scan %v at ratio %v", got, y, first, next, least, at)
		}
	}
	if min(inside[0], inside[1], ends[0], ends[1]) < 20 {
		t.Errorf("%v ratios are inside and %v at the ends", inside, ends)
	}
}
