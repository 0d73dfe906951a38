package rankcollapse

import (
	"math"

	"antipode/experiments/internal/networks"
	"antipode/overlap/collapse"
	"antipode/sde/network"
)

// depthParts returns the parts of Fig. 8: norm and correlation of tokens against depth. The input tokens have
// squared length 1 on average, so that attention is nearly uniform at first.
func depthParts(paper bool) []part {
	return []part{
		depthPart(paper, Constant, Linear, SquaredNorm, Correlation, MeanCosine),
		depthPart(paper, Scaled, Linear, SquaredNorm, Correlation, MeanCosine),
	}
}

// activationParts returns the parts of Fig. 10: the correlation of tokens against depth with linear and with
// relu MLPs.
func activationParts(paper bool) (parts []part) {
	for _, mlp := range []MLP{Linear, ReLU} {
		for _, residual := range []Residual{Constant, Scaled} {
			parts = append(parts, depthPart(paper, residual, mlp, Correlation, MeanCosine))
		}
	}
	return parts
}

// depthPart returns a part in which tokens with input correlation 0.2 pass through the layers of random
// networks.
func depthPart(paper bool, residual Residual, mlp MLP, quantities ...Quantity) part {
	tokens, dim, layers, branch := 16, 32, 10, 1.0
	if paper {
		tokens, dim, layers = 32, 128, 50
	}
	if residual == Scaled {
		branch = 1 / float64(layers)
	}
	n := xavier(tokens, dim, layers, 0.2, 1/math.Sqrt(float64(dim)), branch)
	if mlp == ReLU {
		n.Activation, n.Hidden2 = network.ReLU, 2
	}
	p := part{network: n, networks: 50, residual: residual}
	p.rows = func(runs [][]network.Layer) (rows []Row, err error) {
		for _, quantity := range quantities {
			stream := collapse.Alike(tokens, float64(float64(dim)*n.Q), float64(float64(dim)*n.P))
			for layer := range layers + 1 {
				if layer > 0 {
					if stream, err = nextStream(stream, branch, mlp); err != nil {
						return nil, err
					}
				}
				rows = append(rows, depthRow(n, runs, quantity, residual, layer, stream))
			}
		}
		return rows, nil
	}
	return p
}

func nextStream(s collapse.Stream, branch float64, mlp MLP) (collapse.Stream, error) {
	r := collapse.Residual{Attention: branch, MLP: branch}
	if mlp == ReLU {
		return s.ReLU(r)
	}
	return s.After(r, 1)
}

func depthRow(
	n network.Network, runs [][]network.Layer, quantity Quantity, residual Residual, layer int,
	theory collapse.Stream,
) Row {
	r := rowOf(n, quantity, residual)
	r.Layer = int32(layer)
	size := float64(n.Tokens * n.Dim)
	e := networks.EstimateOf(runs, layer, func(l network.Layer) float64 { return size * l.Q })
	r.Theory = theory.Square
	if quantity == Correlation {
		e = networks.RatioOf(runs, layer, innerAndSquare)
		r.Theory = theory.Correlation()
	}
	if quantity == MeanCosine { // there is no theory of the mean cosine
		e = networks.EstimateOf(runs, layer, func(l network.Layer) float64 { return l.Cosine })
		r.Theory = math.NaN()
	}
	r.Simulated, r.Stderr = e.Value, e.Stderr
	return r
}

// densityDepths are the numbers of layers after which Fig. 11 shows densities of the norm.
var densityDepths = []int{1, 2, 5, 10}

// densityParts returns the parts of Fig. 11: uniform attention, softmax attention, and softmax attention with
// an input of standard deviation 1 instead of 1/√d. As in the paper, d is 30 and there are 1000 networks.
func densityParts(paper bool) (parts []part) {
	count := int64(200)
	if paper {
		count = 1000
	}
	const tokens, dim = 10, 30
	small := 1 / math.Sqrt(dim)
	for _, c := range []struct {
		uniform bool
		sigma   float64
	}{{true, small}, {false, small}, {false, 1}} {
		n := xavier(tokens, dim, 10, 0, c.sigma, 1)
		n.Uniform = c.uniform
		parts = append(parts, part{network: n, networks: count,
			rows: func(runs [][]network.Layer) (rows []Row, err error) {
				start := collapse.Alike(tokens, float64(dim*n.Q), 0)
				for _, layer := range densityDepths {
					theory, err := start.After(collapse.Residual{Attention: 1, MLP: 1}, layer)
					if err != nil {
						return nil, err
					}
					rows = append(rows, depthRow(n, runs, SquaredNorm, Constant, layer, theory))
					rows = append(rows, densityRows(n, runs, layer)...)
				}
				return rows, nil
			}})
	}
	return parts
}

// densityRows returns the histogram over networks of log10 ‖X‖², the squared norm of the tokens after a
// layer, with bins of width 0.1.
func densityRows(n network.Network, runs [][]network.Layer, layer int) (rows []Row) {
	const width = 0.1
	counts := map[int]float64{}
	least, most := math.MaxInt, math.MinInt
	for _, layers := range runs {
		bin := int(math.Floor(logarithm(float64(n.Tokens*n.Dim)*layers[layer].Q) / width))
		counts[bin]++
		least, most = min(least, bin), max(most, bin)
	}
	total := float64(len(runs))
	for bin := least; bin <= most; bin++ {
		share := counts[bin] / total
		r := rowOf(n, Density, Constant)
		r.Layer, r.Position = int32(layer), (float64(bin)+0.5)*width
		r.Simulated, r.Stderr = share/width, math.Sqrt(share*(1-share)/total)/width
		rows = append(rows, r)
	}
	return rows
}
