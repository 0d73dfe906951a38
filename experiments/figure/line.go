package figure

import "antipode/internal/lists"

// mostPoints is the greatest number of points of a line that a figure can resolve.
const mostPoints = 1000

// ShownRows returns the indices of those rows of a table through which a line is drawn. The first and the
// last row are among them.
func ShownRows(rows int) []int {
	if rows <= mostPoints {
		return lists.Of(rows, func(k int) int { return k })
	}
	return lists.Of(mostPoints, func(k int) int { return k * (rows - 1) / (mostPoints - 1) })
}
