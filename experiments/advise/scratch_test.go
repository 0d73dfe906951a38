package advise

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"antipode/overlap/stack"
	"antipode/sde/network"
)

func shapeOf(n network.Network) stack.Shape {
	or := func(x float64) float64 {
		if x == 0 {
			return 1
		}
		return x
	}
	s := stack.Shape{Layers: n.Layers, Dim: n.Dim, Tokens: n.Tokens, PreNorm: n.Norm == network.PreNorm, Causal: n.Causal,
		SkipSA: n.AlphaSA, SkipMLP: n.AlphaMLP, BranchSA: or(n.BranchSA), BranchMLP: or(n.BranchMLP),
		QueryKey2: n.QueryKey2, Value2: n.Value2, Projection2: n.Projection2, Hidden2: n.Hidden2, Output2: n.Output2,
		Width: n.Width, Activation: stack.Activation(n.Activation), Gated: n.Gated}
	if !n.Projection {
		s.Projection2 = 1
	}
	if s.Width == 0 {
		s.Width = n.Dim
	}
	e := n.Embedding
	switch {
	case n.Input != network.Embedded:
		s.Input = stack.Input{Square: n.Q, Cosine: n.P / n.Q, Fixed: n.Input == network.Simplex}
	case e.Features > 0:
		s.Input = stack.Input{Square: e.Variance * float64(e.Features+1), First: 2 * e.Variance}
	default:
		parts := 1.
		if e.Positions == network.LearnedPositions {
			parts++
		}
		s.Input = stack.Input{Square: e.Variance * parts}
		if e.Types > 0 {
			s.Input = stack.Input{Square: e.Variance * (parts + 1), Cosine: 1 / (parts + 1)}
		}
		if e.Norm {
			s.Input.Square = 1
		}
	}
	return s
}

func TestScratch(t *testing.T) {
	tokens, _ := strconv.Atoi(os.Getenv("T"))
	count, _ := strconv.Atoi(os.Getenv("N"))
	llama := network.GPT2(tokens)
	llama.Causal, llama.Activation, llama.Gated, llama.LayerNorm = true, network.SiLU, true, network.LayerNorm{Epsilon: 1e-6, Affine: true}
	llama.Biases = false
	llama.Projection2, llama.Output2, llama.Width, llama.Layers, llama.Dim, llama.Heads = .0004*512, .0004*1376, 1376, 16, 512, 8
	for _, x := range []*float64{&llama.QueryKey2, &llama.Value2, &llama.Hidden2} {
		*x = 0.0004 * 512
	}
	llama.Embedding.Positions = 0
	unscaled := network.GPT2(tokens)
	unscaled.Projection2 *= 24
	unscaled.Output2 *= 24
	for name, n := range map[string]network.Network{"bert": network.BERT(tokens), "gpt2": network.GPT2(tokens), "vit": network.ViT(tokens), "llama": llama, "gpt2-unscaled": unscaled} {
		if m := os.Getenv("M"); m != "" && m != name {
			continue
		}
		start := time.Now()
		k, err := stack.New(shapeOf(n))
		if err != nil {
			t.Fatal(err)
		}
		layers, err := k.Forward()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(name, "theory", time.Since(start))
		start = time.Now()
		e := network.Ensemble{Network: n, Networks: count, Seed: 1, Gradients: os.Getenv("G") != ""}
		runs, err := e.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(name, "simulated", time.Since(start))
		inside, all := 0, 0
		for l, x := range layers {
			m, s, q := 0., 0., 0.
			for _, r := range runs {
				m += r[l].Cosine / float64(count)
				q += r[l].Q / float64(count)
				all++
				if r[l].Cosine >= x.Low && r[l].Cosine <= x.High {
					inside++
				}
			}
			for _, r := range runs {
				s += (r[l].Cosine - m) * (r[l].Cosine - m) / float64(count-1)
			}
			fmt.Printf("%2d cos %.4f ± %.4f theory %.4f (%.4f) bias %.1f | q %.5f theory %.5f\n", l, m, math.Sqrt(s), x.Cosine, (x.High-x.Low)/5.15, (m-x.Cosine)/math.Sqrt(s/float64(count)), q, x.Square)
		}
		fmt.Println("inside", inside, "of", all)
	}
}

func TestScratchBack(t *testing.T) {
	tokens, _ := strconv.Atoi(os.Getenv("T"))
	count, _ := strconv.Atoi(os.Getenv("N"))
	small := func(n network.Network) network.Network {
		n.Dim, n.Width, n.Heads, n.Layers = 128, 512, 4, 8
		for _, x := range []*float64{&n.QueryKey2, &n.Value2, &n.Hidden2} {
			*x *= 1
		}
		return n
	}
	llama := network.GPT2(tokens)
	llama.Activation, llama.Gated, llama.Biases = network.SiLU, true, false
	for name, n := range map[string]network.Network{"bert": network.BERT(tokens), "gpt2": network.GPT2(tokens), "vit": network.ViT(tokens), "llama": llama} {
		if m := os.Getenv("M"); m != "" && m != name {
			continue
		}
		n = small(n)
		k, err := stack.New(shapeOf(n))
		if err != nil {
			t.Fatal(err)
		}
		g, err := k.Backward()
		if err != nil {
			t.Fatal(err)
		}
		f, _ := k.Forward()
		e := network.Ensemble{Network: n, Networks: count, Seed: 1, Gradients: true}
		runs, err := e.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(name)
		for l, x := range g {
			var w network.Gradients
			c := 0.
			for _, r := range runs {
				y := r[l+1].Whole
				c += r[l+1].Cosine / float64(count)
				w.Query += y.Query / float64(count)
				w.Key += y.Key / float64(count)
				w.Value += y.Value / float64(count)
				w.Projection += y.Projection / float64(count)
				w.Hidden += y.Hidden / float64(count)
				w.Output += y.Output / float64(count)
				w.Input += y.Input / float64(count)
			}
			fmt.Printf("%2d cos %.3f %.3f sim/theory q %.3f k %.3f v %.3f p %.3f h %.3f o %.3f in %.3f   (%.3g)\n", l+1, c, f[l+1].Cosine, w.Query/x.Query, w.Key/x.Key, w.Value/x.Value, w.Projection/x.Projection, w.Hidden/x.Hidden, w.Output/x.Output, w.Input/x.Input, w.Input)
		}
	}
}
