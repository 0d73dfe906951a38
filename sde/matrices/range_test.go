package matrices

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A signal may shrink as long as all results are right: they agree with those of the signal times a power
// of 2 near the inverse of its norm. It is refused at 1e-100, long before powers of its singular values
// underflow.
func TestSignalsThatShrink(t *testing.T) {
	n := Network{Tokens: 40, Dim: 3, Layers: 300, Heads: 1, Gap: RemoveMeans}
	s := n.Start(3, 1)
	for {
		if err := s.Advance(); err != nil {
			norm := mat.Norm(s.X(), 2)
			if !strings.Contains(err.Error(), "vanishes") || norm > 1e-100 || norm < 1e-103 {
				t.Errorf("norm %g: %v", norm, err)
			}
			return
		}
		norm := mat.Norm(s.X(), 2)
		if norm < 1e-100 {
			t.Fatalf("a signal of norm %g is not refused", norm)
		}
		scaled := mat.DenseCopyOf(s.X())
		scaled.Scale(math.Ldexp(1, -int(math.Round(math.Log2(norm)))), scaled)
		got, err1 := CovarianceExcess(s.X())
		want, err2 := CovarianceExcess(scaled)
		if err1 != nil || err2 != nil || !(math.Abs(got-want) <= 1e-10*want+1e-300) {
			t.Errorf("layer %d, norm %g: excess %v, of the scaled signal %v; errors %v, %v", s.Layer(), norm,
				got,
				want, err1, err2)
		}
	}
}

// A growing signal is refused at 1e140.
func TestSignalsThatGrow(t *testing.T) {
	n := Network{Tokens: 3, Dim: 400, Layers: 300, Heads: 1}
	s := n.Start(3, 1)
	for last := 0.0; ; {
		err := s.Advance()
		norm := mat.Norm(s.X(), 2)
		if err == nil {
			if last = norm; norm > 1e140 {
				t.Fatalf("a signal of norm %g is not refused", norm)
			}
			continue
		}
		if !strings.Contains(err.Error(), "overflows") || norm < 1e140 || last < 1e135 {
			t.Errorf("norm %g after %g: %v", norm, last, err)
		}
		return
	}
}
