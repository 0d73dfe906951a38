package kernels

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// Every law in lanes has the bits of the stream's at the lanes' addresses, for any
// number of rows and Vectors and first block, after lanes were moved and advanced.
func TestLanesHaveTheNumbersOfTheStream(t *testing.T) {
	type fills struct {
		name   string
		lanes  func(l *Lanes, dst []Vector, block uint32)
		scalar func(s Stream, dst []float64, trajectory, step int64)
		block  int // numbers in a block
	}
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(11, 1))
		for _, law := range []fills{
			{"normals", func(l *Lanes, dst []Vector, block uint32) { l.Normals(dst, 1.25, block) },
				func(s Stream, dst []float64, j, n int64) { s.Normals(dst, 1.25, Increments, j, n) }, 2},
			{"uniforms", func(l *Lanes, dst []Vector, block uint32) { l.Uniforms(dst, 1.7, block) },
				func(s Stream, dst []float64, j, n int64) { s.Uniforms(dst, 1.7, Increments, j, n) }, 2},
			{"truncated normals",
				func(l *Lanes, dst []Vector, block uint32) { l.TruncatedNormals(dst, 1.1, block) },
				func(s Stream, dst []float64, j, n int64) { s.TruncatedNormals(dst, 1.1, Increments, j, n) },
				2},
			{"signs", func(l *Lanes, dst []Vector, block uint32) { l.Signs(dst, 0.3, block) },
				func(s Stream, dst []float64, j, n int64) { s.Signs(dst, 0.3, Increments, j, n) }, 128},
		} {
			for round := range 200 {
				vectors, rows, block := 1+r.IntN(4), 1+r.IntN(20), r.IntN(3)
				if law.block == 128 {
					rows = 1 + r.IntN(300)
				}
				if round%4 == 0 { // which has a kernel of its own
					rows = 1
				}
				l, trajectories, steps := scattered(r, vectors)
				for lane := range steps {
					if r.IntN(3) == 0 {
						trajectories[lane], steps[lane] = 5, 6
						l.Set(lane, Increments, 5, 6)
					}
				}
				l.Advance()
				got, want := make([]Vector, vectors*rows), make([]Vector, vectors*rows)
				law.lanes(l, got, uint32(block))
				for lane := range steps {
					entries := make([]float64, block*law.block+rows)
					law.scalar(l.stream, entries, trajectories[lane], steps[lane]+1)
					for row := range rows {
						want[lane/8*rows+row][lane%8] = entries[block*law.block+row]
					}
				}
				sameBits(t, fmt.Sprintf("%s, %d rows of %d Vectors", law.name, rows, vectors), got, want)
			}
		}
	})
}

// Lanes at steps that follow each other are those that are moved one by one, over the end of the step's low
// word too.
func TestSetSteps(t *testing.T) {
	for _, step := range []int64{0, 7, 1<<32 - 5, 1<<32 + 3, MaxSteps - 16} {
		stream := NewStream(3, 4)
		got, want := NewLanes(stream, 2), NewLanes(stream, 2)
		got.SetSteps(Starts, MaxTrajectories-1, step)
		for k := range 16 {
			want.Set(k, Starts, MaxTrajectories-1, step+int64(k))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("step %d: addresses %v, want %v", step, got.addresses, want.addresses)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("steps beyond the last are not refused")
		}
	}()
	NewLanes(NewStream(3, 4), 2).SetSteps(Starts, 0, MaxSteps-15)
}

func BenchmarkLaws(b *testing.B) {
	const rows = 64
	l := NewLanes(NewStream(1, 1), 1)
	dst := make([]Vector, rows)
	for name, fill := range map[string]func(){
		"Normals":          func() { l.Normals(dst, 1, 0) },
		"Uniforms":         func() { l.Uniforms(dst, 1, 0) },
		"TruncatedNormals": func() { l.TruncatedNormals(dst, 1, 0) },
		"Signs":            func() { l.Signs(dst, 1, 0) },
	} {
		b.Run(name, func(b *testing.B) {
			benchmarkEach(b, func(b *testing.B) {
				for range b.N {
					l.Advance()
					fill()
				}
				perLane(b, 8*rows, "ns/number")
			})
		})
	}
}
