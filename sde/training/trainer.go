package training

import (
	"errors"
	"fmt"
	"math"
	"runtime"

	"antipode/internal/team"
	"antipode/sde/network"

	"gonum.org/v1/gonum/blas/blas64"
)

// Trainer trains a network on a task by a method. A Trainer is not safe for concurrent use.
type Trainer struct {
	transformer *network.Transformer
	task        Task
	method      Method
	team        *team.Team
	order       *order
	passes      []*pass
	examples    []Example // examples of a batch, or validation examples
	pieces      []piece
	gradient    []float64 // gradient of the loss of the next step with respect to all parameters
	moments     [2][]float64

	step int64 // number of steps taken
	next *outlook
}

// outlook holds the loss of the batches of the next step, and properties of the gradient of this loss.
type outlook struct {
	loss   float64 // loss; NaN if no class is asked for
	norm   float64 // norm of the gradient before clipping
	factor float64 // factor that clips the gradient
	failed bool    // whether the network has diverged
}

// ErrDiverged is returned if a loss or a gradient is not finite, or a loss exceeds the bound of the Method.
var ErrDiverged = errors.New("training: the network has diverged")

// NewTrainer returns a trainer for a network with the law n, which is adapted to the task by Task.Fit. The
// seed determines the random initial weights, which are those of network 0 of the seed, and the order of
// examples. The number of goroutines is workers; 0 stands for one per processor. The trained weights do not
// depend on the number of goroutines. NewTrainer returns an error if the method or the network is not valid.
func NewTrainer(n network.Network, task Task, m Method, seed uint64, workers int) (*Trainer, error) {
	if err := m.Validate(task); err != nil {
		return nil, err
	}
	transformer, err := network.New(task.Fit(n), seed, 0)
	if err != nil {
		return nil, err
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	t := &Trainer{
		transformer: transformer, task: task, method: m, team: team.New(workers),
		order: newOrder(seed, task.Examples(Train)), pieces: learned(transformer, m),
		gradient: make([]float64, transformer.Size()), examples: make([]Example, max(m.Batch, m.Validation)),
	}
	for k := range m.Optimiser.Rule.moments() {
		t.moments[k] = make([]float64, transformer.Size())
	}
	t.makePasses(seed, workers)
	return t, nil
}

// makePasses creates one pass, a workspace for groups of sequences, for each worker. If there are fewer
// groups than workers, makePasses creates one pass for each group, and the workers are distributed over the
// passes.
func (t *Trainer) makePasses(seed uint64, workers int) {
	n := t.transformer.Network
	size := groupSize(t.method.Batch, n.Tokens)
	count := min(workers, (t.method.Batch+size-1)/size)
	outputs := n.Outputs
	if outputs == 0 {
		outputs = n.Dim
	}
	batch := network.Batch{Sequences: size, Workers: max(1, workers/count), Gradients: true,
		Dropout: t.method.Dropout, FixedStrengths: t.method.Strengths == NoStrengths}
	for range count {
		t.passes = append(t.passes, &pass{
			workspace: t.transformer.Workspace(batch),
			sequences: make([]network.Sequence, size), seed: seed, numbers: make([]int64, size),
			criterion: newCriterion(t.task.Loss(), t.method.Smoothing, outputs),
			plain:     newCriterion(t.task.Loss(), 0, outputs),
			ranks:     newRanks(min(n.Tokens, n.Dim)),
		})
		if rows := size * n.Tokens; n.Outputs == 0 {
			t.passes[len(t.passes)-1].outputs = blas64.General{Rows: rows, Cols: n.Dim, Stride: n.Dim,
				Data: make([]float64, rows*n.Dim)}
		}
	}
}

// Transformer returns the trained network, whose weights change with each step.
func (t *Trainer) Transformer() *network.Transformer { return t.transformer }

// Step returns the number of steps that the trainer has taken.
func (t *Trainer) Step() int64 { return t.step }

// Next takes a step of training. If the loss or its gradient shows divergence, Next returns ErrDiverged and
// changes no weights.
func (t *Trainer) Next() error {
	t.look()
	if t.next.failed {
		return ErrDiverged
	}
	rate := t.method.Schedule.At(t.step, t.method.Steps)
	s := t.method.Optimiser.at(t.step+1, rate, t.next.factor)
	t.team.Each(len(t.pieces), func(k int) {
		p := &t.pieces[k]
		var moments [2][]float64
		for i := range s.Rule.moments() {
			moments[i] = t.moments[i][p.from:p.to]
		}
		s.move(p.weights, t.gradient[p.from:p.to], moments[0], moments[1], p.decay)
	})
	t.step++
	t.next = nil
	return nil
}

// look computes the loss and the gradient of the next step, unless they are known.
func (t *Trainer) look() {
	if t.next != nil {
		return
	}
	clear(t.gradient)
	loss, asked := 0.0, 0.0
	for k := range t.method.Accumulate {
		s := t.addBatch(t.step*int64(t.method.Accumulate) + int64(k))
		if s.count > 0 {
			loss += s.loss / s.count
			asked++
		}
	}
	o := &outlook{loss: loss / asked, norm: t.norm(), factor: 1}
	if clip := t.method.Clip; clip > 0 && o.norm > clip {
		o.factor = clip / o.norm
	}
	o.failed = !(o.norm <= math.MaxFloat64) || asked > 0 && !(o.loss <= t.method.Bound)
	t.next = o
}

// addBatch adds the gradient of the loss of a batch to the gradient of the step. Training batches are
// numbered from 0.
func (t *Trainer) addBatch(number int64) (total sums) {
	m := t.method
	first := number * int64(m.Batch) // position of the first example in the training data
	examples := t.read(Train, m.Batch, func(k int) int64 { return t.order.at(first + int64(k)) })
	terms := 0.0
	for k := range examples {
		terms += examples[k].terms(t.task.Loss())
	}
	if terms == 0 {
		return sums{}
	}
	factor := 1 / (terms * float64(m.Accumulate))
	t.inGroups(examples, func(p *pass, group []Example, at int) { p.learn(group, first+int64(at), factor) },
		func(passes []*pass) {
			for _, p := range passes {
				total.add(p.sums)
			}
			t.team.Each(len(t.pieces), func(k int) {
				from, to := t.pieces[k].from, t.pieces[k].to
				for _, p := range passes {
					add(t.gradient[from:to], p.workspace.Gradient[from:to])
				}
			})
		})
	return total
}

// add adds the numbers x to the numbers y.
func add(y, x []float64) {
	x = x[:len(y)]
	for k := range y {
		y[k] += x[k]
	}
}

// read returns the examples of a split with the given numbers.
func (t *Trainer) read(split Split, count int, number func(k int) int64) []Example {
	numbers := make([]int64, count)
	for k := range numbers {
		numbers[k] = number(k)
	}
	t.team.Each(count, func(k int) { t.task.Example(split, numbers[k], &t.examples[k]) })
	return t.examples[:count]
}

// inGroups divides examples into groups, and takes as many groups at a time as there are passes. For each of
// the groups, inGroups calls work concurrently, with a pass and the index of the first example of the group.
// Then inGroups calls collect with the passes, in the order of their groups.
func (t *Trainer) inGroups(
	examples []Example, work func(p *pass, group []Example, first int), collect func(passes []*pass),
) {
	size, scores := len(t.passes[0].sequences), t.method.scores(t.step)
	for _, p := range t.passes {
		p.workspace.ScaleScores(scores)
	}
	for first := 0; first < len(examples); first += size * len(t.passes) {
		left := (len(examples) - first + size - 1) / size
		passes := t.passes[:min(left, len(t.passes))]
		t.team.Each(len(passes), func(k int) {
			from := first + k*size
			work(passes[k], examples[from:min(from+size, len(examples))], from)
		})
		collect(passes)
	}
}

// norm returns the norm of the gradient with respect to the learned parameters.
func (t *Trainer) norm() float64 {
	parts := make([]float64, len(t.pieces))
	t.team.Each(len(parts), func(k int) { parts[k] = squares(t.gradient[t.pieces[k].from:t.pieces[k].to]) })
	total := 0.0
	for _, part := range parts {
		total += part
	}
	return math.Sqrt(total)
}

// State is the state of a Trainer. The future of the Trainer depends only on this state and the arguments of
// NewTrainer.
type State struct {
	Step          int64
	Weights       []float64 // weights of all parameters, in the order of the parameters
	First, Second []float64 // moments of all parameters; empty if the rule has no such moments
}

// State returns a copy of the current state of the trainer.
func (t *Trainer) State() State {
	s := State{Step: t.step, Weights: make([]float64, t.transformer.Size())}
	for _, p := range t.transformer.Parameters {
		copy(p.Of(s.Weights), p.Value)
	}
	s.First, s.Second = append(s.First, t.moments[0]...), append(s.Second, t.moments[1]...)
	return s
}

// Restore sets the current state of the trainer to s. If s does not fit the network or the method, because it
// has other numbers of weights or moments or more steps, Restore returns an error and changes nothing.
func (t *Trainer) Restore(s State) error {
	if len(s.Weights) != t.transformer.Size() || len(s.First) != len(t.moments[0]) ||
		len(s.Second) != len(t.moments[1]) || s.Step < 0 || s.Step > t.method.Steps {
		return fmt.Errorf("training: a state of %d weights, %d and %d moments after %d steps",
			len(s.Weights), len(s.First), len(s.Second), s.Step)
	}
	for _, p := range t.transformer.Parameters {
		copy(p.Value, p.Of(s.Weights))
	}
	copy(t.moments[0], s.First)
	copy(t.moments[1], s.Second)
	t.step, t.next = s.Step, nil
	return nil
}
