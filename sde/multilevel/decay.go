package multilevel

import (
	"fmt"
	"math"

	"antipode/sphere/elementary"
)

// Decay is the power of the depth with which a quantity falls: it is proportional to
// depth^-Order. Low and High are its interval at 95 % confidence. All are NaN if fewer
// than two depths tell it.
type Decay struct{ Order, Low, High float64 }

// String is the order with its interval, or "unknown".
func (d Decay) String() string {
	if math.IsNaN(d.Order) {
		return "unknown"
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", d.Order, d.Low, d.High)
}

// line is the regression of log₂ y on the level, weighted by the relative errors of y.
type line struct{ weight, level, log, square, product, logSquare, points float64 }

// add takes one point, y > 0.
func (l *line) add(level int, y, deviation float64) {
	const floor = 1e-3 // of the relative error: no law is a pure power
	relative := max(floor, deviation/y) / math.Ln2
	x, z, w := float64(level), elementary.Log(y)/math.Ln2, 1/float64(relative*relative)
	l.points++
	l.weight += w
	l.level += float64(w * x)
	l.log += float64(w * z)
	l.square += float64(float64(w*x) * x)
	l.product += float64(float64(w*x) * z)
	l.logSquare += float64(float64(w*z) * z)
}

// decay is the negative slope. Where the points lie off the line by more than their
// errors, its interval is as much wider.
func (l *line) decay() Decay {
	if l.points < 2 {
		return Decay{math.NaN(), math.NaN(), math.NaN()}
	}
	x, z := l.level/l.weight, l.log/l.weight
	spread := l.square - float64(l.weight*float64(x*x))
	slope := (l.product - float64(l.weight*float64(x*z))) / spread
	variance := 1 / spread
	if l.points > 2 {
		residual := l.logSquare - float64(l.weight*float64(z*z)) - float64(spread*float64(slope*slope))
		variance *= max(1, residual/(l.points-2))
	}
	half := float64(1.959963984540054 * math.Sqrt(variance))
	return Decay{-slope, -slope - half, -slope + half}
}
