// Package rowwise applies an operation of a network, such as softmax or LayerNorm, to each row of a matrix.
// The matrices of package rowwise are row-major without gaps. All instruction sets give the same bits, as a
// sum over a row is always taken in the same order. Four sums a, b, c and d run over every fourth number of
// the row, beginning with the first, second, third and fourth number. Numbers left over after the last
// complete four are added to a. The sum of the row is (a+b)+(c+d).
package rowwise

import (
	"math"

	"antipode/internal/instructionset"
	"antipode/sde/internal/kernels"
)

// instructions are the operations on rows in one instruction set.
type instructions struct {
	mix                   func(dst []float64, a float64, x []float64, b float64, y []float64)
	lessLargest, overSums func(x []float64, rows, columns int) // subtract the maximum; divide by the sum
	normalise             func(out, y, x, factors []float64, columns int, centred bool, epsilon float64,
		gain, bias []float64)
	normaliseBackward func(dy, y, factors []float64, columns int, centred bool,
		gain, gainGradient, biasGradient []float64)
}

// generic are the operations on rows in Go, for every machine.
var generic = instructions{
	mix: mixGeneric, lessLargest: lessLargestGeneric, overSums: overSumsGeneric,
	normalise: normaliseGeneric, normaliseBackward: normaliseBackwardGeneric,
}

// active returns the operations on rows in the instruction set in use, or in the highest instruction set in
// which this package has them if this set is lower.
func active() *instructions { return &sets[min(instructionset.Level(), len(sets)-1)] }

// quads reports whether the number of columns is a positive multiple of four, as the vector instructions for
// rows require.
func quads(columns int) bool { return columns > 0 && columns%4 == 0 }

// Mix sets dst to a·x + b·y, where b·y is rounded, and a·x is fused with the addition. The slice dst may be x
// or y.
func Mix(dst []float64, a float64, x []float64, b float64, y []float64) {
	active().mix(dst, a, x[:len(dst)], b, y[:len(dst)])
}

// Softmax replaces each row of scores by the softmax of the row: the numerators that
// kernels.SoftmaxNumerators computes, times the inverse of their sum.
func Softmax(scores []float64, rows, columns int) {
	scores = scores[:rows*columns]
	less, over := lessLargestGeneric, overSumsGeneric
	if quads(columns) {
		less, over = active().lessLargest, active().overSums
	}
	less(scores, rows, columns)
	kernels.Exponentials(scores, 1)
	over(scores, rows, columns)
}

// Norm normalises rows x by LayerNorm if Centred is set, and otherwise by RMSNorm. For LayerNorm, y = (x -
// mean)·f; for RMSNorm, y = x·f. The factor f is 1/√(mean square + ε), with the mean square of x - mean or of
// x. If each column has a gain and a bias, the output is out = gain·y + bias.
type Norm struct {
	Columns    int
	Centred    bool
	Epsilon    float64
	Gain, Bias []float64
}

// Forward writes the normalised rows y, the factor f of each row and, with gains, the output out; see Norm.
// The matrix x has as many rows as factors has entries.
func (n *Norm) Forward(out, y, x, factors []float64) {
	count := n.Columns * len(factors)
	out, y, x = out[:count], y[:count], x[:count]
	f := normaliseGeneric
	if quads(n.Columns) {
		f = active().normalise
	}
	f(out, y, x, factors, n.Columns, n.Centred, n.Epsilon, n.Gain, n.Bias)
}

// Backward is the backward pass through the normalisation of rows. On entry dy holds the derivatives of a
// function with respect to out (to y if there are no gains). Backward replaces dy by the derivatives with
// respect to x, which without gains are f·(dy - mean(dy) - y·mean(y dy)); mean(dy) is subtracted only if
// Centred is set. The derivatives with respect to gains and biases are added to byGain and byBias.
func (n *Norm) Backward(dy, y, factors, byGain, byBias []float64) {
	count := n.Columns * len(factors)
	dy, y = dy[:count], y[:count]
	byGain, byBias = byGain[:len(n.Gain)], byBias[:len(n.Gain)]
	f := normaliseBackwardGeneric
	if quads(n.Columns) {
		f = active().normaliseBackward
	}
	f(dy, y, factors, n.Columns, n.Centred, n.Gain, byGain, byBias)
}

func mixGeneric(dst []float64, a float64, x []float64, b float64, y []float64) {
	for k := range dst {
		dst[k] = math.FMA(a, x[k], float64(b*y[k]))
	}
}

func lessLargestGeneric(x []float64, rows, columns int) {
	for t := range rows {
		row := x[t*columns:][:columns]
		largest := kernels.Largest(row)
		for k := range row {
			row[k] -= largest
		}
	}
}

func overSumsGeneric(x []float64, rows, columns int) {
	for t := range rows {
		row := x[t*columns:][:columns]
		factor := 1 / Sum(row)
		for k := range row {
			row[k] *= factor
		}
	}
}

func normaliseGeneric(
	out, y, x, factors []float64, columns int, centred bool, epsilon float64, gain, bias []float64,
) {
	for t := range factors {
		x, y, out := x[t*columns:][:columns], y[t*columns:][:columns], out[t*columns:][:columns]
		mean := 0.0
		if centred {
			mean = Sum(x) / float64(columns)
		}
		for k, v := range x {
			y[k] = v - mean
		}
		factor := 1 / math.Sqrt(Dot(y, y)/float64(columns)+epsilon)
		factors[t] = factor
		for k := range y {
			y[k] *= factor
		}
		for k, g := range gain {
			out[k] = math.FMA(y[k], g, bias[k])
		}
	}
}

func normaliseBackwardGeneric(
	dy, y, factors []float64, columns int, centred bool, gain, byGain, byBias []float64,
) {
	for t, factor := range factors {
		dy, y := dy[t*columns:][:columns], y[t*columns:][:columns]
		for k, g := range gain {
			byBias[k] += dy[k]
			byGain[k] = math.FMA(dy[k], y[k], byGain[k])
			dy[k] *= g
		}
		along, mean := Dot(y, dy)/float64(columns), 0.0
		if centred {
			mean = Sum(dy) / float64(columns)
		}
		for k, v := range dy {
			dy[k] = factor * (math.FMA(-along, y[k], v) - mean)
		}
	}
}

// Dot returns the inner product of two rows, computed by four sums as the package comment describes.
func Dot(x, y []float64) float64 {
	y = y[:len(x)]
	var a, b, c, d float64
	k := 0
	for ; k+3 < len(x); k += 4 {
		a = math.FMA(x[k], y[k], a)
		b = math.FMA(x[k+1], y[k+1], b)
		c = math.FMA(x[k+2], y[k+2], c)
		d = math.FMA(x[k+3], y[k+3], d)
	}
	for ; k < len(x); k++ {
		a = math.FMA(x[k], y[k], a)
	}
	return (a + b) + (c + d)
}

// Sum returns the sum of a row, computed by four sums as the package comment describes.
func Sum(x []float64) float64 {
	var a, b, c, d float64
	k := 0
	for ; k+3 < len(x); k += 4 {
		a += x[k]
		b += x[k+1]
		c += x[k+2]
		d += x[k+3]
	}
	for ; k < len(x); k++ {
		a += x[k]
	}
	return (a + b) + (c + d)
}
