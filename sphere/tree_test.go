package sphere

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Many tokens of few dimensions have the outcome of the definition, whether they are everywhere, in a few
// places, in two opposite clusters as wide as the tolerance, or in the same place, some up to the last
// digit.
func TestTreeEqualsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 11))
	seen := map[Outcome]int{}
	pairs := 0
	for round := range 600 {
		d := 1 + round%FewDimensions
		n := manyTokens + r.IntN(200)
		tolerance := []float64{1e-9, 1e-3, 0.1, 0.9}[r.IntN(4)]
		spread := math.Sqrt(tolerance) * []float64{0, 1e-6, 0.02, 0.1, 0.2, 0.25, 0.3, 0.5, 1,
			100}[r.IntN(10)]
		x := make([]float64, n*d)
		clusters(r, x, d, 1+r.IntN(3), r.IntN(3) > 0, spread)
		side := r.IntN(3)
		for i := range n {
			switch token := x[i*d : (i+1)*d]; r.IntN(8) {
			case 0:
				copy(token, x[:d])
			case 1:
				copy(token, x[:d])
				token[d-1] = math.Nextafter(token[d-1], 2)
			}
			if side < 2 && Dot(x[:d], x[i*d:(i+1)*d]) < 0 {
				scale(x[i*d:(i+1)*d], x[i*d:(i+1)*d], -1)
			}
		}
		if places := 2 + r.IntN(5); r.IntN(2) == 0 {
			for i := places; i < n; i++ {
				copy(x[i*d:(i+1)*d], x[r.IntN(places)*d:][:d])
			}
		}
		wantOutcome, wantPair := classifyAllPairs(x, d, tolerance)
		outcome, pair := NewClassifier(n, tolerance).Classify(x, d)
		if outcome != wantOutcome || pair != wantPair {
			t.Fatalf("d=%d, N=%d, τ=%v, spread %v: %v, %v; want %v, %v", d, n, tolerance, spread, outcome,
				pair, wantOutcome, wantPair)
		}
		seen[outcome]++
		if pair && outcome == Unclustered {
			pairs++
		}
	}
	if seen[Single] < 20 || seen[Antipodal] < 20 || seen[Unclustered] < 20 || pairs < 20 ||
		pairs > seen[Unclustered]-20 {
		t.Errorf("too few of some kind to tell: %v, %d", seen, pairs)
	}
}

// A ball contains its tokens, by distances computed with 300 bits, and is hardly larger than that; its radius
// is 0 only if the tokens coincide. The two halves of a ball have all its tokens.
func TestBallsAreTight(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 12))
	for round := range 400 {
		d := 1 + round%FewDimensions
		x := make([]float64, (2+r.IntN(30))*d)
		clusters(r, x, d, 1+r.IntN(2), false, []float64{0, 1e-12, 1e-3, 1}[r.IntN(4)])
		var of tree
		of.build(x, d)
		of.nodes[0].check(t, &of)
		if of.nodes[0].isLeaf() {
			continue
		}
		left, right := of.halves(0)
		of.nodes[left].check(t, &of)
		of.nodes[right].check(t, &of)
		if m, n := of.nodes[left], of.nodes[right]; m.first != 0 || m.last != n.first || m.last <= m.first ||
			n.last <= n.first || n.last != len(of.tokens) {
			t.Errorf("halves from %d to %d, and from %d to %d, of %d tokens", m.first, m.last, n.first,
				n.last, len(of.tokens))
		}
	}
}

// check compares the radius of a ball with the greatest exact distance of a token from its centre.
func (n *node) check(t *testing.T, of *tree) {
	t.Helper()
	exact := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
	farthest := exact(0)
	for k := n.first; k < n.last; k++ {
		square := exact(0)
		for c, v := range of.token(k) {
			difference := new(big.Float).Sub(exact(v), exact(n.centre[c]))
			square.Add(square, difference.Mul(difference, difference))
		}
		if square.Cmp(farthest) > 0 {
			farthest = square
		}
	}
	farthest.Sqrt(farthest)
	most, _ := farthest.Float64()
	if exact(n.radius).Cmp(farthest) < 0 || n.radius > most*(1+1e-14) {
		t.Errorf("radius %v of a ball that extends to %v", n.radius, most)
	}
}

// A classifier is reused with fewer tokens, and with a coordinate that is NaN.
func TestTreeIsMadeAnew(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 12))
	const n, d = 600, 3
	c, x := NewClassifier(n, 1e-3), make([]float64, n*d)
	clusters(r, x, d, 1, true, 1e-9)
	for _, tokens := range []int{n, manyTokens, n} {
		if outcome, pair := c.Classify(x[:tokens*d], d); outcome != Antipodal || !pair {
			t.Errorf("%d tokens: %v, %v", tokens, outcome, pair)
		}
	}
	x[7] = math.NaN()
	if outcome, pair := c.Classify(x, d); outcome != Unclustered || !pair {
		t.Errorf("with NaN: %v, %v", outcome, pair)
	}
}
