package picture

import (
	"math"
	"slices"
	"testing"
)

// turning returns the motion of one token on the circle that turns by the angle step in each row.
func turning(rows int, step float64) (m Motion) {
	for k := range rows {
		sin, cos := math.Sincos(float64(k) * step)
		m.Times, m.Tokens = append(m.Times, float64(k)), append(m.Tokens, [][]float64{{cos, sin}})
	}
	return m
}

// The angle of a token that turns is drawn as one line for each turn that it visits, without jumps.
func TestAnglesAreUnwrapped(t *testing.T) {
	for _, c := range []struct {
		step float64
		want int // lines
	}{{0.1, 3}, {-0.1, 3}, {0, 1}} {
		m := turning(100, c.step) // an angle of 9.9, which visits the turns -π to π, π to 3π and 3π to 5π
		lines := unwrappedAngles(m, 0)
		if len(lines) != c.want {
			t.Errorf("step %v: %d lines, want %d", c.step, len(lines), c.want)
		}
		for _, line := range lines {
			for k := range len(line) - 1 {
				if got := (line[k+1] - line[k]) * math.Pi; !(math.Abs(got-c.step) <= 1e-12) {
					t.Fatalf("step %v: the line steps by %v", c.step, got)
				}
			}
		}
	}
}

// The viewer sees the last position of token 1 in front, to the upper right; the projection is orthogonal.
func TestGlobe(t *testing.T) {
	for _, last := range [][]float64{{1, 0, 0}, {0, 0, -1}, {0.6, 0, 0.8},
		{-1 / math.Sqrt(3), 1 / math.Sqrt(3), 1 / math.Sqrt(3)}} {
		g := newGlobe(Motion{Times: []float64{0}, Tokens: [][][]float64{{last}}}, 0)
		for _, pair := range [][2][3]float64{{g.right, g.up}, {g.up, g.eye}, {g.eye, g.right}} {
			if dot := pair[0][0]*pair[1][0] + pair[0][1]*pair[1][1] +
				pair[0][2]*pair[1][2]; !(math.Abs(dot) <= 1e-12) {
				t.Errorf("%v: axes at overlap %v", last, dot)
			}
		}
		at, inFront := g.place(last)
		if !inFront || at.X <= 0 || at.Y <= 0 {
			t.Errorf("%v: seen at %v, in front %t", last, at, inFront)
		}
		opposite, inFront := g.place([]float64{-last[0], -last[1], -last[2]})
		if inFront || !(math.Abs(opposite.X+at.X) <= 1e-12) {
			t.Errorf("%v: opposite seen at %v, in front %t", last, opposite, inFront)
		}
		if x, _ := g.place(g.right[:]); !(math.Abs(x.X-1) <= 1e-12) {
			t.Errorf("%v: the rightmost point is at %v", last, x)
		}
	}
}

func TestSnapshots(t *testing.T) {
	for rows, want := range map[int][]int{1: {0}, 2: {0, 1}, 5: {0, 1, 4}, 33: {0, 1, 2, 4, 8, 32},
		1001: {0, 32, 63, 125, 250, 1000}} {
		got := Doubling(rows, turning(rows, 0).time)
		if !slices.Equal(got, want) {
			t.Errorf("%d rows: %v, want %v", rows, got, want)
		}
	}
}

// Tokens of another dimension lie neither on the circle nor on the sphere.
func TestTokensOfAnotherDimension(t *testing.T) {
	for dim, want := range map[int][2]string{
		2: {"", "states of length 2: must be 3 to lie on a sphere"},
		3: {"states of length 3: must be 2 to lie on a circle", ""},
		4: {"states of length 4: must be 2 to lie on a circle",
			"states of length 4: must be 3 to lie on a sphere"},
	} {
		token := make([]float64, dim)
		token[0] = 1
		m := Motion{Times: []float64{0, 1}, Tokens: [][][]float64{{token}, {token}}}
		_, circle := Circle(m, 400, 300, "")
		_, ball := Sphere(m, 400, 300, "")
		for k, err := range []error{circle, ball} {
			if (err == nil) != (want[k] == "") || err != nil && err.Error() != want[k] {
				t.Errorf("dimension %d: %v, want %s", dim, err, want[k])
			}
		}
	}
}
