package sde

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/lanes"
)

// BenchmarkLarge is a layer of one trajectory of the tokens of recursion (4), none of them merged,
// from a uniform start, random numbers included.
func BenchmarkLarge(b *testing.B) {
	for _, size := range [][2]int{{256, 8}, {64, 64}, {64, 256}, {128, 128}, {256, 64}, {256, 256}, {512, 768}} {
		c := Cell{Model: Transformer{Sigma: 1}, Tokens: size[0], Dim: size[1], Start: UniformStart{}}
		c.Beta, c.Depth = 4, 100
		for _, set := range kernels.Available()[1:] {
			b.Run(fmt.Sprintf("N=%d,d=%d/%s", c.Tokens, c.Dim, set), func(b *testing.B) {
				before := kernels.Active()
				kernels.Select(set)
				defer kernels.Select(before)
				l, all := newLanes(c, 1, 1, false, 1), make([]lanes.Lane, 1)
				if err := l.Start(0, 0); err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				b.ResetTimer()
				runtime.LockOSThread()
				var from, to syscall.Rusage
				syscall.Getrusage(1, &from)
				l.Advance(all, int64(b.N))
				syscall.Getrusage(1, &to)
				runtime.UnlockOSThread()
				b.ReportMetric(float64(to.Utime.Nano()-from.Utime.Nano()+to.Stime.Nano()-from.Stime.Nano())/1e3/float64(b.N), "cpu-µs/layer")
				if all[0].Err != nil {
					b.Fatal(all[0].Err)
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "µs/layer")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
