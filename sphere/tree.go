package sphere

import "math"

// FewDimensions is the largest dimension in which many tokens are classified with a tree of balls. In
// higher dimensions, balls of random tokens overlap too much for the tree to exclude pairs.
const FewDimensions = 4

const (
	manyTokens = 256 // number of tokens from which a tree is faster than groups
	leafTokens = 8   // largest number of tokens in a leaf, whose pairs are compared one by one
)

// tree is a binary tree of balls that contain unit tokens. The tokens of a ball are divided between two
// smaller balls. A tree reuses its memory for the next configuration.
type tree struct {
	points points
	tokens []int // indices of tokens, in the order of the leaves
	nodes  []node
}

// node is a node of a tree: a ball that contains some of the tokens.
type node struct {
	first, last int // range in tree.tokens; last is excluded
	left        int // index of the left half, followed by the right half; 0 if not yet divided
	widest      int // coordinate of the longest side of the bounding box of the tokens
	centre      [FewDimensions]float64
	radius      float64 // radius of the ball; 0 only if the tokens coincide to within 1e-160
}

// build initialises the tree for unit tokens x (N×d) with a single ball; further balls are created when
// needed.
func (t *tree) build(x []float64, d int) {
	t.points, t.tokens, t.nodes = points{x, d}, t.tokens[:0], t.nodes[:0]
	for i := range Tokens(x, d) {
		t.tokens = append(t.tokens, i)
	}
	t.nodes = append(t.nodes, t.ball(0, len(t.tokens)))
}

// isLeaf reports whether a node of the tree has few tokens, or all tokens of the node coincide.
func (n *node) isLeaf() bool { return n.radius == 0 || n.last-n.first <= leafTokens }

// halves returns the indices of the two children of node a, which must not be a leaf, and creates the
// children at the first call.
func (t *tree) halves(a int) (left, right int) {
	if n := t.nodes[a]; n.left == 0 {
		middle := t.divide(n.first, n.last, n.widest, n.centre[n.widest])
		t.nodes[a].left = len(t.nodes)
		t.nodes = append(t.nodes, t.ball(n.first, middle), t.ball(middle, n.last))
	}
	return t.nodes[a].left, t.nodes[a].left + 1
}

// ball returns a node for the tokens at positions first to last-1, a ball centred at the middle of the
// bounding box of these tokens.
func (t *tree) ball(first, last int) (n node) {
	var low, high [FewDimensions]float64
	d := t.points.d
	copy(low[:], t.token(first))
	high = low
	for k := first + 1; k < last; k++ {
		for c, v := range t.token(k) {
			low[c], high[c] = min(low[c], v), max(high[c], v)
		}
	}
	n.first, n.last = first, last
	for c := range d {
		n.centre[c] = min(low[c]+float64((high[c]-low[c])/2), math.Nextafter(high[c], low[c]))
		if high[c]-low[c] > high[n.widest]-low[n.widest] {
			n.widest = c
		}
	}
	if high[n.widest] == low[n.widest] {
		return n
	}
	square := 0.0
	for k := first; k < last; k++ {
		distance := 0.0
		for c, v := range t.token(k) {
			distance += float64((v - n.centre[c]) * (v - n.centre[c]))
		}
		square = max(square, distance)
	}
	n.radius = math.Sqrt(square) * (1 + 0x1p-50)
	return n
}

// token returns the token at position k in the order of the leaves.
func (t *tree) token(k int) []float64 {
	at := t.tokens[k] * t.points.d
	return t.points.x[at : at+t.points.d]
}

// divide moves, among the tokens at positions first to last-1, those with a coordinate of at most at to the
// front. divide returns the position of the first token with a greater coordinate. Neither part is empty if
// at is at least the least coordinate of these tokens and less than the greatest.
func (t *tree) divide(first, last, coordinate int, at float64) int {
	for first < last {
		if t.token(first)[coordinate] <= at {
			first++
			continue
		}
		last--
		t.tokens[first], t.tokens[last] = t.tokens[last], t.tokens[first]
	}
	return first
}

// relations returns which of the relations opposite and apart occur among the pairs of tokens of the tree.
func (t *tree) relations(c *Classifier, slack float64) relations {
	p := pairing{tree: t, classifier: c, slack: slack}
	p.within(0)
	return p.found
}

// pairing searches the pairs of tokens of a tree for a pair with the relation opposite and for a pair with
// the relation apart, until both relations are found.
type pairing struct {
	*tree
	classifier *Classifier
	slack      float64 // bounds the rounding error of an overlap
	found      relations
}

// within examines the pairs of tokens within node a of the tree.
func (p *pairing) within(a int) {
	n := &p.nodes[a]
	switch {
	case halfSquare(2*n.radius)+p.slack <= p.classifier.tolerance: // all pairs of tokens are close
	case n.isLeaf():
		p.leaves(n, n)
	default:
		left, right := p.halves(a)
		p.between(left, right)
		p.within(left)
		p.within(right)
	}
}

// between examines the pairs of tokens, one from node a and one from node b, unless the balls of the nodes
// decide the relations, or no new relation is possible.
func (p *pairing) between(a, b int) {
	m, n := &p.nodes[a], &p.nodes[b]
	possible, certain := p.bounds(m, n)
	if p.found |= certain; possible&^p.found == 0 {
		return
	}
	switch {
	case m.isLeaf() && n.isLeaf():
		p.leaves(m, n)
	case n.isLeaf() || !m.isLeaf() && m.radius >= n.radius:
		left, right := p.halves(a)
		p.between(left, b)
		p.between(right, b)
	default:
		left, right := p.halves(b)
		p.between(a, left)
		p.between(a, right)
	}
}

// bounds returns which of the relations opposite and apart the pairs of tokens of two balls can have, and
// which of these relations the pairs certainly have.
func (p *pairing) bounds(m, n *node) (possible, certain relations) {
	var minus, plus float64
	for c := range p.points.d {
		difference, sum := m.centre[c]-n.centre[c], m.centre[c]+n.centre[c]
		minus += float64(difference * difference)
		plus += float64(sum * sum)
	}
	reach, tolerance := m.radius+n.radius, p.classifier.tolerance
	distance, toOpposite := math.Sqrt(minus), math.Sqrt(plus)
	allClose := halfSquare(distance+reach)+p.slack <= tolerance
	allOpposite := halfSquare(toOpposite+reach)+p.slack <= tolerance
	noneClose := halfSquare(max(0, distance-reach))-float64(4*p.slack) > tolerance
	noneOpposite := halfSquare(max(0, toOpposite-reach))-float64(4*p.slack) > tolerance
	switch {
	case allClose:
		return 0, 0
	case allOpposite:
		return opposite, opposite
	case noneClose && noneOpposite:
		return apart, apart
	case noneOpposite:
		return apart, 0
	}
	return apart | opposite, 0
}

// leaves examines, one by one, the pairs of tokens of two leaves of the tree, or the pairs within a single
// leaf. If all tokens of a leaf coincide, leaves uses only one of these tokens.
func (p *pairing) leaves(m, n *node) {
	lastM, lastN := m.last, n.last
	if m.radius == 0 {
		lastM = m.first + 1
	}
	if n.radius == 0 {
		lastN = n.first + 1
	}
	for i := m.first; i < lastM; i++ {
		start := n.first
		if m == n {
			start = i + 1
		}
		for j := start; j < lastN; j++ {
			p.found |= p.classifier.relation(Dot(p.token(i), p.token(j))) &^ close
		}
	}
}
