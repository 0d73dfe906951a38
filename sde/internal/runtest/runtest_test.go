package runtest

import (
	"fmt"
	"math"
	"runtime"
	"testing"
)

// failing is a test that records its failure, and ends with it.
type failing struct {
	testing.TB
	message string
}

func (*failing) Helper() {}

func (f *failing) Fatalf(format string, args ...any) {
	f.message = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// SameBits tells numbers apart that are equal, and takes all NaN as equal.
func TestSameBits(t *testing.T) {
	row := func(x float64) [][8]float64 { return [][8]float64{{}, {3: x}} }
	nan := math.Float64frombits(math.Float64bits(math.NaN()) ^ 1)
	for _, c := range []struct {
		got, want [][8]float64
		message   string
	}{
		{row(2), row(2), ""}, {row(math.NaN()), row(nan), ""},
		{row(2), row(2)[:1], "sums: 2 rows, want 1"},
		{row(math.NaN()), row(2),
			"sums: row 1 lane 3: NaN (0x7ff8000000000001), want 2 (0x4000000000000000)"},
		{row(0), row(math.Copysign(0, -1)), "sums: row 1 lane 3: 0 (0x0), want -0 (0x8000000000000000)"},
	} {
		var f failing
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			SameBits(&f, "sums", c.got, c.want)
		}()
		if <-ended; f.message != c.message {
			t.Errorf("%q, want %q", f.message, c.message)
		}
	}
}

// A block is kept once.
func TestMemoryKeepsOnce(t *testing.T) {
	m := &Memory[int]{Room: 2}
	if err := m.Keep(7, []int{1}); err != nil {
		t.Error(err)
	}
	const twice = "block 7 is done twice"
	if err := m.Keep(7, []int{2}); err == nil || err.Error() != twice || m.Blocks()[7][0] != 1 {
		t.Errorf("error %v, blocks %v", err, m.Blocks())
	}
	if err := m.Keep(8, nil); err != nil {
		t.Error(err)
	}
	if err := m.Keep(9, nil); err != ErrFull {
		t.Errorf("error %v", err)
	}
}
