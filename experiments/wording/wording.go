// Package wording has the phrases that the texts of several experiments share.
//
//	wording.Plural("row", "rows", 1) // row
package wording

import (
	"fmt"
	"math"
)

// OrNone is a number with four digits after the point, "none" for NaN.
func OrNone(x float64) string {
	if math.IsNaN(x) {
		return "none"
	}
	return fmt.Sprintf("%.4f", math.Round(x*1e4)/1e4+0) // no -0.0000
}

// TimeOrNone is a time with three digits, "none" for NaN.
func TimeOrNone(time float64) string {
	if math.IsNaN(time) {
		return "none"
	}
	return fmt.Sprintf("%.3g", time)
}

// Cells is a number of cells of a grid.
func Cells(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return fmt.Sprintf("%d cells", n)
}

// Plural is the form of a word that n asks for.
func Plural(one, many string, n int64) string {
	if n == 1 {
		return one
	}
	return many
}
