package figure

import (
	"slices"

	"antipode/internal/lists"
)

// Distinct returns the different values of a list in ascending order.
func Distinct[T int32 | float64](values []T) []float64 {
	out := lists.Map(values, func(v T) float64 { return float64(v) })
	slices.Sort(out)
	return slices.Compact(out)
}

// DistinctOf returns the different values of a function of rows in ascending order.
func DistinctOf[Row any](rows []Row, value func(Row) float64) []float64 {
	out := lists.Map(rows, value)
	slices.Sort(out)
	return slices.Compact(out)
}

// Spread returns at most n of the values, evenly chosen and with the first and the last value.
func Spread[T any](values []T, n int) []T {
	if len(values) <= n {
		return values
	}
	return lists.Of(n, func(k int) T { return values[k*(len(values)-1)/(n-1)] })
}

// Cells are the intervals around the values of an ascending grid, for tiles of a plot. The intervals are cut
// off at the bounds of the possible values, so that for example no cell has negative temperatures.
type Cells struct {
	Grid      []float64
	Low, High float64 // bounds of the possible values; infinite if none
}

// Edges returns the edges of the cell of a grid value: the midpoints between the value and its neighbours.
// The cell at an end of the grid is symmetric about its value, as far as the bounds allow. If this value is
// at a bound, the cell is as wide as the neighbouring cell. A grid of a single value has a cell of width ½ on
// each side.
func (c Cells) Edges(value float64) (low, high float64) {
	k, _ := slices.BinarySearch(c.Grid, value)
	const alone = 0.5
	below, above := alone, alone
	if k > 0 {
		below = (value - c.Grid[k-1]) / 2
		above = below
	}
	if k+1 < len(c.Grid) {
		above = (c.Grid[k+1] - value) / 2
		if k == 0 {
			below = above
		}
	}
	low, high = value-below, value+above
	if value > c.Low {
		low = max(low, c.Low)
	}
	if value < c.High {
		high = min(high, c.High)
	}
	return low, high
}

// Ends returns the lower edge of the first cell and the upper edge of the last cell.
func (c Cells) Ends() (low, high float64) {
	low, _ = c.Edges(c.Grid[0])
	_, high = c.Edges(c.Grid[len(c.Grid)-1])
	return low, high
}
