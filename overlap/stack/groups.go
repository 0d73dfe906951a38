package stack

import "math"

// groups divides the tokens of a sequence into groups of tokens with the same geometry: a single group, or
// the first token and all other tokens. With causal attention, each of the first tokens is a group of its
// own, followed by groups of neighbouring tokens, whose size grows with their position.
type groups struct {
	count         []float64   // number of tokens in each group
	attended      []float64   // number of tokens attended to by a token in the middle of the group
	seen          [][]float64 // seen[i][j] is the number of tokens of group j attended to by group i
	participation *participationTable
	rows          rowSums
}

// With causal attention, each of the first singleGroups tokens forms a group of its own. After the first
// singleGroups tokens, groupRatio is the ratio of the last positions of two successive groups.
const (
	singleGroups = 12
	groupRatio   = 1.2
)

func newGroups(s Architecture) *groups {
	g := &groups{rows: newRowSums(s)}
	switch {
	case s.Causal:
		for first := 0; first < s.Tokens; {
			end := first + 1
			if end > singleGroups {
				end = min(int(math.Ceil(float64(first)*groupRatio)), s.Tokens)
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

// gram is the geometry of tokens by groups: the squared norm of a token of each group, and the inner product
// of two different tokens from each pair of groups, all divided by d.
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

// inputGram returns the geometry of the input tokens.
func (g *groups) inputGram(in Input) gram {
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

// plus returns skip2 k + branch2 l, the geometry of a sum of independent tokens of geometries k and l,
// multiplied by the square roots of skip2 and branch2.
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

// plusCommon returns the geometry of tokens after adding one random vector of squared norm square to all
// tokens.
func (k gram) plusCommon(square float64) gram {
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

// normalised returns the geometry of tokens after rescaling all tokens to squared norm 1.
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

// mean returns the mean, over all pairs of different tokens, of inner products given for each pair of groups.
func (g *groups) mean(inner [][]float64) float64 { return meanOver(g.count, inner) }

// countBetween returns, for each group, the number of tokens at the positions first (included) to end
// (excluded).
func (g *groups) countBetween(first, end float64) []float64 {
	count := make([]float64, len(g.count))
	before := 0.0
	for i, n := range g.count {
		count[i] = max(0, min(before+n, end)-max(before, first))
		before += n
	}
	return count
}

// meanOver returns the mean, over all pairs of different tokens, of inner products given for each pair of
// groups, where count holds the number of tokens of each group.
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

// meanSquare returns the mean over all tokens of values given for each group.
func (g *groups) meanSquare(square []float64) float64 {
	sum, tokens := 0.0, 0.0
	for i, n := range g.count {
		sum += float64(n * square[i])
		tokens += n
	}
	return sum / tokens
}
