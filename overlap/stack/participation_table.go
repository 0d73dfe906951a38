package stack

import (
	"math"

	"antipode/overlap/propagation"
	"antipode/sphere/chebyshev"
	"antipode/sphere/elementary"
)

// participationTable interpolates the logarithm of the participation n E ΣA² of attention rows A of n tokens
// whose scores have standard deviation s, by polynomials on panels of s for several n.
type participationTable struct {
	logarithm []float64                // log n of the rows, ascending
	panels    [][]chebyshev.Polynomial // those up to s = spread, which have one width, and then those beyond
	spread    float64
	beyond    []float64 // ends of the panels beyond spread, ascending from spread
}

// mostSizes is the number of row lengths n for which the table is computed. For other n, log(n E ΣA²) is
// interpolated linearly in log n.
const mostSizes = 8

// newParticipationTable returns the table for rows of the given numbers of tokens, ascending, and for
// standard deviations of scores up to spread. Beyond spread, the table has wider panels up to the deviation
// largest or, if less, to furthest.
func newParticipationTable(attended []float64, spread, largest float64) (*participationTable, error) {
	r := &participationTable{spread: spread, beyond: []float64{spread}}
	for end := spread; end < min(largest, furthest); {
		end = min(max(end+panelWidth, float64(panelRatio*end)), largest, furthest)
		r.beyond = append(r.beyond, end)
	}
	longest := attended[len(attended)-1]
	sizes := []float64{longest}
	if attended[0] < longest && longest > 2 {
		sizes = sizes[:0]
		for k := range mostSizes {
			sizes = append(sizes, 2*elementary.Exp(float64(k)/(mostSizes-1)*elementary.Log(longest/2)))
		}
	}
	count := int(math.Ceil(spread / panelWidth)) // no panels for S = 0
	for _, n := range sizes {
		r.logarithm = append(r.logarithm, elementary.Log(n))
		var panels []chebyshev.Polynomial
		add := func(first, width float64) error {
			panel, err := participationPanel(n, first, width)
			panels = append(panels, panel)
			return err
		}
		for p := range count {
			if err := add(float64(p), spread/float64(count)); err != nil {
				return nil, err
			}
		}
		for p, end := range r.beyond[1:] {
			width := end - r.beyond[p]
			if err := add(r.beyond[p]/width, width); err != nil {
				return nil, err
			}
		}
		r.panels = append(r.panels, panels)
	}
	return r, nil
}

// participationPanel interpolates the logarithm of the participation of rows of n tokens, for standard
// deviations of scores from first·width to (first+1)·width.
func participationPanel(n, first, width float64) (chebyshev.Polynomial, error) {
	nodes := chebyshev.Nodes()
	var values [chebyshev.Order]float64
	for k, x := range nodes {
		deviation := width * (first + float64(0.5*(1+x)))
		row, err := propagation.FiniteRow(n, deviation)
		if err != nil {
			return chebyshev.Polynomial{}, err
		}
		values[k] = elementary.Log(n * row.Y2)
	}
	return chebyshev.Interpolation(&values, &nodes), nil
}

// panelWidth is the greatest width, in the standard deviation s of scores, of a panel of the table up to
// spread. Beyond spread, panels have at least this width, and panelRatio is the ratio of the ends of the
// wider panels.
const panelWidth, panelRatio = 2, 1.5

// furthest is the end of the panels beyond spread. Statistics of rows of larger scores take long to compute,
// and are extrapolated.
const furthest = 12

func (r *participationTable) end() float64 { return r.beyond[len(r.beyond)-1] }

// largest returns the largest standard deviation of scores for which the table is made.
func (r *participationTable) largest() float64 {
	if end := r.end(); end < furthest {
		return end
	}
	return math.Inf(1)
}

// at returns the participation n E ΣA² of an attention row A of n tokens whose scores have the given standard
// deviation, which must not be above largest.
func (r *participationTable) at(n, deviation float64) float64 {
	if n < 2 || r.spread == 0 {
		return 1 // exact for n = 1; for n between 1 and 2 the weights are treated as equal
	}
	if end := r.end(); deviation > end && end >= furthest {
		return r.extrapolate(n, deviation)
	}
	k, logarithm := 0, elementary.Log(n)
	for k < len(r.logarithm)-2 && logarithm > r.logarithm[k+1] {
		k++
	}
	value := r.interpolate(k, deviation)
	if k+1 < len(r.logarithm) {
		share := (logarithm - r.logarithm[k]) / (r.logarithm[k+1] - r.logarithm[k])
		value += float64(share * (r.interpolate(k+1, deviation) - value))
	}
	return min(elementary.Exp(max(value, 0)), n)
}

// extrapolate returns the participation at a standard deviation s of scores beyond the table. 1 - E ΣA² is
// the mean share of all tokens but one. It is due to rows in which another score is within about 1 of the
// largest. Mostly it is one score, and the law of the difference of two scores is symmetric. The share is
// then a series of odd powers of 1/s, whose first two terms agree with the table.
func (r *participationTable) extrapolate(n, deviation float64) float64 {
	second := r.end()
	first := second / 1.5
	share := func(s float64) float64 { return float64(s * (1 - r.at(n, s)/n)) }
	slope := (share(first) - share(second)) / (1/float64(first*first) - 1/float64(second*second))
	limit := share(second) - slope/float64(second*second)
	return n - float64(n*(limit+slope/float64(deviation*deviation))/deviation)
}

func (r *participationTable) interpolate(size int, deviation float64) float64 {
	panels := r.panels[size]
	if deviation > r.spread && len(r.beyond) > 1 {
		p := 1
		for p < len(r.beyond)-1 && deviation > r.beyond[p] {
			p++
		}
		first, end := r.beyond[p-1], r.beyond[p]
		panel := &panels[len(panels)-len(r.beyond)+p]
		return panel.At(float64(2*(deviation-first)/(end-first)) - 1)
	}
	panels = panels[:len(panels)-len(r.beyond)+1]
	x := float64(deviation / r.spread * float64(len(panels)))
	p := min(int(x), len(panels)-1)
	return panels[p].At(float64(2*(x-float64(p))) - 1)
}
