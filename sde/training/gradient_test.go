package training

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sde/network"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/blas/blas64"
)

// drawn is a task with examples from math/rand: tokens are vectors, and an example asks for some classes,
// or for values. If shared is set, training and validation examples are the same.
type drawn struct {
	loss            Loss
	tokens, classes int
	features        int
	count           int64
	asked           float64 // fraction of tokens whose class is asked for
	right           func(r *rand.Rand, x []float64) (class int, values []float64)
	shared          bool
}

func (d drawn) Fit(n network.Network) network.Network {
	n.Tokens, n.Outputs, n.Input = d.tokens, d.classes, network.Embedded
	n.Embedding = network.Embedding{Features: d.features, Positions: network.LearnedPositions, Variance: 0.5}
	return n
}

func (d drawn) Loss() Loss                         { return d.loss }
func (d drawn) Examples(Split) int64               { return d.count }
func (d drawn) Best(bool) (loss, accuracy float64) { return math.NaN(), math.NaN() }
func (d drawn) Example(split Split, index int64, into *Example) {
	if d.shared {
		split = Train
	}
	r := rand.New(rand.NewPCG(uint64(split)+7, uint64(index)))
	numbers := make([]float64, d.tokens*d.features)
	x := blas64.General{Rows: d.tokens, Cols: d.features, Stride: d.features, Data: numbers}
	for k := range x.Data {
		x.Data[k] = r.NormFloat64()
	}
	into.Sequence.Vectors = x
	into.Classes = nil
	into.Values = blas64.General{}
	for t := range d.tokens {
		class, values := d.right(r, x.Data[t*d.features:][:d.features])
		if d.loss == MeanSquare {
			into.Values.Rows, into.Values.Cols, into.Values.Stride = d.tokens, len(values), len(values)
			into.Values.Data = append(into.Values.Data, values...)
			continue
		}
		if r.Float64() >= d.asked {
			class = NotAsked
		}
		into.Classes = append(into.Classes, class)
	}
}

// someTask returns a task whose examples ask for random tokens.
func someTask(loss Loss) drawn {
	return drawn{loss: loss, tokens: 4, classes: 5, features: 3, count: 20, asked: 0.6,
		right: func(r *rand.Rand, x []float64) (int, []float64) {
			return r.IntN(5), []float64{x[0], x[1] * x[2], 1, -x[0], r.NormFloat64()}
		}}
}

// someNetwork returns a network without kinks, all of whose parameters differ.
func someNetwork(norm network.Placement) network.Network {
	return network.Network{
		Dim: 6, Layers: 2, Heads: 2, Norm: norm, AlphaSA: 0.8, AlphaMLP: 0.9, BranchSA: 0.7, BranchMLP: 0.6,
		Width: 5, LayerNorm: network.LayerNorm{Centred: true, Affine: true, Epsilon: 1e-3},
		Projection: true, Biases: true, QueryKey2: 1.3, Value2: 0.8, Projection2: 0.7, Hidden2: 0.9,
		Output2: 0.5, Bias2: 0.1, Activation: network.GELU, FinalNorm: true,
	}
}

// someMethod returns a method with everything that affects a gradient.
func someMethod() Method {
	return Method{
		Optimiser: Optimiser{Rule: Adam, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8},
		Schedule:  Schedule{Rate: 0.01}, Steps: 100, Batch: 6, Accumulate: 2, Smoothing: 0.15, Bound: 1e6,
		Dropout:   network.Dropout{Embedding: 0.1, Attention: 0.2, Branch: 0.3},
		Strengths: AllStrengths, Validation: 7,
	}
}

func newTrainer(t *testing.T, n network.Network, task Task, m Method, seed uint64, workers int) *Trainer {
	t.Helper()
	trainer := must.Get(NewTrainer(n, task, m, seed, workers))(t)
	return trainer
}

// The gradient of a step agrees with the loss of a Record, differentiated by central differences of
// fourth order. Checked for both losses, with and without label smoothing, masks and dropout, for every
// parameter and every kind of block.
func TestGradientOfAStep(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSameBits has the same goroutines")
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, loss := range []Loss{CrossEntropy, MeanSquare} {
		for norm := range network.Placement(len(network.PlacementNames)) {
			n, task := someNetwork(norm), someTask(loss)
			// For outputs that are the tokens themselves, after a LayerNorm that keeps no other copy.
			if loss == MeanSquare && norm%2 == 0 {
				n.LayerNorm.Affine, n.FinalNorm, n.Dim, n.Heads, task.classes = false, false, 5, 1, 0
			}
			trainer := newTrainer(t, n, task, someMethod(), 4, 2)
			for range 3 {
				must.Do(t, trainer.Next())
			}
			trainer.look()
			gradient := slices.Clone(trainer.gradient)
			value := func() float64 {
				trainer.next = nil
				trainer.look()
				return trainer.next.loss
			}
			square := 0.0
			for _, g := range gradient {
				square += g * g
			}
			if want := math.Sqrt(square); !(math.Abs(trainer.next.norm/want-1) <= 1e-12) {
				t.Errorf("norm %v, want %v", trainer.next.norm, want)
			}
			for _, p := range trainer.transformer.Parameters {
				k := r.IntN(len(p.Value))
				before, h := p.Value[k], 3e-4
				at := func(shift float64) float64 { p.Value[k] = before + shift; return value() }
				want := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
				p.Value[k] = before
				if got := p.Of(gradient)[k]; !(math.Abs(got-want) <= 1e-8) {
					t.Errorf("loss %v, %v: derivative by %s is %v, by differences %v",
						loss, norm, p.Name, got, want)
				}
			}
		}
	}
}

// Losses agree with their definitions in simple loops. The loss of a batch is a mean over what its
// examples ask for, with the dropout of their positions, and that of a step a mean over batches. Validation
// uses neither label smoothing nor dropout. Classes may be many more than the coordinates of a token, or,
// without outputs, be these coordinates.
func TestLosses(t *testing.T) {
	for _, c := range []struct {
		loss    Loss
		outputs int
	}{{CrossEntropy, 5}, {MeanSquare, 5}, {CrossEntropy, 20}, {CrossEntropy, 0}} {
		loss := c.loss
		n, task, m := someNetwork(network.PreNorm), someTask(loss), someMethod()
		task.classes = c.outputs
		const seed = 4
		trainer := newTrainer(t, n, task, m, seed, 1)
		w := trainer.transformer.Workspace(network.Batch{Dropout: m.Dropout})
		total := func(e *Example, smoothing float64) (sum, count, right float64) {
			out := w.Forward(e.Sequence)
			for token := range out.Rows {
				y := out.Data[token*out.Cols:][:out.Cols]
				if loss == MeanSquare {
					for k, v := range y {
						sum += 0.5 * math.Pow(v-e.Values.Data[token*out.Cols+k], 2)
						count++
					}
					continue
				}
				if e.Classes[token] == NotAsked {
					continue
				}
				norm := 0.0
				for _, v := range y {
					norm += math.Exp(v)
				}
				for k, v := range y {
					q := smoothing / float64(len(y))
					if k == e.Classes[token] {
						q += 1 - smoothing
					}
					sum -= q * (v - math.Log(norm))
				}
				count++
				if slices.Max(y) == y[e.Classes[token]] {
					right++
				}
			}
			return sum, count, right
		}
		var e Example
		want := 0.0
		for batch := range 2 {
			sum, count := 0.0, 0.0
			for k := range m.Batch {
				position := int64(batch*m.Batch + k)
				task.Example(Train, trainer.order.at(position), &e)
				w.Drop(seed, position)
				s, c, _ := total(&e, m.Smoothing)
				sum, count = sum+s, count+c
			}
			want += sum / count / 2
		}
		record := trainer.Record()
		if !(math.Abs(record.Loss-want) <= 1e-12) {
			t.Errorf("%+v: loss %v, want %v", c, record.Loss, want)
		}
		w.Drop(seed)
		sum, count, right := 0.0, 0.0, 0.0
		for k := range m.Validation {
			task.Example(Validation, int64(k), &e)
			s, c, q := total(&e, 0)
			sum, count, right = sum+s, count+c, right+q
		}
		if !(math.Abs(record.ValidationLoss-sum/count) <= 1e-12) {
			t.Errorf("%+v: loss of the validation %v, want %v", c, record.ValidationLoss, sum/count)
		}
		if loss == CrossEntropy && record.Accuracy != right/count ||
			loss == MeanSquare && !math.IsNaN(record.Accuracy) {
			t.Errorf("accuracy %v, want %v", record.Accuracy, right/count)
		}
	}
}

// A batch of four sequences is equivalent to four batches of one sequence: each sequence has its own
// dropout, different from the others.
func TestBatchesAreTheirSequences(t *testing.T) {
	task := someTask(CrossEntropy)
	task.count, task.asked = 0, 1
	record := func(batch, accumulate int) Record {
		m := someMethod()
		m.Batch, m.Accumulate, m.Steps = batch, accumulate, 10
		trainer := newTrainer(t, someNetwork(network.PreNorm), task, m, 4, 2)
		return trainer.Record()
	}
	want := record(1, 12)
	for _, batch := range []int{3, 12} {
		got := record(batch, 12/batch)
		if !(math.Abs(got.Loss-want.Loss) <= 1e-13) ||
			!(math.Abs(got.GradientNorm-want.GradientNorm) <= 1e-13) {
			t.Errorf("batches of %d: %v, %v, of one %v, %v", batch, got.Loss, got.GradientNorm, want.Loss,
				want.GradientNorm)
		}
	}
}

// Tokens whose class is not asked for do not contribute, whatever their class would be. A batch that asks
// for nothing changes weights only by weight decay: matrices shrink by the rate times the decay, while
// biases, gains and strengths stay.
func TestNothingAsked(t *testing.T) {
	task := someTask(CrossEntropy)
	task.asked = 0
	m := someMethod()
	m.Optimiser.Rule, m.Optimiser.Decay, m.Schedule.Rate = AdamW, 0.5, 0.1
	trainer := newTrainer(t, someNetwork(network.PostNorm), task, m, 4, 2)
	before := trainer.State()
	must.Do(t, trainer.Next())
	after := trainer.State()
	shrunk, stayed := 0, 0
	for _, p := range trainer.transformer.Parameters {
		for k, v := range p.Of(before.Weights) {
			got, want := p.Of(after.Weights)[k], v
			if p.Rows > 1 {
				want = v * 0.95
				shrunk++
			} else {
				stayed++
			}
			if !(math.Abs(got-want) <= 1e-15) {
				t.Fatalf("%s: %v becomes %v", p.Name, v, got)
			}
		}
	}
	if shrunk < 300 || stayed < 100 {
		t.Errorf("%d weights shrink, %d stay", shrunk, stayed)
	}
	if r := trainer.Record(); !math.IsNaN(r.Loss) || !math.IsNaN(r.ValidationLoss) || r.Diverged {
		t.Errorf("%+v", r)
	}
}

// A gradient above the largest norm is scaled down to it: the first step of SGD with rate 1 has that
// length. A smaller gradient is not changed.
func TestClipping(t *testing.T) {
	for _, c := range []struct{ clip, factor float64 }{{0, 1}, {0.5, 0.5}, {3, 1}} {
		m := someMethod()
		m.Optimiser.Rule, m.Schedule.Rate = SGD, 1
		free := newTrainer(t, someNetwork(network.PreNorm), someTask(MeanSquare), m, 4, 1)
		norm := free.Record().GradientNorm
		m.Clip = c.clip * norm
		trainer := newTrainer(t, someNetwork(network.PreNorm), someTask(MeanSquare), m, 4, 1)
		before := trainer.State().Weights
		must.Do(t, trainer.Next())
		square := 0.0
		for k, v := range trainer.State().Weights {
			square += (v - before[k]) * (v - before[k])
		}
		if got := math.Sqrt(square); !(math.Abs(got/(c.factor*norm)-1) <= 1e-9) {
			t.Errorf("clipping at %v of the norm: a step of length %v, want %v", c.clip, got, c.factor*norm)
		}
	}
}

// Strengths that are not learned keep their values and do not contribute to the norm of the gradient; the
// others change.
func TestLearnedStrengths(t *testing.T) {
	for s := range Strengths(len(StrengthsNames)) {
		m := someMethod()
		m.Strengths = s
		trainer := newTrainer(t, someNetwork(network.PreNorm), someTask(CrossEntropy), m, 4, 1)
		begin := trainer.Record()
		for range 3 {
			must.Do(t, trainer.Next())
		}
		end := trainer.Record()
		for l := 1; l <= 2; l++ {
			for k, at := range begin.Layers[l].Strengths {
				if want := []float64{0.8, 0.7, 0.9, 0.6}[k]; at != want {
					t.Errorf("strength %d of layer %d begins at %v", k, l, at)
				}
				skip := k == AttentionSkip || k == MLPSkip
				learned := s == AllStrengths || skip && s == SkipStrengths || !skip && s == BranchStrengths
				to := end.Layers[l].Strengths[k]
				if moved := to != at; moved != learned {
					t.Errorf("%v: strength %d of layer %d goes from %v to %v", s, k, l, at, to)
				}
			}
		}
		square := 0.0
		for _, p := range trainer.transformer.Parameters {
			if s.learns(p.Name) {
				square += squares(p.Of(trainer.gradient))
			}
		}
		if !(math.Abs(end.GradientNorm-math.Sqrt(square)) <= 1e-12) {
			t.Errorf("%v: norm %v, want %v", s, end.GradientNorm, math.Sqrt(square))
		}
	}
}

// A loss that is not finite, or above the bound, ends a run: the step is not taken, and the record
// reports it.
func TestDivergence(t *testing.T) {
	m := someMethod()
	m.Optimiser.Rule, m.Schedule.Rate, m.Dropout = SGD, 1e6, network.Dropout{}
	for _, bound := range []float64{1e6, 1.5} {
		m.Bound = bound
		trainer := newTrainer(t, someNetwork(network.NoNorm), someTask(MeanSquare), m, 4, 2)
		var err error
		for err == nil {
			err = trainer.Next()
		}
		step := trainer.Step()
		if r := trainer.Record(); !errors.Is(err, ErrDiverged) || !r.Diverged || step > 5 || r.Loss <= bound {
			t.Errorf("%v, %+v", err, r)
		}
		if again := trainer.Next(); !errors.Is(again, ErrDiverged) || trainer.Step() != step {
			t.Errorf("%v at step %d", again, trainer.Step())
		}
	}
	m.Bound = 1e6
	loss := newTrainer(t, someNetwork(network.NoNorm), someTask(MeanSquare), m, 4, 2).Record().Loss
	for bound, want := range map[float64]bool{loss: false, math.Nextafter(loss, 0): true} {
		m.Bound = bound
		trainer := newTrainer(t, someNetwork(network.NoNorm), someTask(MeanSquare), m, 4, 2)
		if got := trainer.Record().Diverged; got != want {
			t.Errorf("loss %v, bound %v: diverged %v", loss, bound, got)
		}
	}
}

// A gradient whose norm overflows ends a run too, although the loss is finite: that of inputs of 10^200 and
// weights 0.
func TestDivergenceOfTheGradient(t *testing.T) {
	task := plainVectors{drawn{loss: MeanSquare, tokens: 2, features: 2, count: 20,
		right: func(_ *rand.Rand, x []float64) (int, []float64) {
			x[0] = 1e200
			return 0, []float64{1, 2}
		}}}
	trainer := newTrainer(t, network.Network{Dim: 2, Heads: 1}, task, someMethod(), 2, 1)
	for _, p := range trainer.transformer.Parameters {
		clear(p.Value)
	}
	if r := trainer.Record(); !r.Diverged || !(math.Abs(r.Loss-1.25) <= 1e-15) ||
		!math.IsInf(r.GradientNorm, 1) {
		t.Errorf("%+v", r)
	}
	if err := trainer.Next(); !errors.Is(err, ErrDiverged) {
		t.Errorf("%v", err)
	}
}
