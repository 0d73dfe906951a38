package sde

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sphere"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/floats"
)

// halvesCell is a cell of tangent vectors at two opposite clusters.
func halvesCell(tokens, dim int, beta float64) Cell {
	return Cell{Model: Transformer{Sigma: 1}, Tokens: tokens, Dim: dim, Beta: beta, Depth: 20,
		Start: OppositeStart{tokens / 2, tokens / 2}, Tangent: true}
}

// A step of the tangent vectors is the central difference of a step of the tokens displaced along them,
// before they are put back into their spaces: here compared within these, which a layer does not leave.
func TestTangentsAreTheDerivativeOfALayer(t *testing.T) {
	const h = 1e-5
	r := rand.New(rand.NewPCG(12, 1))
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, v := range []Covariance{{}, {A: 0.8, B: 0.6, C: 0.3}} {
			c := halvesCell(6, 4, 0.9)
			c.Attention, c.Model = attention, Transformer{Sigma: 1.2, Covariance: v}
			must.Do(t, c.Validate())
			l := newTangents(c, 1, 1)
			must.Do(t, l.Start(0, r.Int64N(1000)))
			s := &l.states[0]
			for mode, vector := range s.vectors { // of several directions
				for i := 0; i < len(vector); i += c.Dim {
					for k := range c.Dim {
						vector[i+k] = r.NormFloat64()
					}
					sphere.Project(vector[i:i+c.Dim], s.tokens[:c.Dim], vector[i:i+c.Dim])
				}
				l.confine(mode, vector)
			}
			c.Model.draw(l.increment, c.Depth, l.stream, 5, 7)
			before := slices.Clone(s.tokens)
			vectors := [2][]float64{slices.Clone(s.vectors[0]), slices.Clone(s.vectors[1])}
			if !l.step(s) {
				t.Fatal("no direction")
			}
			plain := c
			plain.Tangent = false
			stepper := NewStepper(plain)
			stepped := func(x []float64) []float64 {
				must.Do(t, stepper.Step(x, l.increment))
				return x
			}
			if got := stepped(slices.Clone(before)); !floats.EqualApprox(got, s.tokens, 1e-14) {
				t.Errorf("tokens %v, want %v", s.tokens, got)
			}
			for mode, vector := range vectors {
				want := stepped(displaced(before, h, vector, c.Dim))
				floats.Sub(want, stepped(displaced(before, -h, vector, c.Dim)))
				floats.Scale(1/(2*h), want)
				length := floats.Norm(want, 2)
				if got := s.growth[mode]; math.Abs(got-math.Log(length)) > 1e-8 {
					t.Errorf("%v, mode %d: growth %v, want %v", attention, mode, got, math.Log(length))
				}
				floats.Scale(1/length, want)
				if !floats.EqualApprox(s.vectors[mode], want, 1e-8) {
					t.Errorf("%v, mode %d: %v, want %v", attention, mode, s.vectors[mode], want)
				}
			}
		}
	}
}

// All displacements of tokens have one direction, and keep one: the mean growth of several in a time is above
// the exponent, as the longest counts most.
func TestTangentsHaveOneDirection(t *testing.T) {
	c := halvesCell(6, 4, 0.9)
	l := newTangents(c, 1, 1)
	must.Do(t, l.Start(0, 3))
	s := &l.states[0]
	for layer := range 40 {
		c.Model.draw(l.increment, c.Depth, l.stream, 5, int64(layer))
		if !l.step(s) {
			t.Fatal("no direction")
		}
		for mode, vector := range s.vectors {
			first := vector[:c.Dim]
			for i := 0; i < len(vector); i += c.Dim {
				v := vector[i : i+c.Dim]
				across := sphere.Dot(first, first)*sphere.Dot(v, v) - math.Pow(sphere.Dot(first, v), 2)
				if !(sphere.Dot(v, v) > 1e-6 && math.Abs(across) < 1e-14) {
					t.Fatalf("layer %d, mode %d: %v", layer, mode, vector)
				}
			}
		}
	}
}

// Vectors stay tangent, of length 1 and in their spaces, over times in which rounding would take them over.
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
				if norm := math.Sqrt(sphere.Dot(x[:3], x[:3])); math.Abs(norm-1) > 1e-14 {
					t.Errorf("norm %v", norm)
				}
			}
		},
		Reduce: func(cell int, _ int64, row [2]float64) error {
			rows++
			// 200 units of time: -½(d-1)tanh²2 within, and 2·1·pq - p² - q² between; at depth 20, and
			// each with a standard error of about √200.
			if cell == 0 && math.Abs(row[0]+200*0.93) > 80 || math.Abs(row[1]+200*0.93) > 80 {
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
