package timing

import (
	"testing"
	"time"
)

// All calls together take at least the least mean time of a call for each of them, which is positive, for
// about a millisecond in five parts. Calls end when the function returns false.
func TestPerCall(t *testing.T) {
	const calls = 3000
	for last, least := range map[int]int{1: 1, calls: calls, 1 << 62: 5} {
		count, start := 0, time.Now()
		seconds := PerCall(func() bool { count++; return count < last })
		elapsed := time.Since(start).Seconds()
		if !(seconds > 0 && seconds*float64(count) <= elapsed*(1+1e-9)) {
			t.Errorf("%d calls of %v s, in %v s", count, seconds, elapsed)
		}
		if last == 1 && count != 1 || last > calls && count < least || elapsed < 1e-3 && count < last {
			t.Errorf("%d calls in %v s, until call %d", count, elapsed, last)
		}
	}
}
