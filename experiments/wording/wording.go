// Package wording has the phrases that the texts of several experiments share.
//
//	wording.Count(1, "row") // 1 row
package wording

import (
	"fmt"
	"math"
	"strings"
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

// Count is a number of things, whose name ends with a noun that takes -s, or -ies in place of -y: 1 cell,
// 2 cells, 3 long trajectories.
func Count[N int | int32 | int64](n N, one string) string {
	many := one + "s"
	if stem, isY := strings.CutSuffix(one, "y"); isY {
		many = stem + "ies"
	}
	return fmt.Sprintf("%d %s", n, Agree(n, one, many))
}

// Bytes gives an amount in the largest unit of which there is at least one.
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

// Agree is the form of a word that n asks for.
func Agree[N int | int32 | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
