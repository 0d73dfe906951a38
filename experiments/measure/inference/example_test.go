package inference_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"antipode/experiments/measure/inference"

	"gonum.org/v1/gonum/mat"
)

// Example infers σ² = 0.04 and β = 2 from two tokens of dimension 8, each pair of which passes one layer in
// each of 800 sequences.
func Example() {
	random := rand.New(rand.NewPCG(1, 2))
	unit := func(x *mat.VecDense) []float64 {
		x.ScaleVec(1/mat.Norm(x, 2), x)
		return x.RawVector().Data
	}
	noise := func(rows, columns int) *mat.Dense {
		m := mat.NewDense(rows, columns, nil)
		m.Apply(func(int, int, float64) float64 { return random.NormFloat64() }, m)
		return m
	}
	steps := &inference.Data{Dim: 8}
	for sequence := range 800 {
		start := noise(2, 8)
		x := []float64(nil)
		for i := range 2 {
			x = append(x, unit(mat.VecDenseCopyOf(start.RowView(i)))...)
		}
		before := mat.NewDense(2, 8, x)
		// weight of the other token
		other := 1 / (1 + math.Exp(2*(1-mat.Dot(before.RowView(0), before.RowView(1)))))
		var attended, moved mat.Dense
		attended.Mul(mat.NewDense(2, 2, []float64{1 - other, other, other, 1 - other}), before)
		moved.Mul(&attended, noise(8, 8))
		moved.Scale(0.2, &moved)
		moved.Add(&moved, before)
		y := unit(mat.VecDenseCopyOf(moved.RowView(0)))
		y = append(y, unit(mat.VecDenseCopyOf(moved.RowView(1)))...)
		after := mat.NewDense(2, 8, y)
		steps.Add(sequence, 0, before, after) // tokens × 8 of norm 1, before and after layer 0
	}
	fit, err := steps.Fit(nil) // without an MLP
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("σ² = %.2f, β = %.0f\n", fit.Values[0], fit.Values[1])
	// Output: σ² = 0.04, β = 2
}
