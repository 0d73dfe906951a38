package wording

import (
	"math"
	"testing"
)

func TestWording(t *testing.T) {
	for _, pair := range [][2]string{
		{OrNone(math.NaN()), "none"}, {OrNone(-0.12345), "-0.1235"}, {OrNone(2), "2.0000"},
		{OrNone(math.Inf(1)), "+Inf"},
		{Count(0, "cell"), "0 cells"}, {Count(int64(1), "more cell"), "1 more cell"},
		{Count(12, "trajectory"), "12 trajectories"}, {Count(int32(1), "trajectory"), "1 trajectory"},
		{Agree(0, "was", "were"), "were"},
		{Agree(1, "was", "were"), "was"}, {Agree(2, "was", "were"), "were"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%q, want %q", pair[0], pair[1])
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0 bytes", 999: "999 bytes", 1000: "1 kB", 999_999: "1e+03 kB", 1e6: "1 MB", 2.345e6: "2.35 MB",
		1e9: "1 GB", 5e12: "5 TB", 3e15: "3e+03 TB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("%v: %s, want %s", n, got, want)
		}
	}
}
