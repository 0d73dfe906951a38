// Package stack computes the geometry of the tokens of a finite sequence in a Transformer of finite width at
// initialisation: norms and cosines after each layer, gradients, and changes of the architecture with which
// the signal passes. Package stack simulates nothing. The results are means over networks, and bands that
// contain 99 in 100 networks.
//
//	model, err := stack.New(stack.Architecture{
//		Layers: 12, Dim: 768, Tokens: 128, Norm: stack.PreNorm,
//		SkipSA: 1, SkipMLP: 1, BranchSA: 1, BranchMLP: 1, // strengths of skip connections and branches
//		QueryKey2: 0.3, Value2: 0.3, Projection2: 0.3, // variances of weights, times their number of inputs
//		Hidden2: 0.3, Output2: 1.2, Width: 3072, Activation: stack.GELU,
//		Input: stack.Input{Square: 1, Cosine: 0.1},
//	})
//	if err != nil {
//		return err
//	}
//	layers, err := model.Forward()           // the input and 12 layers
//	changes, err := model.Changes(0.9)       // empty if cosines stay below 0.9 and attention is spread
//
// Package propagation treats Transformers of infinite width. In the limit of infinite width, the results of
// package stack agree with the maps of package propagation if all tokens have the same geometry.
package stack
