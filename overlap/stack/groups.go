package stack

import "math"

// groups are tokens that are alike: one of all, or the first and all others, or with causal attention
// neighbours, the first few alone and the further back the more.
type groups struct {
	count    []float64 // tokens of each
	attended []float64 // how many tokens one in the middle of the group attends to
	seen     [][]float64
	rows     *rows
}

// alone is how many first tokens of causal attention are groups of their own, and ratio that of the ends of
// groups after them.
const (
	alone = 12
	ratio = 1.2
)

func newGroups(s Shape) *groups {
	g := &groups{}
	switch {
	case s.Causal:
		for first := 0; first < s.Tokens; {
			end := first + 1
			if end > alone {
				end = min(int(math.Ceil(float64(first)*ratio)), s.Tokens)
			}
			g.count = append(g.count, float64(end-first))
			first = end
		}
	case s.Input.First > 0:
		g.count = []float64{1, float64(s.Tokens - 1)}
	default:
		g.count = []float64{float64(s.Tokens)}
	}
	before := 0.0
	for i, n := range g.count {
		seen := make([]float64, len(g.count))
		if s.Causal {
			copy(seen, g.count[:i])
			seen[i] = float64(0.5 * (n + 1))
			g.attended = append(g.attended, before+seen[i])
		} else {
			copy(seen, g.count)
			g.attended = append(g.attended, float64(s.Tokens))
		}
		g.seen = append(g.seen, seen)
		before += n
	}
	return g
}

// Gram is the geometry of tokens by groups: squared norms, and inner products of different tokens of two
// groups, all over d.
type gram struct {
	square []float64
	inner  [][]float64
}

func newGram(n int) gram {
	g := gram{square: make([]float64, n), inner: make([][]float64, n)}
	for i := range g.inner {
		g.inner[i] = make([]float64, n)
	}
	return g
}

// start is the geometry of the input.
func (g *groups) start(in Input) gram {
	k := newGram(len(g.count))
	for i := range k.square {
		k.square[i] = in.Square
		for j := range k.square {
			k.inner[i][j] = float64(in.Cosine * in.Square)
		}
	}
	if in.First > 0 {
		k.square[0] = in.First
		for j := range k.square {
			k.inner[0][j], k.inner[j][0] = 0, 0
		}
	}
	return k
}

// plus is skip² k + branch² l.
func (k gram) plus(skip2, branch2 float64, l gram) gram {
	sum := newGram(len(k.square))
	for i := range k.square {
		sum.square[i] = float64(skip2*k.square[i]) + float64(branch2*l.square[i])
		for j := range k.square {
			sum.inner[i][j] = float64(skip2*k.inner[i][j]) + float64(branch2*l.inner[i][j])
		}
	}
	return sum
}

// shifted has a vector of that square added to all tokens.
func (k gram) shifted(square float64) gram {
	if square == 0 {
		return k
	}
	sum := newGram(len(k.square))
	for i := range k.square {
		sum.square[i] = k.square[i] + square
		for j := range k.square {
			sum.inner[i][j] = k.inner[i][j] + square
		}
	}
	return sum
}

// normalised has squared norms of 1.
func (k gram) normalised() gram {
	n := newGram(len(k.square))
	for i := range k.square {
		n.square[i] = 1
		for j := range k.square {
			n.inner[i][j] = min(k.inner[i][j]/math.Sqrt(float64(k.square[i]*k.square[j])), 1)
		}
	}
	return n
}

// mean is over all pairs of different tokens.
func (g *groups) mean(inner [][]float64) float64 { return meanOver(g.count, inner) }

// between are how many tokens of each group are among those from first to before end.
func (g *groups) between(first, end float64) []float64 {
	count := make([]float64, len(g.count))
	before := 0.0
	for i, n := range g.count {
		count[i] = max(0, min(before+n, end)-max(before, first))
		before += n
	}
	return count
}

// meanOver is the mean over all pairs of different tokens, of which there are so many of each group.
func meanOver(count []float64, inner [][]float64) float64 {
	sum, pairs := 0.0, 0.0
	for i, n := range count {
		for j, m := range count {
			if i == j {
				m--
			}
			sum += float64(float64(n*m) * inner[i][j])
			pairs += float64(n * m)
		}
	}
	return sum / pairs
}

// meanSquare is the mean of numbers of groups over all tokens.
func (g *groups) meanSquare(square []float64) float64 {
	sum, tokens := 0.0, 0.0
	for i, n := range g.count {
		sum += float64(n * square[i])
		tokens += n
	}
	return sum / tokens
}
