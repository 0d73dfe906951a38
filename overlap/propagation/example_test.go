package propagation_test

import (
	"fmt"
	"log"
	"math"

	"antipode/overlap/propagation"
)

// A BERT model of 60 layers: with residual connections of strength 1 all tokens become alike. The printed
// strength keeps them apart.
func ExampleMap_Curve() {
	bert := propagation.Block{Beta: 0.02, SigmaV2: 0.2, SigmaW2: 0.2, SigmaB2: 4e-4, AlphaSA: 1, AlphaMLP: 1,
		Tokens: math.Inf(1)}
	m, err := propagation.NewMap(bert)
	if err != nil {
		fmt.Println(err)
		return
	}
	start := propagation.State{Q: 1, P: 0}
	curve, err := m.Curve(start, 60)
	if err != nil {
		fmt.Println(err)
		return
	}
	best, _, err := propagation.Recommend(bert, start, 60, 0.99)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("cosine %.4f; edge α = %.3f, recommended α ≥ %.3f, β ≤ %.3f\n", curve[60].Cosine(), best.Edge,
		best.AlphaSA, best.Beta)
	// Output: cosine 0.9995; edge α = 1.228, recommended α ≥ 3.930, β ≤ 0.707
}

// Attention in BERT-base at initialisation is spread over nearly all of 512 tokens.
func ExampleFiniteRow() {
	beta, err := propagation.EffectiveBeta(0.02, 768, 512)
	if err != nil {
		fmt.Println(err)
		return
	}
	row, err := propagation.FiniteRow(512, propagation.ScoreDeviation(beta, 512, 1, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("β = %.4f: %.1f tokens, entropy %.4f of %.4f\n", beta, 1/row.Y2, row.Entropy, math.Log(512))
	// Output: β = 0.1230: 466.0 tokens, entropy 6.1912 of 6.2383
}

// Twelve layers of a Transformer bring tokens together.
func Example() {
	block := propagation.Block{Beta: 1, SigmaV2: 1, SigmaW2: 1, AlphaSA: 1, Tokens: 512}
	m, err := propagation.NewMap(block)
	if err != nil {
		log.Fatal(err)
	}
	curve, err := m.Curve(propagation.State{Q: 1, P: 0.1}, 12) // from the input on, 12 layers
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", curve[12].Cosine())
	// Output: 0.9997
}

// Three orthogonal tokens, after a layer of uniform causal attention.
func ExampleUniformCausal() {
	after, err := propagation.UniformCausal([]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, 3, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for t := range 3 {
		fmt.Printf("%.3f\n", after[3*t:3*t+3])
	}
	// Output:
	// [1.000 0.500 0.333]
	// [0.500 0.500 0.333]
	// [0.333 0.333 0.333]
}
