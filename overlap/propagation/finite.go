package propagation

import (
	"fmt"
	"math"
	"sync"

	"antipode/sphere/elementary"
)

// The largest finite number of tokens in a row of attention, and the largest standard deviation of the
// attention scores.
const (
	MaxTokens    = 1e60
	MaxDeviation = 100
)

// FiniteRow returns the statistics of an attention row of T tokens whose scores are independent normal
// variables of standard deviation s. Relative errors of FiniteRow are below 1e-12. FiniteRow returns an error
// unless T, which need not be an integer, is from 2 to MaxTokens, and s is from 0 to MaxDeviation.
//
// With the partition function Z = Σ e^(a_s) and Z^-k = ∫ t^(k-1) e^(-tZ) dt/(k-1)!, the mean over T
// independent scores becomes a product of means over one score:
//
//	E Σ A_s^k = T/(k-1)! ∫ φ_k φ_0^(T-1) dt/t, φ_k(t) = E (te^a)^k exp(-te^a),
//	E (Σ A_s²)² = T/3! ∫ (φ_4 φ_0 + (T-1) φ_2²) φ_0^(T-2) dt/t,
//	E log Z = ∫ (e^(-t) - φ_0^T) dt/t.
//
// The entropy of the row is log Z - Σ A_s a_s. By Stein's lemma (20) the mean of the sum Σ A_s a_s is
// s²(1-Y2).
func FiniteRow(tokens, deviation float64) (Row, error) {
	if err := checkScores(tokens, deviation); err != nil {
		return Row{}, err
	}
	var (
		scores  = newScores(tokens, deviation)
		row     Row
		logZ    float64
		t, less = tokens, tokens - 1
		centre  = scores.centre()
	)
	add := func(x float64) (small bool) {
		v := scores.means(x)
		survival := v.toPower(less)
		terms := [...]float64{
			float64(v.power[2] * survival),
			float64(v.power[3]*survival) / 2,
			(float64(v.power[4]*survival) + float64(less*v.power[2]*v.power[2]*v.toPower(t-2))) / 6,
		}
		difference := v.toPower(t) - elementary.Exp(-elementary.Exp(x-centre))
		row.Y2 += terms[0]
		row.Y3 += terms[1]
		row.Y2Squared += terms[2]
		logZ -= difference
		const negligible = 1e-18
		return terms[0] <= negligible*row.Y2 && terms[1] <= negligible*row.Y3 &&
			terms[2] <= negligible*row.Y2Squared && math.Abs(difference) <= negligible*(1+math.Abs(logZ))
	}
	overLine(centre, 1, add)
	weight := float64(step * t)
	row.Y2, row.Y3, row.Y2Squared = float64(weight*row.Y2), float64(weight*row.Y3),
		float64(weight*row.Y2Squared)
	row.Entropy = float64(step*logZ) - centre - float64(deviation*deviation*(1-row.Y2))
	return row, nil
}

func checkScores(tokens, deviation float64) error {
	switch {
	case !(tokens >= 2 && tokens <= MaxTokens):
		return errTokens(tokens)
	case !(deviation >= 0 && deviation <= MaxDeviation):
		return fmt.Errorf("propagation: scores of standard deviation %v are not allowed: "+
			"it must be from 0 to %d", deviation, MaxDeviation)
	}
	return nil
}

// scores represents T independent normal attention scores. Integrals over log t and over a normal score are
// computed by the trapezoidal rule, as sums over equidistant points. The error of the trapezoidal rule is of
// order e^(-π²/step), as the Fourier transforms of the integrands are Gamma functions.
type scores struct {
	tokens, deviation float64
	node, weight      []float64 // quadrature rule for a standard normal variable
	aligned           bool      // whether the scores at neighbouring nodes differ by step
	table             *table    // tabulated means, for aligned scores only
}

// step is the distance between quadrature points in log t, and the greatest distance between quadrature
// points of a score.
const step = 0.2

func newScores(tokens, deviation float64) *scores {
	s := &scores{tokens: tokens, deviation: deviation, aligned: deviation > 2*step, table: unshifted()}
	s.node, s.weight = normalNodes(tokens, deviation)
	return s
}

// normalNodes returns quadrature nodes and weights for a standard normal variable. The distance between nodes
// is at most 1/2 and, times the deviation, at most step. The nodes extend from -9 to a point that the largest
// of T standard normal variables exceeds with probability 1e-17.
func normalNodes(tokens, deviation float64) (node, weight []float64) {
	low, high := -9., math.Sqrt(2*(elementary.Log(tokens)+39))
	h := min(0.5, step/max(deviation, step))
	for k := math.Floor(low / h); float64(k*h) <= high; k++ {
		g := float64(k * h)
		node = append(node, g)
		weight = append(weight, h/math.Sqrt(2*math.Pi)*elementary.Exp(-0.5*g*g))
	}
	return node, weight
}

// centre returns a multiple of step near -log Z with the partition function Z; the integrands of FiniteRow
// are greatest near log t = -log Z.
func (s *scores) centre() float64 {
	log := elementary.Log(s.tokens)
	centre := -log - min(float64(0.5*s.deviation*s.deviation),
		max(0, float64(s.deviation*math.Sqrt(2*log))-log))
	return float64(step * math.Round(centre/step))
}

// overLine calls add at points of the real line, in distances of steps times the constant step, from centre
// outwards on both sides. On each side overLine stops more than 40 steps from centre, as soon as add reports
// that the contribution of a point was small.
func overLine(centre, steps float64, add func(x float64) (small bool)) {
	first := math.Round(centre / step)
	for _, direction := range []float64{1, -1} {
		for k := (1 - direction) / 2; ; k++ {
			if x := float64(step * (first + float64(direction*steps*k))); add(x) && steps*k > 40 {
				break
			}
		}
	}
}

// means holds the means φ_k = E (te^a)^k exp(-te^a) over a score a in power[k], and 1 - φ_0 in lost.
type means struct {
	lost  float64
	power [5]float64
}

// toPower returns the power φ_0^n.
func (m *means) toPower(n float64) float64 {
	if n == 0 {
		return 1
	}
	if m.lost < 0.5 {
		return elementary.Exp(n * elementary.Log1p(-m.lost))
	}
	return elementary.Exp(n * elementary.Log(m.power[0]))
}

// means returns the means φ_k over a score at t = e^x. If the scores are aligned, x must differ from the
// shift of the table by a multiple of step.
func (s *scores) means(x float64) (m means) {
	first := math.Round((x - s.table.shift) / step)
	for k, g := range s.node {
		w := s.weight[k]
		var v *means
		if s.aligned {
			v = s.table.entry(first + math.Round(g*s.deviation/step))
		} else {
			single := at(float64(s.deviation*g) + x)
			v = &single
		}
		m.lost += float64(w * v.lost)
		for n := range m.power {
			m.power[n] += float64(w * v.power[n])
		}
	}
	return m
}

// at returns the values (te^a)^k exp(-te^a) for a single score a with te^a = e^u.
func at(u float64) (m means) {
	e := elementary.Exp(min(u, saturated))
	m.lost = -elementary.Expm1(-e)
	m.power[0] = elementary.Exp(-e)
	for k := 1; k < len(m.power); k++ {
		m.power[k] = m.power[k-1] * e
	}
	return m
}

// For log te^a below vanishing, the field lost of means is 0; above saturated, all fields power are 0.
const vanishing, saturated = -400, 5

// table holds the values at(u) for u from vanishing to saturated, at distances step, where all u are
// increased by shift.
type table struct {
	shift   float64 // increase of all u, from 0 to step
	entries []means
}

func newTable(shift float64) *table {
	t := &table{shift: shift}
	for n := vanishing / step; n <= saturated/step; n++ {
		t.entries = append(t.entries, at(float64(n*step)+shift))
	}
	return t
}

var unshifted = sync.OnceValue(func() *table { return newTable(0) })

// entry returns the tabulated value of at(n·step + shift).
func (t *table) entry(n float64) *means {
	n = max(n-vanishing/step, 0)
	return &t.entries[min(int(n), len(t.entries)-1)]
}
