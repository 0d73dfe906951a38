package tasks

import (
	"math"
	"sync"

	"antipode/sde/network"
	"antipode/sde/training"
)

// blindOf returns the loss of a predictor that sees no example, or NaN if this loss is not known.
func blindOf(task training.Task) float64 {
	if t, ok := task.(interface{ Blind() float64 }); ok {
		return t.Blind()
	}
	return math.NaN()
}

// first is a task restricted to its first training examples.
type first struct {
	training.Task
	count int64
}

// First returns the task with only its first count ≥ 1 training examples, which a network can memorise. The
// validation examples, and therefore Best, are those of the given task.
func First(task training.Task, count int64) training.Task { return first{task, count} }

// Examples implements training.Task.
func (f first) Examples(split training.Split) int64 {
	if all := f.Task.Examples(split); split != training.Train || all > 0 && all < f.count {
		return all
	}
	return f.count
}

// Blind returns the loss of a predictor that sees no example.
func (f first) Blind() float64 { return blindOf(f.Task) }

// recut is a task on images that are cut into patches of another size.
type recut struct {
	training.Task
	side    int
	scratch sync.Pool
}

// Recut returns the given task on images of this package, with the images cut into patches whose side has the
// given number of pixels, which must divide Side.
func Recut(task training.Task, side int) training.Task {
	if side == PatchSide {
		return task
	}
	r := &recut{Task: task, side: side}
	r.scratch.New = func() any { return new([Numbers]float64) }
	return r
}

// Fit implements training.Task.
func (r *recut) Fit(n network.Network) network.Network {
	n = r.Task.Fit(n)
	n.Tokens, n.Embedding.Features = 1+r.patches(), r.features()
	return n
}

func (r *recut) patches() int  { return (Side / r.side) * (Side / r.side) }
func (r *recut) features() int { return Colours * r.side * r.side }

// Example implements training.Task.
func (r *recut) Example(split training.Split, index int64, into *training.Example) {
	r.Task.Example(split, index, into)
	class := into.Classes[0]
	image := r.scratch.Get().(*[Numbers]float64)
	defer r.scratch.Put(image)
	copy(image[:], into.Sequence.Vectors.Data)
	data := into.Sequence.Vectors.Data
	scale := math.Sqrt(features / float64(r.features()))
	for colour := range Colours {
		for line := range Side {
			for column := range Side {
				to := placeOf(r.side, colour, line, column)
				data[to] = scale * image[patchFeature(colour, line, column)]
			}
		}
	}
	v := &into.Sequence.Vectors
	v.Rows, v.Cols, v.Stride = r.patches(), r.features(), r.features()
	into.Classes = askFirst(into.Classes, 1+r.patches(), class)
}

// Blind returns the loss of a predictor that sees no example.
func (r *recut) Blind() float64 { return blindOf(r.Task) }
