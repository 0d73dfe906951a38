// Command network writes random Transformers for network.py to its standard output, as Arrow streams one
// after the other: their weights and inputs, what their forward passes give, and all gradients. They go
// through a pipe, as BERT's own width makes more than a GiB.
//
// usage: go run .ci/jax/network.go | network.py
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"antipode/sde/network"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"gonum.org/v1/gonum/blas/blas64"
)

func main() {
	for name, n := range networks() {
		if err := write(os.Stdout, name, n); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// networks are 12 layers of each architecture, narrow, and of BERT's own width.
func networks() map[string]network.Network {
	narrow := func(n network.Network) network.Network {
		n.Dim, n.Heads, n.Width = 24, 3, 56
		if n.Embedding.Vocabulary > 0 {
			n.Embedding.Vocabulary = 40
		} else {
			n.Embedding.Features = 30
		}
		// Attention is not uniform, and tokens do not collapse, which would leave rounding of gradients.
		n.QueryKey2, n.Value2, n.Projection2, n.Hidden2, n.Output2, n.Bias2 = 2, 0.5, 0.4, 0.9, 0.3, 0.05
		n.Embedding.Variance = 0.5
		return n
	}
	wide := network.BERT(8)
	wide.Embedding.Vocabulary = 300
	gpt2 := narrow(network.GPT2(21))
	gpt2.Outputs = 40
	peri := narrow(network.GPT2(13))
	peri.Norm, peri.GainControl, peri.TiedKeys, peri.SharedKeys = network.PeriNorm, true, true, true
	peri.Activation, peri.Embedding.Positions = network.Tanh, network.SinusoidalPositions
	peri.AlphaSA, peri.AlphaMLP, peri.BranchSA, peri.BranchMLP = 0.8, 0.9, 0.6, 0.7
	free := narrow(network.BERT(14))
	free.Attention, free.GainControl, free.QueryKey2 = network.FreeScores, true, 0.7
	free.Projections = network.IdentityValues
	freeWeights := narrow(network.GPT2(16))
	freeWeights.Attention, freeWeights.Projection = network.FreeWeights, false
	return map[string]network.Network{
		"free": free, "free-weights": freeWeights,
		"bert": narrow(network.BERT(17)), "gpt2": gpt2, "vit": narrow(network.ViT(15)), "peri": peri,
		"bert-base": wide,
	}
}

// write runs a network of perturbed weights, so that gains are not 1 and biases not 0, on a random sequence.
func write(to io.Writer, name string, n network.Network) error {
	t, err := network.New(n, 1, 0)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, uint64(n.Tokens)))
	for _, p := range t.Parameters {
		for k := range p.Value {
			p.Value[k] += 0.01 * r.NormFloat64()
		}
	}
	s := sequence(n, r)
	w := t.Workspace(network.Batch{Workers: 2, Gradients: true})
	out := w.Forward(s)
	probe := normal(out.Rows, out.Cols, r)
	input := w.Backward(probe)

	law, err := json.Marshal(n)
	if err != nil {
		return err
	}
	table := newTable(to, name, string(law))
	for _, p := range t.Parameters {
		if err := table.add(p.Name, p.Rows, p.Cols, p.Value, p.Of(w.Gradient)); err != nil {
			return err
		}
	}
	words, types := numbers(s.Words), numbers(s.Types)
	for _, m := range []struct {
		name            string
		value, gradient blas64.General
	}{
		{"= words", words, blas64.General{}}, {"= types", types, blas64.General{}},
		{"= vectors", s.Vectors, blas64.General{}},
		{"= output", out, probe}, {"= input gradient", input, input},
	} {
		if err := table.add(m.name, m.value.Rows, m.value.Cols, m.value.Data, m.gradient.Data); err != nil {
			return err
		}
	}
	return table.writer.Close()
}

func sequence(n network.Network, r *rand.Rand) (s network.Sequence) {
	tokens := n.Tokens
	if n.Embedding.Class {
		tokens--
	}
	if n.Embedding.Features > 0 {
		s.Vectors = normal(tokens, n.Embedding.Features, r)
	}
	for t := range n.Tokens {
		if n.Embedding.Vocabulary > 0 && t < tokens {
			s.Words = append(s.Words, r.IntN(n.Embedding.Vocabulary))
		}
		s.Types = append(s.Types, t%max(1, n.Embedding.Types))
	}
	return s
}

func normal(rows, columns int, r *rand.Rand) blas64.General {
	m := blas64.General{Rows: rows, Cols: columns, Stride: columns, Data: make([]float64, rows*columns)}
	for k := range m.Data {
		m.Data[k] = r.NormFloat64()
	}
	return m
}

func numbers(values []int) blas64.General {
	m := blas64.General{Rows: 1, Cols: len(values)}
	for _, v := range values {
		m.Data = append(m.Data, float64(v))
	}
	return m
}

// table has a row for each matrix.
type table struct {
	schema *arrow.Schema
	writer *ipc.Writer
}

func newTable(to io.Writer, name, law string) *table {
	metadata := arrow.NewMetadata([]string{"name", "network"}, []string{name, law})
	numbers := arrow.ListOf(arrow.PrimitiveTypes.Float64)
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "name", Type: arrow.BinaryTypes.String},
		{Name: "rows", Type: arrow.PrimitiveTypes.Int64}, {Name: "columns", Type: arrow.PrimitiveTypes.Int64},
		{Name: "value", Type: numbers}, {Name: "gradient", Type: numbers},
	}, &metadata)
	return &table{schema, ipc.NewWriter(to, ipc.WithSchema(schema))}
}

func (t *table) add(name string, rows, columns int, value, gradient []float64) error {
	b := array.NewRecordBuilder(memory.DefaultAllocator, t.schema)
	defer b.Release()
	b.Field(0).(*array.StringBuilder).Append(name)
	b.Field(1).(*array.Int64Builder).Append(int64(rows))
	b.Field(2).(*array.Int64Builder).Append(int64(columns))
	for k, values := range [][]float64{value, gradient} {
		list := b.Field(3 + k).(*array.ListBuilder)
		list.Append(true)
		list.ValueBuilder().(*array.Float64Builder).AppendValues(values, nil)
	}
	record := b.NewRecord()
	defer record.Release()
	return t.writer.Write(record)
}
