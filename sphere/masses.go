package sphere

import "math"

// Masses describes the numbers of tokens in the clusters of a configuration. Clusters are connected
// components, where two tokens are connected if their overlap is at least 1-τ for a tolerance τ. If the
// outcome is Antipodal, there are two opposite clusters, even if τ is 1/2 or more and tokens between the two
// connect them.
type Masses struct {
	Clusters, Largest int
	// Imbalance is |n₊-n₋|/N for two opposite clusters of n₊ and n₋ tokens. Imbalance is NaN unless the
	// outcome is Antipodal.
	Imbalance float64
}

// PairMasses returns the Masses of two clusters of first and of second coincident tokens, for the given
// outcome of the two clusters.
func PairMasses(first, second int, outcome Outcome) Masses {
	m := Masses{2, max(first, second), math.NaN()}
	switch outcome {
	case Single:
		m.Clusters, m.Largest = 1, first+second
	case Antipodal:
		m.Imbalance = math.Abs(float64(first-second)) / float64(first+second)
	}
	return m
}

// Masses returns the Masses of a configuration of unit tokens x (N×d) for which Classify has returned
// outcome. For many tokens of at most FewDimensions dimensions the cost of Masses is about N log N, and
// otherwise at most that of a comparison of all pairs of tokens.
func (c *Classifier) Masses(x []float64, d int, outcome Outcome) Masses {
	n := Tokens(x, d)
	if outcome == Unclustered {
		c.connect(x, d)
		m := Masses{Imbalance: math.NaN()}
		for i := range n {
			if c.parent[i] < 0 {
				m.Clusters, m.Largest = m.Clusters+1, max(m.Largest, -c.parent[i])
			}
		}
		return m
	}
	first := 0
	for i := range n {
		if Dot(x[:d], x[i*d:(i+1)*d]) > 0 {
			first++
		}
	}
	return PairMasses(first, n-first, outcome)
}

// connect finds the connected components of the tokens x, where tokens of overlap at least 1-τ are connected,
// and stores them in c.parent.
func (c *Classifier) connect(x []float64, d int) {
	n := Tokens(x, d)
	c.parent = c.parent[:0]
	for range n {
		c.parent = append(c.parent, -1)
	}
	if d <= FewDimensions && n >= manyTokens && allFinite(x) {
		c.tree.build(x, d)
		j := joining{&c.tree, c, slackOf(d)}
		j.within(0)
		return
	}
	for i := range n {
		for j := range i {
			if c.find(i) != c.find(j) && c.relation(Dot(x[i*d:(i+1)*d], x[j*d:(j+1)*d])) == close {
				c.join(i, j)
			}
		}
	}
}

// find returns the root of the connected component of token i. For a root, parent is minus the number of
// tokens of the component. For any other token, parent is a token of the same component nearer to the root.
func (c *Classifier) find(i int) int {
	for c.parent[i] >= 0 {
		if above := c.parent[i]; c.parent[above] >= 0 {
			c.parent[i] = c.parent[above]
		}
		i = c.parent[i]
	}
	return i
}

// join merges the connected components of the tokens i and j, which must differ.
func (c *Classifier) join(i, j int) {
	i, j = c.find(i), c.find(j)
	if c.parent[i] > c.parent[j] {
		i, j = j, i
	}
	c.parent[i] += c.parent[j]
	c.parent[j] = i
}

// joining merges the connected components of close tokens by means of a tree of balls.
type joining struct {
	*tree
	classifier *Classifier
	slack      float64 // bounds the rounding error of an overlap
}

// isTight reports whether all tokens of a node of the tree are certainly close to each other.
func (j *joining) isTight(n *node) bool {
	return halfSquare(2*n.radius)+j.slack <= j.classifier.tolerance
}

// within joins the close tokens within node a of the tree.
func (j *joining) within(a int) {
	n := j.nodes[a]
	switch {
	case j.isTight(&n):
		for k := n.first + 1; k < n.last; k++ {
			j.classifier.join(j.tokens[n.first], j.tokens[k])
		}
	case n.isLeaf():
		j.leaves(&n, &n)
	default:
		left, right := j.halves(a)
		j.within(left)
		j.within(right)
		j.between(left, right)
	}
}

// between joins close tokens of two different nodes a and b of the tree, after within has been called for
// both nodes.
func (j *joining) between(a, b int) {
	m, n := j.nodes[a], j.nodes[b]
	distance, c := 0.0, j.classifier
	for k := range j.points.d {
		distance += float64((m.centre[k] - n.centre[k]) * (m.centre[k] - n.centre[k]))
	}
	distance = math.Sqrt(distance)
	tight := j.isTight(&m) && j.isTight(&n)
	switch {
	case halfSquare(max(0, distance-m.radius-n.radius))-float64(4*j.slack) > c.tolerance: // no pair is close
	case tight && c.find(j.tokens[m.first]) == c.find(j.tokens[n.first]):
	case tight && halfSquare(distance+m.radius+n.radius)+j.slack <= c.tolerance:
		c.join(j.tokens[m.first], j.tokens[n.first])
	case m.isLeaf() && n.isLeaf():
		j.leaves(&m, &n)
	case n.isLeaf() || !m.isLeaf() && m.radius >= n.radius:
		left, right := j.halves(a)
		j.between(left, b)
		j.between(right, b)
	default:
		left, right := j.halves(b)
		j.between(a, left)
		j.between(a, right)
	}
}

// leaves joins close tokens of two leaves of the tree, or of a single leaf, pair by pair.
func (j *joining) leaves(m, n *node) {
	c := j.classifier
	for k := m.first; k < m.last; k++ {
		for l := n.first; l < n.last; l++ {
			first, second := j.tokens[k], j.tokens[l]
			if c.find(first) != c.find(second) && c.relation(Dot(j.token(k), j.token(l))) == close {
				c.join(first, second)
			}
		}
	}
}
