// Package wording provides words and sentences that the reports of several experiments share.
//
//	wording.Count(1, "row") // 1 row
package wording

import (
	"fmt"
	"math"
	"strings"
)

// OrNone returns a number with four digits after the decimal point, or "none" for NaN.
func OrNone(x float64) string {
	if math.IsNaN(x) {
		return "none"
	}
	return fmt.Sprintf("%.4f", math.Round(x*1e4)/1e4+0) // avoids -0.0000
}

// TimeOrNone returns a time with three digits, or "none" for NaN.
func TimeOrNone(time float64) string { return Or(time, "%.3g", "none") }

// Or returns the number x in a format of package fmt, or the text otherwise if x is NaN.
func Or(x float64, format, otherwise string) string {
	if math.IsNaN(x) {
		return otherwise
	}
	return fmt.Sprintf(format, x)
}

// Count returns the number n with a noun in the singular or plural. The plural ends in -s, or in -ies instead
// of -y: 1 cell, 2 cells, 3 long trajectories.
func Count[N int | int32 | int64](n N, one string) string {
	many := one + "s"
	if stem, isY := strings.CutSuffix(one, "y"); isY {
		many = stem + "ies"
	}
	return fmt.Sprintf("%d %s", n, Agree(n, one, many))
}

// Bytes states a number of bytes in the largest unit, up to TB, that is not larger than this number.
func Bytes(n float64) string {
	for _, unit := range []struct {
		name  string
		bytes float64
	}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= unit.bytes {
			return fmt.Sprintf("%.3g %s", n/unit.bytes, unit.name)
		}
	}
	return fmt.Sprintf("%.0f bytes", n)
}

// Agree returns the form of a word that agrees with the number n: one if n is 1, and otherwise many.
func Agree[N int | int32 | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
