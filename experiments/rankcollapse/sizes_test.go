package rankcollapse

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"antipode/experiments/parameter"
	"antipode/sphere/must"
)

// The sizes of each figure's ensembles, by default and in the paper: the number of ensembles, and then the
// values that the numbers of networks, tokens, dimensions, dimensions of keys and layers, ρ, σ_x and the
// squared strength of branches take in them. A dimension of keys of 0 stands for that of the tokens.
func TestSizes(t *testing.T) {
	all := map[string][2]string{
		"7": {"5 of 20; 10; 40; 10,30,100,300,1000; 1; 0; 1; 1",
			"9 of 200; 50; 100; 10,20,50,100,200,500,1000,2000,5000; 1; 0; 1; 1"},
		"8": {"2 of 50; 16; 32; 0; 10; 0.2; 0.177; 0.1,1", "2 of 50; 32; 128; 0; 50; 0.2; 0.088; 0.02,1"},
		"9": {"2 of 10; 50; 32; 0; 12; ; ; 1", "2 of 50; 50; 32; 0; 50; ; ; 1"}, // words: no ρ and σ_x
		"10": {"4 of 50; 16; 32; 0; 10; 0.2; 0.177; 0.1,1",
			"4 of 50; 32; 128; 0; 50; 0.2; 0.088; 0.02,1"},
		"11": {"3 of 200; 10; 30; 0; 10; 0; 0.183,1; 1", "3 of 1000; 10; 30; 0; 10; 0; 0.183,1; 1"},
		"12": {"14 of 60; 4,8,16,32; 4,8,16,32; 0; 1; 0,0.2,0.4,0.6,0.8; 0.25,0.5,1,2; 1",
			"18 of 20; 8,16,32,64,128,256; 8,16,32,64,128,256; 0; 1; 0,0.2,0.4,0.6,0.8; 0.25,0.5,1,2; 1"},
		"13": {"108 of 8; 4,8,16; 4,8,16; 0; 1; 0,0.3,0.6,0.9; 0.25,0.5,1; 1",
			"300 of 20; 8,16,32,64,128; 8,16,32,64,128; 0; 1; 0,0.3,0.6,0.9; 0.25,0.5,1; 1"},
		"14": {"108 of ; 4,8,16; 4,8,16; ; ; 0,0.3,0.6,0.9; 0.25,0.5,1; ", // theory alone
			"300 of ; 8,16,32,64,128; 8,16,32,64,128; ; ; 0,0.3,0.6,0.9; 0.25,0.5,1; "},
	}
	for _, name := range figureNames() {
		c := New()
		c.Figure = name
		ours := sizesOf(t, c.parts())
		c.Paper()
		if got := [2]string{ours, sizesOf(t, c.parts())}; got != all[name] {
			t.Errorf("figure %s:\n%q, want\n%q", name, got, all[name])
		}
	}
}

func sizesOf(t *testing.T, parts []part) string {
	t.Helper()
	var networks, tokens, dim, keyDim, layers, rho, sigma, branch []float64
	for _, p := range parts {
		if n := p.network; p.networks > 0 {
			networks, layers = append(networks, float64(p.networks)), append(layers, float64(n.Layers))
			tokens, dim = append(tokens, float64(n.Tokens)), append(dim, float64(n.Dim))
			keyDim, branch = append(keyDim, float64(n.KeyDim)), append(branch, n.Output2)
			if n.Q > 0 {
				rho, sigma = append(rho, n.P/n.Q), append(sigma, math.Sqrt(n.Q))
			}
			continue
		}
		for _, r := range must.Get(p.rows(nil))(t) {
			tokens, dim = append(tokens, float64(r.Tokens)), append(dim, float64(r.Dim))
			rho, sigma = append(rho, r.Rho), append(sigma, r.Sigma)
		}
	}
	distinct := func(values []float64) string {
		for k, v := range values {
			values[k] = math.Round(1000*v) / 1000
		}
		slices.Sort(values)
		return parameter.FormatList(slices.Compact(values))
	}
	text := fmt.Sprintf("%d of %s", len(parts), distinct(networks))
	for _, values := range [][]float64{tokens, dim, keyDim, layers, rho, sigma, branch} {
		text += "; " + distinct(values)
	}
	return text
}
