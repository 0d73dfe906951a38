package sphere

import "testing"

// line contains tokens on a line, whose overlaps fall with their distance.
type line []float64

func (l line) Between(i, j int) float64 { return 1 - (l[i]-l[j])*(l[i]-l[j]) }

// Clusters are connected by chains, for any order of the tokens, and an overlap equal to the threshold
// connects.
func TestComponents(t *testing.T) {
	for _, c := range []struct {
		tokens line
		want   int
	}{
		{nil, 0},
		{line{7}, 1},
		{line{0, 0.5, 1}, 1},
		{line{1, 0, 0.5}, 1},
		{line{0, 0.75, 1.5, 4, 4.5}, 4},
		{line{9, 4, 0, 4.5, 0.5, 9.5, 1, 20}, 4},
	} {
		if got := Components(len(c.tokens), c.tokens, 0.75); got != c.want {
			t.Errorf("%v: %d components, want %d", c.tokens, got, c.want)
		}
	}
}
