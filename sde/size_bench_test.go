//go:build unix

package sde

import (
	"fmt"
	"math"
	"syscall"
	"testing"

	"antipode/sde/internal/fields"
	"antipode/sde/internal/lanes"
	"antipode/sphere/must"
)

// BenchmarkLargeTokens times a layer of one trajectory of the tokens of recursion (4), none of them merged,
// in the first unit of time from a uniform start, random numbers included, on one core.
func BenchmarkLargeTokens(b *testing.B) {
	for _, size := range [][2]int{{256, 8}, {4096, 8}, {64, 64}, {64, 256}, {128, 128}, {256, 64}, {2048, 64},
		{256, 256}, {512, 768}} {
		benchmarkSize(b, size[0], size[1])
	}
}

// BenchmarkSizes is BenchmarkLargeTokens along fine grids of N and of d, to be looked at for cliffs.
func BenchmarkSizes(b *testing.B) {
	grid := func(from, to float64) (sizes []int) {
		for size := from; size < to; size *= 1.12 {
			if s := int(math.Round(size)); len(sizes) == 0 || s > sizes[len(sizes)-1] {
				sizes = append(sizes, s)
			}
		}
		return sizes
	}
	for _, dim := range []int{4, 16, 64, 256} {
		for _, tokens := range grid(3, 6e4/float64(dim+8)) {
			benchmarkSize(b, tokens, dim)
		}
	}
	for _, tokens := range []int{4, 16, 64, 256} {
		for _, dim := range grid(2, 600) {
			benchmarkSize(b, tokens, dim)
		}
	}
}

// BenchmarkNumbers is BenchmarkLargeTokens along numbers of tokens up to a million, or as many as take a
// second, at the β of most other timings: to be looked at for steps where the work has none.
func BenchmarkNumbers(b *testing.B) {
	for _, of := range []struct {
		dim, most int
		beta      float64
	}{{2, 1e6, 5}, {3, 1e6, 5}, {4, 1e6, 3}, {8, 32768, 5}, {16, 32768, 5}, {64, 16384, 5}} {
		for n := 2.0; n <= float64(of.most); n *= math.Sqrt2 {
			benchmarkCell(b, int(math.Round(n)), of.dim, of.beta)
		}
		if of.most == 1e6 {
			benchmarkCell(b, of.most, of.dim, of.beta)
		}
	}
}

// BenchmarkSwitches is BenchmarkNumbers on both sides of each number of tokens at which another algorithm
// takes over, at several β: what is slower just before than just after, or the other way, has a threshold
// that is off.
func BenchmarkSwitches(b *testing.B) {
	for _, dim := range []int{2, 3, 4, 8, 16, 64} {
		for _, beta := range []float64{1, 3, 5, 10, 20} {
			for n := 4; n <= 20000; n++ { // three tokens are more work than two, which span less
				if algorithmOf(n, dim, beta) != algorithmOf(n-1, dim, beta) {
					benchmarkCell(b, n-1, dim, beta)
					benchmarkCell(b, n, dim, beta)
				}
			}
			if dim > fields.MostSeriesDimensions {
				break // the sum does not depend on β
			}
		}
	}
}

// algorithmOf returns a description of the algorithm of a cell that differs between algorithms.
func algorithmOf(tokens, dim int, beta float64) [3]bool {
	c := sizedCell(tokens, dim, beta)
	model := c.Model.recursion()
	return [3]bool{c.byMatrices(), c.SumsByHarmonics(), model.rank(tokens, dim) == dim}
}

func sizedCell(tokens, dim int, beta float64) Cell {
	return Cell{
		Model: Transformer{Sigma: 1}, Tokens: tokens, Dim: dim, Beta: beta, Depth: 100, Start: UniformStart{},
	}
}

// benchmarkSize reports the processor time of a layer of a trajectory: other processes do not count.
func benchmarkSize(b *testing.B, tokens, dim int) { benchmarkCell(b, tokens, dim, 4) }

func benchmarkCell(b *testing.B, tokens, dim int, beta float64) {
	b.Run(fmt.Sprintf("N=%d,d=%d,β=%g", tokens, dim, beta), func(b *testing.B) {
		c := sizedCell(tokens, dim, beta)
		width := 2 * lanes.PerVector
		if c.byMatrices() {
			width = 1
		}
		l, all := newLanes(c, 1, width, KeepApart, 1), make([]lanes.Lane, width)
		layers := 0
		start := processorTime(b)
		for b.Loop() {
			if layers%c.Depth == 0 { // whose time does not count
				before := processorTime(b)
				for k := range all {
					all[k] = lanes.Lane{Trajectory: int64(layers + k)}
					must.Do(b, l.Start(k, all[k].Trajectory))
				}
				start += processorTime(b) - before
			}
			l.Advance(all, 1)
			layers++
		}
		b.ReportMetric(float64(processorTime(b)-start)/float64(layers*width), "ns/layer")
		b.ReportMetric(0, "ns/op")
	})
}

func processorTime(b *testing.B) int64 {
	var usage syscall.Rusage
	must.Do(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}
