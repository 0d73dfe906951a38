package propagation

import (
	"fmt"
	"math"
	"slices"

	"antipode/sphere/elementary"
)

// The largest number of tokens for CrossParticipation, and the largest standard deviation of the attention
// scores. The computing time of CrossParticipation grows with the cube of the standard deviation of the
// scores.
const (
	MaxCrossTokens    = 1e9
	MaxCrossDeviation = 30
)

// CrossParticipation returns E Σ_s A_ts A_us for two rows t ≠ u of the attention matrix A of T tokens, with
// an absolute error below 1e-10. The attention scores have standard deviation s. The scores of the same token
// in both rows have correlation ρ, which is the cosine of the tokens t and u (8). CrossParticipation returns
// an error unless T is from 2 to MaxCrossTokens, s is up to MaxCrossDeviation and ρ is from 0 to 1.
// CrossParticipation is 1/T for ρ = 0 or s = 0, is Y2 for ρ = 1, and is convex in ρ. For ρ < 1
// CrossParticipation vanishes as T → ∞, as the paper says in B.2.2.
//
// A score a is the sum of two independent normal variables: one of variance s²ρ, which both rows of the
// attention matrix have in common, and one of variance s²(1-ρ) of the row alone. With F_k the mean over the
// variable of the row alone and E_c the mean over the common one, CrossParticipation is
//
//	T ∫∫ E_c[F_1 F_1'] (E_c[F_0 F_0'])^(T-1) dt/t dt'/t', F_k = E (te^a)^k exp(-te^a).
//
// A call of CrossParticipation takes about 20 ms at s = 5, and 2 s at s = 30.
func CrossParticipation(tokens, deviation, rho float64) (float64, error) {
	switch err := checkScores(tokens, deviation); {
	case err != nil:
		return 0, err
	case tokens > MaxCrossTokens:
		return 0, fmt.Errorf("propagation: %v tokens are not allowed for two rows: at most %v",
			tokens, float64(MaxCrossTokens))
	case deviation > MaxCrossDeviation:
		return 0, fmt.Errorf("propagation: scores of standard deviation %v are not allowed for two rows: "+
			"at most %v", deviation, MaxCrossDeviation)
	case !(rho >= 0 && rho <= 1):
		return 0, fmt.Errorf("propagation: correlation %v is not allowed: it must be from 0 to 1", rho)
	case rho == 0 || deviation == 0:
		return 1 / tokens, nil
	case rho == 1:
		row, err := FiniteRow(tokens, deviation)
		return row.Y2, err
	}
	rows := newRowPair(tokens, deviation, rho)
	sum := 0.0
	for i := range rows.points {
		sum += rows.term(i, i)
		for j := range i {
			sum += 2 * rows.term(i, j)
		}
	}
	return float64(pairStep * pairStep * step * step * tokens * sum), nil
}

// pairStep is the spacing of the points of the double integral of CrossParticipation, in units of step; the
// integrands for two rows are smoother than those for a single row.
const pairStep = 2

// rowPair holds the means F_0 and F_1 of CrossParticipation, given the common part of a score, for each
// relevant point log t.
type rowPair struct {
	tokens float64
	weight []float64 // weights of the quadrature nodes of the common part of a score
	points []conditional
}

// conditional holds two numbers for each quadrature node of the common part of a score, at one log t:
// weighted is F_1 times the weight of the node, and lost is 1 - F_0. The field meanLost is the mean of lost.
type conditional struct {
	weighted, lost []float64
	meanLost       float64
	first, last    int // nodes between which weighted is not negligible
	firstLost      int // lost is negligible at the nodes before firstLost
}

func newRowPair(tokens, deviation, rho float64) *rowPair {
	common := float64(deviation * math.Sqrt(rho))
	own := newScores(tokens, float64(deviation*math.Sqrt(1-rho)))
	node, weight := normalNodes(tokens, common)
	r := &rowPair{tokens: tokens, weight: weight}
	conditionalMeans := own.atNodes(common, node)
	total := 0.0
	overLine(newScores(tokens, deviation).centre(), pairStep, func(x float64) (small bool) {
		var c conditional
		var power float64
		for k := range node {
			m := conditionalMeans(k, x)
			w := float64(weight[k] * m.power[1])
			c.weighted, c.lost = append(c.weighted, w), append(c.lost, m.lost)
			c.meanLost += float64(weight[k] * m.lost)
			power += w
		}
		mass := float64(power * elementary.Exp((tokens-1)*elementary.Log1p(-min(c.meanLost, 1-0x1p-53))))
		total += mass
		c.trim(weight)
		r.points = append(r.points, c)
		const negligible = 1e-13 // relative to the total mass of all points
		return mass <= negligible*total
	})
	return r
}

// atNodes returns a function of k and x that computes the means φ_j at log t = x + common·node[k]; x must be
// a multiple of step.
func (s *scores) atNodes(common float64, node []float64) func(k int, x float64) means {
	if common > 2*step { // the nodes are step apart, so most points occur repeatedly
		known := map[float64]means{}
		return func(k int, x float64) means {
			n := math.Round((x + float64(common*node[k])) / step)
			m, ok := known[n]
			if !ok {
				m = s.means(n * step)
				known[n] = m
			}
			return m
		}
	}
	shifted := make([]scores, len(node))
	for k, g := range node {
		shifted[k] = *s
		if s.aligned {
			x := float64(common * g)
			shifted[k].table = newTable(x - float64(step*math.Floor(x/step)))
		}
	}
	return func(k int, x float64) means { return shifted[k].means(x + float64(common*node[k])) }
}

// trim finds the range of quadrature nodes of the common part that are not negligible.
func (c *conditional) trim(weight []float64) {
	const negligible = 1e-16
	most := slices.Max(c.weighted)
	matters := func(w float64) bool { return w > negligible*most }
	c.first = slices.IndexFunc(c.weighted, matters)
	c.last = len(weight)
	for c.last > c.first+1 && !matters(c.weighted[c.last-1]) {
		c.last--
	}
	for weight[c.firstLost]*c.lost[c.firstLost] <= negligible*c.meanLost {
		c.firstLost++
	}
}

// term returns the integrand of the double integral of CrossParticipation at the points i and j.
func (r *rowPair) term(i, j int) float64 {
	a, b := &r.points[i], &r.points[j]
	both, lost := 0.0, 0.0
	for k := max(a.first, b.first, 0); k < min(a.last, b.last); k++ {
		both += float64(a.weighted[k]*b.weighted[k]) / r.weight[k]
	}
	for k := max(a.firstLost, b.firstLost); k < len(r.weight); k++ {
		lost += float64(r.weight[k] * a.lost[k] * b.lost[k])
	}
	lost = min(a.meanLost+b.meanLost-lost, 1-0x1p-53)
	return float64(both * elementary.Exp((r.tokens-1)*elementary.Log1p(-lost)))
}
