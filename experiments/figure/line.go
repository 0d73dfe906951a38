package figure

// mostPoints is the greatest number of points of a line that a figure can resolve.
const mostPoints = 1000

// ShownRows returns the indices of the rows through which a line is drawn, including both ends.
func ShownRows(rows int) []int {
	if rows <= mostPoints {
		shown := make([]int, rows)
		for k := range shown {
			shown[k] = k
		}
		return shown
	}
	shown := make([]int, mostPoints)
	for k := range shown {
		shown[k] = k * (rows - 1) / (mostPoints - 1)
	}
	return shown
}
