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
	logarithm []float64 // log n of the rows, ascending
	panels    [][]chebyshev.Polynomial
	spread    float64
}

// mostSizes is the number of row lengths n for which the table is computed. For other n, log(n E ΣA²) is
// interpolated linearly in log n.
const mostSizes = 8

func newParticipationTable(attended []float64, spread float64) (*participationTable, error) {
	r := &participationTable{spread: spread}
	largest := attended[len(attended)-1]
	sizes := []float64{largest}
	if attended[0] < largest && largest > 2 {
		sizes = sizes[:0]
		for k := range mostSizes {
			sizes = append(sizes, 2*elementary.Exp(float64(k)/(mostSizes-1)*elementary.Log(largest/2)))
		}
	}
	nodes := chebyshev.Nodes()
	count := int(math.Ceil(spread / panelWidth)) // no panels for S = 0
	for _, n := range sizes {
		r.logarithm = append(r.logarithm, elementary.Log(n))
		panels := make([]chebyshev.Polynomial, count)
		for p := range panels {
			var values [chebyshev.Order]float64
			for k, x := range nodes {
				row, err := propagation.FiniteRow(n, spread/float64(count)*(float64(p)+float64(0.5*(1+x))))
				if err != nil {
					return nil, err
				}
				values[k] = elementary.Log(n * row.Y2)
			}
			panels[p] = chebyshev.Interpolation(&values, &nodes)
		}
		r.panels = append(r.panels, panels)
	}
	return r, nil
}

// panelWidth is the greatest width, in the standard deviation s of scores, of a panel of the table.
const panelWidth = 2

// at returns the participation n E ΣA² of an attention row A of n tokens whose scores have the given standard
// deviation.
func (r *participationTable) at(n, deviation float64) float64 {
	if n < 2 || r.spread == 0 {
		return 1 // exact for n = 1; for n between 1 and 2 the weights are treated as equal
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

func (r *participationTable) interpolate(size int, deviation float64) float64 {
	panels := r.panels[size]
	x := float64(deviation / r.spread * float64(len(panels)))
	p := min(int(x), len(panels)-1)
	return panels[p].At(float64(2*(x-float64(p))) - 1)
}
