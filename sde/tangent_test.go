package sde

import (
	"math"
	"testing"

	"antipode/sphere"
)

// halvesCell returns a cell of tangent vectors at two opposite clusters.
func halvesCell(tokens, dim int, beta float64) Cell {
	return Cell{Model: Transformer{Sigma: 1}, Tokens: tokens, Dim: dim, Beta: beta, Depth: 20,
		Start: OppositeStart{tokens / 2, tokens / 2}, Tangent: true}
}

// The vectors stay tangent, of length 1 and in their spaces, even over times in which rounding errors would
// grow to dominate vectors that are not corrected.
func TestTangentsStayInTheirSpaces(t *testing.T) {
	c := halvesCell(4, 3, 2)
	rows := 0
	e := &Ensemble[[2]float64]{
		Cells: []Cell{c, halvesCell(2, 3, 2)}, Trajectories: 3, Layers: 4000, Seed: 2,
		Observer: func(cell int) func(*[2]float64, *View) {
			return func(row *[2]float64, v *View) {
				row[0], row[1] = v.Growth()
				x := v.Tokens()
				half := len(x) / 2
				for k := range half {
					if x[k] != -x[half+k] {
						t.Fatalf("tokens %v are not opposite", x)
					}
				}
				if norm := math.Sqrt(sphere.Dot(x[:3], x[:3])); !(math.Abs(norm-1) <= 1e-14) {
					t.Errorf("norm %v", norm)
				}
			}
		},
		Reduce: func(cell int, _ int64, row [2]float64) error {
			rows++
			// 200 units of time: -½(d-1)tanh²2 within, and 2·1·pq - p² - q² between; at depth 20, and
			// each with a standard error of about √200.
			if cell == 0 && !(math.Abs(row[0]+200*0.93) <= 80) || !(math.Abs(row[1]+200*0.93) <= 80) {
				t.Errorf("cell %d: growth %v", cell, row)
			}
			return nil
		},
	}
	if err := e.Run(t.Context()); err != nil || rows != 6 {
		t.Fatal(err, rows)
	}
}

func TestTangentIsRefusedElsewhere(t *testing.T) {
	for what, change := range map[string]func(c *Cell){
		"unequal clusters": func(c *Cell) { c.Tokens, c.Start = 3, OppositeStart{1, 2} },
		"a uniform start":  func(c *Cell) { c.Start = UniformStart{} },
		"the hybrid":       func(c *Cell) { c.Model = Hybrid{Epsilon: 1} },
		"a chain":          func(c *Cell) { c.Method = Chain },
		"a matrix B":       func(c *Cell) { c.Interaction = make([]float64, 9) },
	} {
		c := halvesCell(4, 3, 1)
		change(&c)
		if c.Validate() == nil {
			t.Errorf("%s: accepted", what)
		}
	}
}
