package propagation

import (
	"math"
	"testing"

	"antipode/sphere/must"
)

// The overlaps agree with the masked matrix itself, and with the formula for the geometry of a State.
func TestUniformCausal(t *testing.T) {
	const n, q, p, v = 7, 1.3, 0.4, 0.6
	overlaps := make([]float64, n*n)
	for k := range overlaps {
		overlaps[k] = p
	}
	for k := range n {
		overlaps[k*n+k] = q
	}
	next := must.Get(UniformCausal(overlaps, n, v))(t)
	for i := range n {
		for j := range n {
			sum := 0.0
			for k := range i + 1 {
				for l := range j + 1 {
					sum += overlaps[k*n+l]
				}
			}
			near(t, "masked mean", next[i*n+j], v*sum/float64((i+1)*(j+1)), 1e-15)
			near(t, "from a state", next[i*n+j], v*(p+(q-p)/float64(max(i, j)+1)), 1e-15)
		}
	}
	if _, err := UniformCausal(overlaps, 6, v); err == nil {
		t.Error("49 overlaps of 6 tokens")
	}
}

// Fig. 12: in a causal model of 200 tokens and 12 layers the last 50 tokens follow the map of State, and
// the first 50 do not.
func TestLateTokensFollowTheMap(t *testing.T) {
	const n, layers = 200, 12
	b := bert()
	curve := must.Get(newMap(t, b).Curve(State{1, 0}, layers))(t)
	overlaps := make([]float64, n*n)
	for k := range n {
		overlaps[k*n+k] = 1
	}
	normalize := func() {
		for i := range n {
			for j := range i {
				overlaps[i*n+j] /= math.Sqrt(overlaps[i*n+i] * overlaps[j*n+j])
				overlaps[j*n+i] = overlaps[i*n+j]
			}
		}
		for i := range n {
			overlaps[i*n+i] = 1
		}
	}
	for range layers {
		attended := must.Get(UniformCausal(overlaps, n, b.SigmaV2))(t)
		for k := range overlaps {
			overlaps[k] += attended[k]
		}
		normalize()
		hidden := b.SigmaW2 + b.SigmaB2
		for k, p := range overlaps {
			overlaps[k] = p + b.SigmaW2*b.Activation.Kernel(hidden, min(hidden, b.SigmaW2*p+b.SigmaB2)) +
				b.SigmaB2
		}
		normalize()
	}
	mean := func(from, to int) float64 {
		sum, pairs := 0.0, 0.0
		for i := from; i < to; i++ {
			for j := from; j < i; j++ {
				sum, pairs = sum+overlaps[i*n+j], pairs+1
			}
		}
		return sum / pairs
	}
	want := curve[layers].Cosine()
	first, all, last := mean(0, 50), mean(0, n), mean(n-50, n)
	t.Logf("first 50: %.4f, all: %.4f, last 50: %.4f, map: %.4f", first, all, last, want)
	if !(math.Abs(last-want) < math.Abs(all-want) && math.Abs(all-want) < math.Abs(first-want)) {
		t.Error("later tokens are not nearer to the map")
	}
}
