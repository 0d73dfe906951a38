// Command train lets networks learn and writes for train.py what they begin with, what they learn from, and
// how that goes, a JSON object a line.
//
// usage: go run .ci/training/train.go >FILE
package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"syscall"
	"time"

	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sde/training/tasks"

	"gonum.org/v1/gonum/blas/blas64"
)

func main() {
	encoder := json.NewEncoder(os.Stdout)
	for _, c := range append(optimisers(), networks()...) {
		run, err := c.run()
		if err == nil {
			err = encoder.Encode(run)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", c.name, err)
			os.Exit(1)
		}
	}
}

// learning is a network that learns.
type learning struct {
	name    string
	network network.Network
	task    training.Task
	method  training.Method
	timed   bool
}

// result is what is written of it.
type result struct {
	Name       string
	Law        network.Network
	Rule       string
	Decline    string
	Method     training.Method
	MeanSquare bool
	Parameters []parameter
	Sequences  [][]int     // words of the sequences of all steps
	Vectors    [][]float64 // or vectors
	Classes    [][]int     // right ones
	Values     [][]float64 // or right values
	Losses     []float64   // before each step, and after the last
	Seconds    float64     // of a step, without the first; 0 where it is not timed
	Processor  float64     // and of processors, all together
	Workers    int
}

type parameter struct {
	Name       string
	Rows, Cols int
	Decay      bool
	First      []float64
	Last       []float64 // nil where the run is timed
}

// regression is linear: vectors and noisy linear maps of them, all in one batch.
type regression struct{ examples, features, outputs int }

func (r regression) Fit(n network.Network) network.Network {
	n.Tokens, n.Input = 2, network.Embedded
	n.Embedding = network.Embedding{Features: r.features, Variance: 1}
	return n
}
func (regression) Loss() training.Loss                { return training.MeanSquare }
func (r regression) Examples(training.Split) int64    { return int64(r.examples) }
func (regression) Best(bool) (loss, accuracy float64) { return 0, 0 }
func (r regression) Example(_ training.Split, index int64, into *training.Example) {
	random := rand.New(rand.NewPCG(1, uint64(index)))
	matrix := func(columns int) blas64.General {
		m := blas64.General{Rows: 2, Cols: columns, Stride: columns, Data: make([]float64, 2*columns)}
		for k := range m.Data {
			m.Data[k] = random.NormFloat64()
		}
		return m
	}
	into.Sequence.Vectors, into.Values = matrix(r.features), matrix(r.outputs)
	for k := range into.Values.Data {
		value := into.Sequence.Vectors.Data[k/r.outputs*r.features+k%r.features]
		into.Values.Data[k] = 0.3*into.Values.Data[k] + value
	}
}

// optimisers are 100 steps of each rule, with everything that changes a step.
func optimisers() (all []learning) {
	for rule, name := range training.RuleNames {
		for _, decay := range []float64{0, 0.1} {
			m := training.Method{
				Optimiser: training.Optimiser{Rule: training.Rule(rule), Momentum: 0.8, Beta1: 0.85,
					Beta2: 0.97, Epsilon: 1e-7, Decay: decay},
				Schedule: training.Schedule{Rate: 0.05}, Steps: 100, Batch: 12, Accumulate: 1, Bound: 1e6,
				Validation: 1,
			}
			if decay > 0 {
				m.Clip = 0.4
				m.Schedule.Warmup, m.Schedule.Decline = 10, training.Decline(rule)
			}
			name := fmt.Sprintf("%s with decay %v", name, decay)
			n := network.Network{Dim: 4, Heads: 1}
			all = append(all, learning{name, n, regression{12, 5, 4}, m, false})
		}
	}
	return all
}

// networks are Transformers of the sizes of the presets of antipode train, with fewer layers.
func networks() []learning {
	method := func(batch int) training.Method {
		return training.Method{
			Optimiser: training.Optimiser{Rule: training.Adam, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8},
			Schedule:  training.Schedule{Rate: 1e-3}, Steps: 30, Batch: batch, Accumulate: 1, Bound: 1e6,
			Validation: 1,
		}
	}
	law := func(dim, heads, layers int, norm network.Placement) network.Network {
		return network.Network{
			Dim: dim, Heads: heads, Layers: layers, Norm: norm, AlphaSA: 1, AlphaMLP: 1,
			Projection: true, Biases: true, Activation: network.ReLU,
			LayerNorm: network.LayerNorm{Centred: true, Affine: true, Epsilon: 1e-5},
			QueryKey2: 1, Value2: 0.5, Projection2: 0.5, Hidden2: 0.5, Output2: 0.5,
		}
	}
	reverse := func(digits, kinds int) tasks.Reverse {
		return tasks.Reverse{Digits: digits, Kinds: kinds, Seed: 1}
	}
	return []learning{
		{"reverse, d = 16, T = 20", law(16, 1, 5, network.PostNorm), reverse(20, 10), method(128), true},
		{"d = 24, T = 17", law(24, 1, 6, network.PreNorm), reverse(17, 10), method(32), true},
		{"d = 64, T = 32", law(64, 4, 6, network.PostNorm), reverse(32, 50), method(16), true},
		{"d = 64, T = 64", law(64, 1, 2, network.PostNorm), reverse(64, 50), method(16), true},
	}
}

func (c learning) run() (result, error) {
	t, err := training.NewTrainer(c.network, c.task, c.method, 1, 0)
	if err != nil {
		return result{}, err
	}
	n := t.Transformer().Network
	r := result{Name: c.name, Law: n, Rule: c.method.Optimiser.Rule.String(),
		Decline: training.DeclineNames[c.method.Schedule.Decline], Method: c.method,
		MeanSquare: c.task.Loss() == training.MeanSquare, Workers: runtime.GOMAXPROCS(0)}
	for _, p := range t.Transformer().Parameters {
		value := append([]float64{}, p.Value...)
		r.Parameters = append(r.Parameters, parameter{p.Name, p.Rows, p.Cols, p.Decay, value, nil})
	}
	for k := range int(c.method.Steps+1) * c.method.Batch {
		var e training.Example
		index := int64(k)
		if count := c.task.Examples(training.Train); count > 0 { // all in every batch: the order says nothing
			index %= count
		}
		c.task.Example(training.Train, index, &e)
		r.Sequences = append(r.Sequences, e.Sequence.Words)
		r.Vectors = append(r.Vectors, e.Sequence.Vectors.Data)
		r.Classes = append(r.Classes, e.Classes)
		r.Values = append(r.Values, e.Values.Data)
	}
	for t.Step() < c.method.Steps {
		r.Losses = append(r.Losses, t.Record().Loss)
		if err := t.Next(); err != nil {
			return result{}, err
		}
	}
	r.Losses = append(r.Losses, t.Record().Loss)
	if !c.timed {
		for k, p := range t.Transformer().Parameters {
			r.Parameters[k].Last = p.Value
		}
		return r, nil
	}
	return r, c.time(&r)
}

// time measures the steps again, which nobody looks at on the way: the least of some spells.
func (c learning) time(r *result) error {
	t, err := training.NewTrainer(c.network, c.task, c.method, 1, 0)
	if err != nil {
		return err
	}
	for spell := range 6 {
		start, processor := time.Now(), processorSeconds()
		for range c.method.Steps / 6 {
			if err := t.Next(); err != nil {
				return err
			}
		}
		seconds := time.Since(start).Seconds() / float64(c.method.Steps/6)
		processor = (processorSeconds() - processor) / float64(c.method.Steps/6)
		if spell == 1 || spell > 1 && processor < r.Processor {
			r.Processor = processor
		}
		if spell == 1 || spell > 1 && seconds < r.Seconds { // the first takes memory
			r.Seconds = seconds
		}
	}
	return nil
}

// processorSeconds is the time that the program has taken of all processors.
func processorSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + 1e-6*float64(t.Usec) }
	return seconds(usage.Utime) + seconds(usage.Stime)
}
