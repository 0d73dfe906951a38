package figure

// mostPoints is the number of points of a line that a figure can show.
const mostPoints = 1000

// ShownRows are the rows that a line through a number of rows shows, with both ends.
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
