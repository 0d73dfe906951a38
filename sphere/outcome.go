package sphere

import (
	"fmt"
	"math"

	"antipode/sphere/elementary"
)

// Outcome is the way in which the tokens of a configuration have clustered, within a tolerance τ of their
// overlaps.
type Outcome int8

const (
	// Single: every pair of tokens has overlap ≥ 1-τ. A configuration of one token is Single.
	Single Outcome = iota
	// Antipodal: every pair of tokens has |overlap| ≥ 1-τ and at least one pair has overlap ≤ -1+τ, so the
	// tokens form two opposite clusters.
	Antipodal
	// Unclustered: the configuration is neither Single nor Antipodal. Configurations with a NaN coordinate
	// are Unclustered.
	Unclustered
)

// OutcomeNames are the names of the outcomes, in the order of the constants from Single on.
var OutcomeNames = []string{"single", "antipodal", "unclustered"}

// String returns the name of the outcome, and "Outcome(n)" for any other value n.
func (o Outcome) String() string {
	if o < 0 || int(o) >= len(OutcomeNames) {
		return fmt.Sprintf("Outcome(%d)", int8(o))
	}
	return OutcomeNames[o]
}

// Labels returns OutcomeNames, as labels for a table column.
func (Outcome) Labels() []string { return OutcomeNames }

// PairOutcome returns the outcome of two tokens, or of two clusters of coincident tokens, given the
// logarithms of 1+Z and 1-Z for their overlap Z, within a tolerance τ < 1.
func PairOutcome(logAbove, logBelow, tolerance float64) Outcome {
	bound := elementary.Log(tolerance)
	switch {
	case logBelow <= bound:
		return Single
	case logAbove <= bound:
		return Antipodal
	}
	return Unclustered
}

// Classifier determines the outcomes of configurations of at most N tokens. A Classifier reuses its working
// memory, so it must not be used by several goroutines at once.
type Classifier struct {
	tolerance float64
	centre    []int     // first token of each group
	radius    []float64 // bound on the distance from the centre to a member
	group     []int     // group of each token
	parent    []int     // parent of each token in its component; see find
	points    points    // tokens of the configuration
	tree      tree      // tree of balls, for many tokens of few dimensions
}

// Overlaps provides the overlaps of pairs of tokens, numbered from 0.
type Overlaps interface{ Between(i, j int) float64 }

// points are tokens x (N×d, row-major) of dimension d.
type points struct {
	x []float64
	d int
}

// Between returns the overlap of tokens i and j.
func (p *points) Between(i, j int) float64 {
	return Dot(p.x[i*p.d:(i+1)*p.d], p.x[j*p.d:(j+1)*p.d])
}

// NewClassifier returns a classifier for configurations of at most tokens ≥ 1 tokens, with tolerance τ in (0,
// 1). NewClassifier panics for other values.
func NewClassifier(tokens int, tolerance float64) *Classifier {
	if tokens < 1 || !(tolerance > 0 && tolerance < 1) {
		panic(fmt.Sprintf("sphere: no classifier for %d tokens with tolerance %v", tokens, tolerance))
	}
	return &Classifier{
		tolerance: tolerance,
		centre:    make([]int, 0, tokens),
		radius:    make([]float64, 0, tokens),
		group:     make([]int, tokens),
	}
}

// Classify returns the outcome of the unit tokens x (N×d), and whether at least one pair of tokens has
// overlap ≤ -1+τ. A pair of overlap ≤ -1+τ occurs by chance long before two opposite clusters form.
//
// The outcome is that of comparing all N(N-1)/2 overlaps. But if the tokens form K tight groups, the cost of
// Classify is only that of N·K inner products. Classify gathers tokens in tight groups. With the distance
// |x-y|² = 2-2<x,y>, the triangle inequality usually decides all pairs of tokens of two groups at once. If
// the triangle inequality does not decide, the tokens of the two groups are compared one by one. Many tokens
// of at most FewDimensions dimensions are organised in a tree of groups, at a cost of about N log N.
func (c *Classifier) Classify(x []float64, d int) (outcome Outcome, antipodalPair bool) {
	if d <= FewDimensions && Tokens(x, d) >= manyTokens && allFinite(x) {
		c.tree.build(x, d)
		found := c.tree.relations(c, slackOf(d))
		return found.outcome(), found&opposite != 0
	}
	c.points = points{x, d}
	return c.ClassifyOverlaps(Tokens(x, d), d, &c.points)
}

// slackOf bounds the rounding error of the overlap of two tokens of dimension d.
func slackOf(d int) float64 { return float64(d+20) * 0x1p-52 }

func allFinite(x []float64) bool {
	for _, v := range x {
		if !(math.Abs(v) <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// ClassifyOverlaps returns the results of Classify for n tokens of dimension d, given the overlaps of all
// pairs of tokens.
func (c *Classifier) ClassifyOverlaps(n, d int, of Overlaps) (outcome Outcome, antipodalPair bool) {
	slack := slackOf(d)
	c.gather(n, of, slack)
	var found relations
	for a := range c.centre {
		for b := range a + 1 {
			found |= c.between(n, of, a, b, slack)
			if found&(opposite|apart) == opposite|apart {
				return Unclustered, true
			}
		}
	}
	return found.outcome(), found&opposite != 0
}

// relations is a set of the relations close, opposite and apart that pairs of tokens can have.
type relations uint8

const (
	close    relations = 1 << iota // overlap ≥ 1-τ for the tolerance τ
	opposite                       // overlap ≤ -1+τ for the tolerance τ
	apart                          // overlap between -1+τ and 1-τ, or NaN
)

// outcome returns the Outcome of tokens whose pairs have the relations r.
func (r relations) outcome() Outcome {
	switch {
	case r&apart != 0:
		return Unclustered
	case r&opposite != 0:
		return Antipodal
	}
	return Single
}

func (c *Classifier) relation(overlap float64) relations {
	switch {
	case overlap >= 1-c.tolerance:
		return close
	case overlap <= -1+c.tolerance:
		return opposite
	}
	return apart
}

// gather puts every token into the first group whose centre is much closer to the token than the tolerance
// allows. A token that is near no centre becomes the centre of a new group.
func (c *Classifier) gather(n int, of Overlaps, slack float64) {
	// With this bound, the diameter of a group is at most an eighth of the distance that the tolerance
	// allows.
	nearby := 1 - float64(c.tolerance/256)
	c.centre, c.radius = c.centre[:0], c.radius[:0]
next:
	for i := range n {
		for g, j := range c.centre {
			if overlap := of.Between(i, j); overlap >= nearby {
				c.group[i] = g
				c.radius[g] = max(c.radius[g], chord(overlap, slack))
				continue next
			}
		}
		c.group[i] = len(c.centre)
		c.centre = append(c.centre, i)
		c.radius = append(c.radius, 0)
	}
}

// between returns the relations of all pairs of tokens, one token in group a and one token in group b.
func (c *Classifier) between(n int, of Overlaps, a, b int, slack float64) relations {
	reach := c.radius[a] + c.radius[b]
	if reach == 0 { // both groups consist of a single token
		if a == b {
			return 0
		}
		return c.relation(of.Between(c.centre[a], c.centre[b]))
	}
	if a == b { // the distance of two members is at most the diameter
		if halfSquare(reach)+slack <= c.tolerance {
			return close
		}
		return c.betweenMembers(n, of, a, b)
	}
	overlap := of.Between(c.centre[a], c.centre[b])
	distance, distanceToOpposite := chord(overlap, slack), chord(-overlap, slack)
	switch {
	case halfSquare(distance+reach)+slack <= c.tolerance:
		return close
	case halfSquare(distanceToOpposite+reach)+slack <= c.tolerance:
		return opposite
	case halfSquare(max(0, distance-reach))-float64(4*slack) > c.tolerance &&
		halfSquare(max(0, distanceToOpposite-reach))-float64(4*slack) > c.tolerance:
		return apart
	}
	return c.betweenMembers(n, of, a, b)
}

func (c *Classifier) betweenMembers(n int, of Overlaps, a, b int) (found relations) {
	for i := range n {
		if c.group[i] != a {
			continue
		}
		for j := range n {
			if c.group[j] == b && (a != b || j < i) {
				found |= c.relation(of.Between(i, j))
			}
		}
	}
	return found
}

// chord returns an upper bound on the distance between two unit vectors whose overlap was computed with an
// error of at most slack/2. The upper bound exceeds the distance by at most √(2·slack).
func chord(overlap, slack float64) float64 {
	return math.Sqrt(max(0, 2-float64(2*overlap)) + slack)
}

func halfSquare(x float64) float64 { return float64(0.5 * float64(x*x)) }
