package propagation

import (
	"math"

	"antipode/overlap/collapse"
	"antipode/sde/network"
)

// depthParts are Fig. 8: tokens of squared length 1 on average, so that attention is nearly
// uniform at first.
func depthParts(paper bool) []collapsePart {
	tokens, dim, layers, networks := 16, 32, 10, int64(50)
	if paper {
		tokens, dim, layers, networks = 32, 128, 50, 50
	}
	return []collapsePart{
		depthPart(tokens, dim, layers, networks, false, false, quantitySquaredNorm, quantityCorrelation),
		depthPart(tokens, dim, layers, networks, true, false, quantitySquaredNorm, quantityCorrelation),
	}
}

// activationParts are Fig. 10.
func activationParts(paper bool) (parts []collapsePart) {
	tokens, dim, layers, networks := 16, 32, 10, int64(50)
	if paper {
		tokens, dim, layers, networks = 32, 128, 50, 50
	}
	for _, relu := range []bool{false, true} {
		for _, scaled := range []bool{false, true} {
			parts = append(parts, depthPart(tokens, dim, layers, networks, scaled, relu, quantityCorrelation))
		}
	}
	return parts
}

// depthPart follows networks of input correlation 0.2 through their layers.
func depthPart(tokens, dim, layers int, networks int64, scaled, relu bool, quantities ...int8) collapsePart {
	branch := 1.0
	if scaled {
		branch = 1 / float64(layers)
	}
	n := xavier(tokens, dim, layers, 0.2, 1/math.Sqrt(float64(dim)), branch)
	if relu {
		n.Activation, n.Hidden2 = network.ReLU, 2
	}
	return collapsePart{network: n, networks: networks, rows: func(runs [][]network.Layer) (rows []collapseRow, err error) {
		for _, quantity := range quantities {
			stream := collapse.Alike(tokens, float64(dim)*n.Q, float64(dim)*n.P)
			for layer := range layers + 1 {
				if layer > 0 {
					if stream, err = nextStream(stream, branch, relu); err != nil {
						return nil, err
					}
				}
				rows = append(rows, depthRow(n, runs, quantity, scaled, layer, stream))
			}
		}
		return rows, nil
	}}
}

func nextStream(s collapse.Stream, branch float64, relu bool) (collapse.Stream, error) {
	r := collapse.Residual{Attention: branch, MLP: branch}
	if relu {
		return s.ReLU(r)
	}
	return s.After(r, 1)
}

func depthRow(n network.Network, runs [][]network.Layer, quantity int8, scaled bool, layer int, theory collapse.Stream) collapseRow {
	r := rowOf(n, quantity, scaled)
	r.layer = int32(layer)
	size := float64(n.Tokens * n.Dim)
	e := estimateOf(runs, layer, func(l network.Layer) float64 { return size * l.Q })
	r.theory = theory.Square
	if quantity == quantityCorrelation {
		e = ratioOf(runs, layer, func(l network.Layer) (x, y float64) { return l.P, l.Q })
		r.theory = theory.Correlation()
	}
	r.measured, r.stderr = e.mean, e.stderr
	return r
}

// densityDepths are those of which Fig. 11 has densities.
var densityDepths = []int{1, 2, 5, 10}

// densityParts are Fig. 11, with d = 30 and 1000 networks as in the paper: uniform attention,
// softmax, and softmax at an input whose deviation is 1 and not 1/√d.
func densityParts(paper bool) (parts []collapsePart) {
	networks := int64(200)
	if paper {
		networks = 1000
	}
	const tokens, dim = 10, 30
	small := 1 / math.Sqrt(dim)
	for _, c := range []struct {
		uniform bool
		sigma   float64
	}{{true, small}, {false, small}, {false, 1}} {
		n := xavier(tokens, dim, 10, 0, c.sigma, 1)
		n.Uniform = c.uniform
		parts = append(parts, collapsePart{network: n, networks: networks, rows: func(runs [][]network.Layer) (rows []collapseRow, err error) {
			start := collapse.Alike(tokens, dim*n.Q, 0)
			for _, layer := range densityDepths {
				theory, err := start.After(collapse.Residual{Attention: 1, MLP: 1}, layer)
				if err != nil {
					return nil, err
				}
				rows = append(rows, depthRow(n, runs, quantitySquaredNorm, false, layer, theory))
				rows = append(rows, densityRows(n, runs, layer)...)
			}
			return rows, nil
		}})
	}
	return parts
}

// densityRows is the histogram of log10 ‖X‖² behind a layer, with bins of a tenth.
func densityRows(n network.Network, runs [][]network.Layer, layer int) (rows []collapseRow) {
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
		r := rowOf(n, quantityDensity, false)
		r.layer, r.position = int32(layer), (float64(bin)+0.5)*width
		r.measured, r.stderr = share/width, math.Sqrt(share*(1-share)/total)/width
		rows = append(rows, r)
	}
	return rows
}
