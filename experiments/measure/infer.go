package measure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/measure/inference"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sphere/activation"

	"gonum.org/v1/gonum/mat"
)

// The values of the parameter infer. With ensemble, each sequence passes through random layers of its own.
// With network, all sequences pass through the same layers.
const (
	ensemble = "ensemble"
	network  = "network"
)

// infers reports whether the experiment infers the parameters of the layers from hidden states.
func (m *Experiment) infers() bool { return m.Infer != "" && !m.weighs() }

// orNone is a choice among names, of which none is stored as "".
type orNone struct{ parameter.Choice }

func choiceOrNone(field *string, names ...string) orNone {
	return orNone{parameter.Choice{Field: field, Names: append([]string{none}, names...), Empty: none}}
}

// Absent implements parameter.Optional.
func (v orNone) Absent() string { return none }

// inferParameters returns the parameters of the inference from hidden states.
func (m *Experiment) inferParameters() []parameter.Parameter {
	noMLP := "there is no MLP; must be left out without --infer-mlp"
	return []parameter.Parameter{
		{Name: "infer", Meaning: "infers σ², β and c: ensemble if each sequence passed through layers " +
			"of its own, network if all passed through one network",
			Value: choiceOrNone(&m.Infer, ensemble, network),
			Inapplicable: parameter.Unless(!m.weighs(), "infers from hidden states alone; must be "+
				"left out with --weights")},
		{Name: "infer-mlp", Meaning: "activation of an MLP whose strength c is also inferred",
			Value: choiceOrNone(&m.InferMLP, activation.Names...),
			Inapplicable: parameter.Unless(m.infers(), "nothing is inferred; must be left out without "+
				"--infer")},
		{Name: "infer-w", Meaning: "variance w of the pre-activations of the MLP of --infer-mlp; auto for 1",
			Value: parameter.OptionalReal(&m.InferW, "auto",
				parameter.Range{Low: activation.LeastVariance, High: activation.LargestVariance}),
			Inapplicable: parameter.Unless(m.infers() && m.InferMLP != "", noMLP)},
	}
}

// inferred is the name of the quantity that a row of the table of an inference holds.
type inferred string

// inferredNames are the names of the inferred quantities, in the order of the table.
var inferredNames = []string{"sigma2", "beta", "c", "p_overlap", "p_length", "p_memory", "transitions",
	"drift",
	"variance", "kappa11", "kappa12", "residual"}

// Labels implements data.Labelled. The labels are the names of the inferred quantities.
func (inferred) Labels() []string { return inferredNames }

// InferenceRow is a row of the table of an inference from hidden states: one value of an inferred quantity.
type InferenceRow struct {
	_        struct{} `meaning:"what the row is about: sigma2, beta, c are the inferred parameters of a"`
	_        struct{} `meaning:"layer; p_overlap, p_length, p_memory are p-values of the hypothesis that the"`
	_        struct{} `meaning:"states follow the fitted Markov chain; transitions is the number of layers"`
	_        struct{} `meaning:"passed by sequences; drift, variance are those of an overlap in a layer;"`
	_        struct{} `meaning:"kappa11, kappa12 are the noise covariances κ at an overlap; residual is the"`
	_        struct{} `meaning:"fraction of overlaps at a place of their predicted laws"`
	Quantity inferred `column:"quantity"`
	_        struct{} `meaning:"number of the layer from 1 (drift, variance), overlap (kappa11, kappa12), or"`
	_        struct{} `meaning:"place from 0 to 1 (residual) that the row is about; null for other"`
	_        struct{} `meaning:"quantities"`
	At       float64  `column:"at,nullable"`
	_        struct{} `meaning:"estimate of the row's quantity; null where the states do not determine it"`
	Value    float64  `column:"value,nullable"`
	Stderr   float64  `column:"stderr,nullable" meaning:"standard error of the estimate in the column value"`
	Low      float64  `column:"low,nullable" meaning:"estimate in the column value minus two standard errors"`
	High     float64  `column:"high,nullable" meaning:"estimate in the column value plus two standard errors"`
	_        struct{} `meaning:"value of the row's quantity by the inferred σ², β and c, for drift and"`
	_        struct{} `meaning:"variance to first order in κ; null where they do not give one"`
	Fitted   float64  `column:"fitted,nullable"`
}

// places is the number of bins of the residuals of an inference.
const places = 10

// inferenceRows returns the greatest number of rows of the table of an inference for a number of layers. The
// input counts as a layer.
func inferenceRows(layers int) int { return 7 + 2*(layers-1) + 2*inference.Bins + places }

// numbersOfRow is how many float64 numbers encode a row of the table of an inference.
const numbersOfRow = 5

// runInference infers the parameters of the layers from all sequences, as a single piece of work.
func (m *Experiment) runInference(ctx context.Context, options run.Options, table data.Sink) error {
	sources, err := m.open(options)
	if err != nil {
		return err
	}
	defer closeAll(sources)
	length := numbersOfRow * inferenceRows(sources[0].states.Layers)
	return run.Pieces{
		Count:  1,
		Length: func(int) int { return length },
		Worker: run.Shared(func(ctx context.Context, _ int) ([]float64, error) {
			rows, err := m.infer(ctx, &sources[0], options.Seed)
			return packed(rows, length), err
		}),
		Take: func(_ int, numbers []float64) error { return data.WriteRows(table, unpacked(numbers)...) },
	}.Run(ctx, options, table)
}

// packed encodes rows of the table of an inference as numbers: for each row its quantity, and the fields that
// other fields do not determine.
func packed(rows []InferenceRow, length int) (numbers []float64) {
	for _, r := range rows {
		quantity := slices.Index(inferredNames, string(r.Quantity))
		numbers = append(numbers, float64(quantity), r.At, r.Value, r.Stderr, r.Fitted)
	}
	for len(numbers) < length {
		numbers = append(numbers, math.NaN())
	}
	return numbers
}

func unpacked(numbers []float64) (rows []InferenceRow) {
	for ; len(numbers) > 0 && !math.IsNaN(numbers[0]); numbers = numbers[numbersOfRow:] {
		quantity := inferred(inferredNames[int(numbers[0])])
		rows = append(rows, inferenceRow(quantity, numbers[1], numbers[2], numbers[3], numbers[4]))
	}
	return rows
}

func inferenceRow(quantity inferred, at, value, stderr, fitted float64) InferenceRow {
	return InferenceRow{Quantity: quantity, At: at, Value: value, Stderr: stderr, Low: value - 2*stderr,
		High: value + 2*stderr, Fitted: fitted}
}

// infer fits the Markov chain of overlaps to the hidden states and tests the fit.
func (m *Experiment) infer(ctx context.Context, s *source, seed uint64) (rows []InferenceRow, err error) {
	d := &inference.Data{Dim: s.states.Dim, Common: m.Infer == network}
	if err := m.transitions(ctx, s, d); err != nil {
		return nil, err
	}
	var correlation func(z float64) float64
	if m.InferMLP != "" {
		a, err := activation.Parse(m.InferMLP)
		if err != nil {
			return nil, err
		}
		w := 1.
		if m.InferW != nil {
			w = *m.InferW
		}
		c, err := activation.NewCorrelation(a, w)
		if err != nil {
			return nil, err
		}
		correlation = c.At
	}
	fit, err := d.Fit(correlation)
	if err != nil {
		return nil, parameter.Errorf("infer", m.Infer, "%v", err)
	}
	nan := math.NaN()
	for k, x := range fit.Values {
		rows = append(rows, inferenceRow(inferred(inferredNames[k]), nan, x, fit.Stderrs[k], nan))
	}
	check := d.Check(fit, seed)
	for k, p := range []float64{check.POverlap, check.PLength, check.PMemory, float64(d.Transitions())} {
		rows = append(rows, inferenceRow(inferred(inferredNames[3+k]), nan, p, nan, nan))
	}
	steps, bins := d.Steps(fit), d.Curve(fit)
	for _, t := range steps {
		rows = append(rows, inferenceRow("drift", float64(t.Layer+1), t.Drift, t.DriftStderr, t.FittedDrift))
	}
	for _, t := range steps {
		rows = append(rows, inferenceRow("variance", float64(t.Layer+1), t.Variance, t.VarianceStderr,
			t.FittedVariance))
	}
	for _, b := range bins {
		rows = append(rows, inferenceRow("kappa11", b.Overlap, b.Own, b.OwnStderr, b.FittedOwn))
	}
	for _, b := range bins {
		rows = append(rows, inferenceRow("kappa12", b.Overlap, b.Both, b.BothStderr, b.FittedBoth))
	}
	return append(rows, residuals(check.Overlaps)...), nil
}

// residuals returns the fraction of the residuals of an inference in each bin.
func residuals(all []float64) (rows []InferenceRow) {
	counts := [places]float64{}
	for _, x := range all {
		counts[min(places-1, int(x*places))]++
	}
	n := float64(len(all))
	for k, c := range counts {
		share := c / n
		rows = append(rows, inferenceRow("residual", (float64(k)+0.5)/places, share,
			math.Sqrt(share*(1-share)/n),
			1./places))
	}
	return rows
}

// Bounds of the memory and time of an inference: mostGram bounds the total number of entries of the Gram
// matrices, and mostTokensInGram the number of tokens of a sequence.
const (
	mostGram         = 1 << 26
	mostTokensInGram = 1024
)

// transitions collects the steps of hidden states from layer to layer. transitions begins with the first
// sequence and stops where the bounds of memory are reached.
func (m *Experiment) transitions(ctx context.Context, s *source, d *inference.Data) error {
	states, reader := s.states, s.states.Reader()
	if states.Tokens > mostTokensInGram {
		return m.problemOf(0, fmt.Errorf("has sequences of %d tokens; must be at most %d to infer anything",
			states.Tokens,
			mostTokensInGram))
	}
	most := max(1, mostGram/(states.Tokens*states.Tokens*states.Layers))
	x, worker := make([]float64, states.Tokens*states.Dim), &meter{}
	for sequence := range min(states.Sequences, most) {
		var before *mat.Dense
		for layer := range states.Layers {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := reader.Read(layer, sequence, x); err != nil {
				return err
			}
			n, err := worker.gather(x, states.Dim, s.present(sequence))
			if err != nil {
				return m.problemOf(0, fmt.Errorf("layer %d, sequence %d: %w", layer, sequence, err))
			}
			if n < 2 {
				break
			}
			after := mat.DenseCopyOf(mat.NewDense(n, states.Dim, x[:n*states.Dim]))
			if before != nil {
				if rows, _ := before.Dims(); rows != n {
					return m.problemOf(0, fmt.Errorf("layer %d, sequence %d: has %d tokens, and %d in the "+
						"layer before; must be the same", layer, sequence, n, rows))
				}
				d.Add(sequence, layer-1, before, after)
			}
			before = after
		}
	}
	return nil
}
