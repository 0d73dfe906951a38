package figure

import "slices"

// Distinct returns the different values in ascending order.
func Distinct[T int32 | float64](values []T) []float64 {
	var out []float64
	for _, v := range values {
		out = append(out, float64(v))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Spread returns at most n of the values, evenly chosen with both ends.
func Spread(values []float64, n int) []float64 {
	if len(values) <= n {
		return values
	}
	out := make([]float64, n)
	for k := range out {
		out[k] = values[k*(len(values)-1)/(n-1)]
	}
	return out
}

// CellEdges returns the middles between a value of an ascending grid and its
// neighbours; at the ends a cell is as wide on both sides.
func CellEdges(grid []float64, value float64) (low, high float64) {
	k, _ := slices.BinarySearch(grid, value)
	const alone = 0.5
	below, above := alone, alone
	if k > 0 {
		below = (value - grid[k-1]) / 2
		above = below
	}
	if k+1 < len(grid) {
		above = (grid[k+1] - value) / 2
		if k == 0 {
			below = above
		}
	}
	return value - below, value + above
}
