package measure

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/measure/weights"
	"antipode/experiments/parameter"
	"antipode/experiments/run"

	"gonum.org/v1/gonum/mat"
)

// weightsParameter is the name of the parameter of the file of weights. If weights are given, hidden states
// may be absent.
const weightsParameter = "weights"

// weighs reports whether the weights of a model are measured.
func (m *Experiment) weighs() bool { return m.Weights != "" }

// hasStates reports whether a file of hidden states is given.
func (m *Experiment) hasStates() bool { return m.File != "" && m.File != none }

// weightParameters returns the parameters of the measurement of a model's weights.
func (m *Experiment) weightParameters() []parameter.Parameter {
	unless := parameter.Unless(m.weighs(), "there are no weights; must be left out without --weights")
	return []parameter.Parameter{
		{Name: weightsParameter, Meaning: "file of a Transformer's weights; each row is then a head or " +
			"a layer",
			Value: weightsValue{m}},
		{Name: "names", Meaning: "names of the weight matrices: auto recognises them; otherwise those of " +
			"a model family, or a map in JSON",
			Value: namesValue{m}, Inapplicable: unless},
		{Name: "heads", Meaning: "number of heads per layer; auto takes it from the names of the " +
			"matrices, or else is one head per 64 dimensions",
			Value: parameter.OptionalWhole(&m.Heads, weights.Auto, parameter.Range{Low: 1,
				High: weights.MostHeads}),
			Inapplicable: unless},
	}
}

// model opens the file of a model's weights.
func (m *Experiment) model() (*weights.Model, error) {
	text := m.matrixNames()
	name, want := namedfile.Split(text)
	layout, err := weights.ReadNames(name)
	if err == nil && want != "" {
		err = compareChecksum(name, want)
	}
	if err != nil {
		return nil, m.problem("names", text, err)
	}
	path, want := namedfile.Split(m.Weights)
	heads := int64(0)
	if m.Heads != nil {
		heads = *m.Heads
	}
	if err := compareChecksum(path, want); err != nil {
		return nil, m.problem(weightsParameter, m.Weights, err)
	}
	model, err := weights.Open(path, layout, int(heads))
	if err != nil {
		return nil, m.problem(weightsParameter, m.Weights, err)
	}
	return model, nil
}

// runWeights measures the layers of the hidden states, if hidden states are given, and then the layers of the
// weights. A piece of the work is either one sequence in one layer of the hidden states or one layer of the
// weights.
func (m *Experiment) runWeights(ctx context.Context, options run.Options, table data.Sink) error {
	model, err := m.model()
	if err != nil {
		return err
	}
	defer model.Close()
	if err := run.CheckCost(model.Bytes()*float64(options.WorkerCount()), run.Needs{}, options,
		m.Parameters(), weightsParameter, weightsParameter); err != nil {
		return err
	}
	var sources []source
	before := 0
	if m.hasStates() {
		if sources, err = m.open(options); err != nil {
			return err
		}
		defer closeAll(sources)
		before = pieces(sources)
	}
	w, err := m.newWeighing(model, sources, options.Seed)
	if err != nil {
		return err
	}
	meter := model.NewMeter(options.Seed)
	return run.Pieces{
		Count: before + model.Layers,
		Length: func(piece int) int {
			if piece < before {
				return m.numbers()
			}
			return model.Numbers()
		},
		Worker: func() func(ctx context.Context, piece int) ([]float64, error) {
			states := m.worker(sources)
			return func(ctx context.Context, piece int) ([]float64, error) {
				if piece < before {
					return states(ctx, piece)
				}
				layer, err := meter.Measure(piece - before)
				if err != nil {
					return nil, m.problem(weightsParameter, m.Weights, err)
				}
				return layer.Pack(), nil
			}
		},
		Take: func(piece int, numbers []float64) error {
			if piece < before {
				w.takeStates(piece, numbers)
				return nil
			}
			return w.takeLayer(table, piece-before, model.Unpack(numbers))
		},
	}.Run(ctx, options, table)
}

// weighing writes the rows of a model's weights, together with the mean overlaps of the hidden states.
type weighing struct {
	model     *weights.Model
	sources   []source
	predictor *weights.Predictor
	overlaps  []mean // mean overlaps of hidden states, by layer
}

func (m *Experiment) newWeighing(model *weights.Model, sources []source, seed uint64) (*weighing, error) {
	w := &weighing{model: model, sources: sources}
	var sequences []weights.Sequence
	if len(sources) > 0 {
		s := &sources[0]
		if s.states.Dim != model.Dim {
			return nil, m.problem(weightsParameter, m.Weights, fmt.Errorf("is of dimension %d; must be %d, "+
				"as the hidden states are", model.Dim, s.states.Dim))
		}
		if s.states.Layers != model.Layers+1 {
			return nil, m.problem(weightsParameter, m.Weights, fmt.Errorf("has %d layers; must have %d, one "+
				"less than the hidden states with their input", model.Layers, s.states.Layers-1))
		}
		w.overlaps = make([]mean, s.states.Layers)
		var err error
		if sequences, err = inputs(s); err != nil {
			return nil, m.problemOf(0, err)
		}
	}
	var err error
	if w.predictor, err = model.Predict(sequences, seed); err != nil {
		err = m.problem(weightsParameter, m.Weights, err)
	}
	return w, err
}

// Bounds of the time that the theory of a model takes: the number of sequences with at least two tokens, and
// the number of equally spaced tokens of each sequence.
const (
	mostSequences   = 4
	mostTheoryToken = 256
)

// inputs returns the tokens in layer 0, the input of the model, of the first sequences with at least two
// tokens. Other sequences have no overlap to follow.
func inputs(s *source) (sequences []weights.Sequence, err error) {
	reader, tokens, d := s.states.Reader(), s.states.Tokens, s.states.Dim
	x := make([]float64, tokens*d)
	for sequence := 0; sequence < s.states.Sequences && len(sequences) < mostSequences; sequence++ {
		if err := reader.Read(0, sequence, x); err != nil {
			return nil, err
		}
		meter := &meter{}
		n, err := meter.gather(x, d, s.present(sequence))
		if err != nil {
			return nil, err
		}
		step := max(1, (n+mostTheoryToken-1)/mostTheoryToken)
		count := (n + step - 1) / step
		if count < 2 {
			continue
		}
		chosen, squares := mat.NewDense(count, d, nil), make([]float64, count)
		for k := range count {
			chosen.SetRow(k, x[k*step*d:(k*step+1)*d])
			squares[k] = meter.norms[k*step] * meter.norms[k*step] / float64(d)
		}
		cosines := mat.NewSymDense(count, nil)
		cosines.SymOuterK(1, chosen)
		sequences = append(sequences, weights.Sequence{Cosines: cosines, Squares: squares})
	}
	return sequences, nil
}

func (w *weighing) takeStates(piece int, numbers []float64) {
	layer, _ := w.sources[0].place(piece)
	w.overlaps[layer].add(numbers)
}

// overlap returns the mean overlap of two tokens in a layer of the hidden states, or NaN if no hidden states
// are given.
func (w *weighing) overlap(layer int) float64 {
	if w.overlaps == nil {
		return math.NaN()
	}
	return w.overlaps[layer].statistics().Overlap
}

// takeLayer writes the rows of a layer of the weights: one for each head, and one for the entire layer.
// Before the first layer it writes a row of the input.
func (w *weighing) takeLayer(table data.Sink, layer int, l weights.Layer) error {
	if layer == 0 {
		input := w.model.NullRow(0)
		input.Overlap, input.Theory = w.overlap(0), w.predictor.Overlap()
		if err := data.WriteRows(table, input); err != nil {
			return err
		}
	}
	if err := w.predictor.Pass(l); err != nil {
		return err
	}
	rows := w.model.Rows(layer+1, l)
	last := &rows[len(rows)-1]
	last.Overlap, last.Theory = w.overlap(layer+1), w.predictor.Overlap()
	return data.WriteRows(table, rows...)
}

// weightRows sets the experiment to the parameters of a table of weights, and returns the rows of the table
// sorted by layer. The row of an entire layer follows those of its heads.
func (m *Experiment) weightRows(table *data.Table) ([]weights.Row, error) {
	rows, err := run.ReadRows[weights.Row](m, table)
	slices.SortStableFunc(rows, func(a, b weights.Row) int {
		place := func(head float64) float64 {
			if math.IsNaN(head) {
				return math.Inf(1)
			}
			return head
		}
		return cmp.Or(cmp.Compare(a.Layer, b.Layer), cmp.Compare(place(a.Head), place(b.Head)))
	})
	return rows, err
}
