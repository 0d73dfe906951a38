package training

import (
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"antipode/sde/network"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/mat"
)

// Linear regression with a network that is a linear map converges, with every rule, to the least-squares
// solution, which gonum computes by a QR factorisation.
func TestLinearRegression(t *testing.T) {
	const features, outputs, count, tokens = 3, 2, 10, 2
	task := plainVectors{drawn{loss: MeanSquare, tokens: tokens, features: features, count: count,
		right: func(r *rand.Rand, x []float64) (int, []float64) {
			return 0, []float64{x[0] - 2*x[1] + 0.3*r.NormFloat64() + 1, x[2] + 0.5*r.NormFloat64()}
		}}}
	x, y := mat.NewDense(count*tokens, features+1, nil), mat.NewDense(count*tokens, outputs, nil)
	for k := range count {
		var e Example
		task.Example(Train, int64(k), &e)
		for i := range tokens {
			row := k*tokens + i
			x.SetRow(row, append([]float64{1}, e.Sequence.Vectors.Data[i*features:][:features]...))
			y.SetRow(row, e.Values.Data[i*outputs:][:outputs])
		}
	}
	var solution, residual mat.Dense
	must.Do(t, solution.Solve(x, y))
	residual.Mul(x, &solution)
	residual.Sub(&residual, y)
	least := 0.5 * math.Pow(mat.Norm(&residual, 2), 2) / (count * tokens * outputs)
	for rule, rate := range []float64{0.8, 0.3, 0.1, 0.1} {
		m := someMethod()
		m.Optimiser.Rule, m.Optimiser.Momentum, m.Dropout = Rule(rule), 0.5, network.Dropout{}
		m.Schedule = Schedule{Rate: rate, Warmup: 20, Decline: Cosine}
		m.Batch, m.Accumulate, m.Steps = count, 1, 800
		trainer := newTrainer(t, network.Network{Dim: outputs, Heads: 1}, task, m, 2, 1)
		for trainer.Step() < m.Steps {
			must.Do(t, trainer.Next())
		}
		if got := trainer.Record().Loss; !(math.Abs(got-least) <= 1e-9) {
			t.Errorf("%v: loss %v, least squares %v", m.Optimiser.Rule, got, least)
		}
		for _, p := range trainer.transformer.Parameters {
			for k, got := range p.Value {
				row, column := 0, k // the column of the biases
				if p.Rows > 1 {
					row, column = 1+k%features, k/features
				}
				want := solution.At(row, column)
				if !(math.Abs(got-want) <= 1e-4) {
					t.Errorf("%v: %s has %v, least squares %v", m.Optimiser.Rule, p.Name, got, want)
				}
			}
		}
	}
}

// plainVectors contains random examples whose tokens have no positions.
type plainVectors struct{ drawn }

func (p plainVectors) Fit(n network.Network) network.Network {
	n = p.drawn.Fit(n)
	n.Embedding.Positions = network.NoPositions
	return n
}

// signs asks for the class of each vector that is given by the signs of two coordinates, or for a random
// class of the example.
func signs(count int64, drawnClasses bool) drawn {
	return drawn{loss: CrossEntropy, tokens: 4, classes: 4, features: 3, count: count, asked: 1,
		right: func(r *rand.Rand, x []float64) (class int, _ []float64) {
			if drawnClasses {
				return r.IntN(4), nil
			}
			if x[0] > 0 {
				class = 1
			}
			if x[1] > 0 {
				class += 2
			}
			return class, nil
		}}
}

func learn(t *testing.T, task Task, steps int64, batch int) (begin, end Record) {
	t.Helper()
	n := someNetwork(network.PreNorm)
	n.Dim, n.Width = 16, 32
	m := someMethod()
	m.Dropout, m.Smoothing, m.Batch, m.Accumulate, m.Steps = network.Dropout{}, 0, batch, 1, steps
	m.Validation = int(min(task.Examples(Validation), 60))
	trainer := newTrainer(t, n, task, m, 3, 2)
	begin = trainer.Record()
	for trainer.Step() < steps {
		must.Do(t, trainer.Next())
	}
	return begin, trainer.Record()
}

// Memorisation: the loss on a single batch of random classes tends to 0.
func TestOverfittedBatch(t *testing.T) {
	begin, end := learn(t, signs(8, true), 300, 8)
	if !(begin.Loss > 1) || !(end.Loss < 1e-3) {
		t.Errorf("loss from %v to %v", begin.Loss, end.Loss)
	}
}

// If classes follow a rule, what is learned generalises to other examples. Random classes are memorised,
// and others are predicted no better than by chance: of 240 tokens, 1/4 are right within five standard
// errors, which fails by chance for one seed in 10^6. The loss is then above log 4, the loss without any
// knowledge.
func TestShuffledLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("TestOverfittedBatch has the same goroutines")
	}
	_, rule := learn(t, signs(200, false), 120, 25)
	_, control := learn(t, signs(60, true), 250, 20)
	if !(rule.Accuracy > 0.9) || !(rule.ValidationLoss < 0.7) {
		t.Errorf("of a rule: %+v", rule)
	}
	if !(control.Loss < 1.1) || math.Abs(control.Accuracy-0.25) > 5*math.Sqrt(0.25*0.75/240) ||
		!(control.ValidationLoss > math.Log(4)) {
		t.Errorf("of drawn classes: %+v", control)
	}
}

// The memory of a trainer is predicted within 10 %, for each of a few shapes, also if there are fewer groups
// than workers.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		batch, workers int
		rule           Rule
	}{{1, 2, Adam}, {3, 9, SGD}, {16, 9, Adam}, {16, 2, SGD}} {
		n, task, m := someNetwork(network.PostNorm), signs(1000, false), someMethod()
		n.Dim, n.Width, n.Layers, task.tokens = 64, 80, 3, 24
		m.Batch, m.Validation, m.Optimiser.Rule = c.batch, 1, c.rule
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		trainer := newTrainer(t, n, task, m, 1, c.workers)
		must.Do(t, trainer.Next())
		runtime.GC()
		runtime.ReadMemStats(&after)
		got := float64(after.HeapAlloc - before.HeapAlloc)
		estimate := Memory(trainer.Transformer().Network, m, c.workers)
		if !(math.Abs(got/estimate-1) <= 0.1) {
			t.Errorf("%+v: %v bytes, estimated %v", c, got, estimate)
		}
		runtime.KeepAlive(trainer)
	}
}

// Invalid methods are refused with a one-line error that names the value and what is allowed.
func TestRefusals(t *testing.T) {
	for want, change := range map[string]func(m *Method){
		"learning rate 0: must be above 0":      func(m *Method) { m.Schedule.Rate = 0 },
		"learning rate NaN: must be above 0":    func(m *Method) { m.Schedule.Rate = math.NaN() },
		"learning rate -1: must be above 0":     func(m *Method) { m.Schedule.Rate = -1 },
		"momentum 1: must be from 0 to below 1": func(m *Method) { m.Optimiser.Momentum = 1 },
		"β₁ 1: must be":                         func(m *Method) { m.Optimiser.Beta1 = 1 },
		"β₂ -0.1: must be":                      func(m *Method) { m.Optimiser.Beta2 = -0.1 },
		"ε 0: must be above 0":                  func(m *Method) { m.Optimiser.Epsilon = 0 },
		"weight decay NaN: must be":             func(m *Method) { m.Optimiser.Decay = math.NaN() },
		"clipping -1: must be":                  func(m *Method) { m.Clip = -1 },
		"smoothing 1: must be":                  func(m *Method) { m.Smoothing = 1 },
		"bound of the loss 0: must be":          func(m *Method) { m.Bound = 0 },
		"steps 0: must be from 1":               func(m *Method) { m.Steps = 0 },
		"batch 0: must be from 1":               func(m *Method) { m.Batch = 0 },
		"batch 21: must be at most the number":  func(m *Method) { m.Batch = 21 },
		"batches of a step 0":                   func(m *Method) { m.Accumulate = 0 },
		"warm-up -1: must be from 0 to":         func(m *Method) { m.Schedule.Warmup = -1 },
		"examples of the validation 21: must":   func(m *Method) { m.Validation = 21 },
		"rule 4: must be from 0 to 3":           func(m *Method) { m.Optimiser.Rule = 4 },
		"dropout of branches 1: must be":        func(m *Method) { m.Dropout.Branch = 1 },
		"dropout of embeddings NaN: must be":    func(m *Method) { m.Dropout.Embedding = math.NaN() },
		"dropout of attention weights -1: must": func(m *Method) { m.Dropout.Attention = -1 },
		"would take 2.2e+12 sequences":          func(m *Method) { m.Steps, m.Accumulate = 1<<20, 1<<20/3 },
	} {
		m := someMethod()
		change(&m)
		_, err := NewTrainer(someNetwork(network.PreNorm), someTask(CrossEntropy), m, 1, 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	n := someNetwork(network.PreNorm)
	n.Heads = 4
	if _, err := NewTrainer(n, someTask(CrossEntropy), someMethod(), 1, 1); err == nil {
		t.Error("heads that do not divide the dimension")
	}
	trainer := newTrainer(t, someNetwork(network.PreNorm), someTask(CrossEntropy), someMethod(), 1, 1)
	state := trainer.State()
	for _, change := range []func(s *State){
		func(s *State) { s.Weights = s.Weights[1:] },
		func(s *State) { s.First = nil },
		func(s *State) { s.Second = s.Second[1:] },
		func(s *State) { s.Step = -1 },
		func(s *State) { s.Step = 101 },
	} {
		other := state
		change(&other)
		if trainer.Restore(other) == nil {
			t.Error("a state of another network is restored")
		}
	}
	for _, state.Step = range []int64{0, 100} {
		if err := trainer.Restore(state); err != nil || trainer.Step() != state.Step {
			t.Errorf("a state after %d of 100 steps: %v", state.Step, err)
		}
	}
}

// Apart from the network, the memory is counted by hand: with each moment of the optimiser and once more for
// the gradient, all weights; and for each sequence of the greater of batch and validation, 8 bytes for each
// token and each of its outputs or features, and for two numbers more. The time is that of all passes, and of
// 4 ns for each weight and step.
func TestNeedsAreCounted(t *testing.T) {
	n := signs(1000, false).Fit(someNetwork(network.PostNorm))
	n.Tokens, n.Outputs, n.Embedding.Features = 9, 5, 3
	m := someMethod()
	m.Batch, m.Validation, m.Optimiser.Rule = 6, 7, SGD
	memory := Memory(n, m, 2)
	weights := n.Memory(0, network.Batch{})
	of := func(change func(n *network.Network, m *Method)) float64 {
		other, method := n, m
		change(&other, &method)
		return Memory(other, method, 2) - memory
	}
	validation := func(examples int) float64 {
		return of(func(_ *network.Network, m *Method) { m.Validation = examples })
	}
	rule := func(r Rule) float64 { return of(func(_ *network.Network, m *Method) { m.Optimiser.Rule = r }) }
	for what, c := range map[string]struct{ got, want float64 }{
		"17 of the validation": {validation(17), 10 * 8 * 9 * 7},
		"6 of the validation":  {validation(6), -8 * 9 * 7},
		"1 of the validation":  {validation(1), -8 * 9 * 7},
		"momentum":             {rule(Momentum), weights},
		"Adam":                 {rule(Adam), 2 * weights},
		"AdamW":                {rule(AdamW), 2 * weights},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v bytes more, want %v", what, c.got, c.want)
		}
	}
	batch := network.Batch{Sequences: 2, Gradients: true, Dropout: m.Dropout} // four groups are begun
	if got := memory - n.Memory(2, batch) - weights; got != 7*8*9*7 {
		t.Errorf("%v bytes for sequences", got)
	}
	if one, three := Memory(n, m, 1), Memory(n, m, 3); memory-one != n.Memory(2, batch)-n.Memory(1, batch) ||
		three-memory != n.Memory(3, batch)-n.Memory(2, batch) || Memory(n, m, 9) != three {
		t.Errorf("%v bytes with one worker, %v with two, %v with three", one, memory, three)
	}
	m.Steps, m.Batch, m.Accumulate = 10, 3, 2
	got, want := Seconds(n, m, 4), 84*n.Seconds(true)+28*n.Seconds(false)+10*4e-9*weights/8
	if !(math.Abs(got/want-1) <= 1e-12) {
		t.Errorf("%v s, want %v", got, want)
	}
}

// A group has at most about 256 tokens; a batch has at least four groups, or one for each sequence.
func TestSizesOfGroups(t *testing.T) {
	for _, c := range []struct{ sequences, tokens, want int }{
		{1, 10, 1}, {3, 1000, 1}, {16, 24, 4}, {100, 24, 10}, {8, 64, 2}, {100, 256, 1}, {40, 32, 8},
		{40, 33, 7}, {5, 1, 2}, {4, 1, 1}, {100, 128, 2},
	} {
		if got := groupSize(c.sequences, c.tokens); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// Of equal logits the first is the answer.
func TestEqualLogits(t *testing.T) {
	for class, want := range []float64{0, 1, 0} {
		c := newCriterion(CrossEntropy, 0, 3)
		s := c.crossEntropy([]float64{1, 2, 2}, class, 1)
		loss := math.Log(2 + math.Exp(-1))
		if class == 0 {
			loss++
		}
		if s.right != want || s.count != 1 || !(math.Abs(s.loss-loss) <= 1e-14) {
			t.Errorf("class %d: %+v, want the loss %v", class, s, loss)
		}
	}
}
