// Package measure is the experiment that measures the hidden states, or the weights, of a user's own
// Transformer in each layer.
//
//	e := measure.New()
//	err := e.Parameters()[0].Set("hidden.npy") // layers × tokens × d
//	err = errors.Join(err, e.Run(ctx, run.Options{Seed: 1}, table)) // rows of type Row
package measure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/networks"
	"antipode/experiments/measure/hidden"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
)

// Experiment measures the hidden states of a Transformer layer by layer: norms, overlaps, clusters, stable
// rank and energy of the tokens of each sequence. If a kind of block is given, Experiment also computes the
// overlap that the theory of signal propagation predicts.
type Experiment struct {
	File      string  `json:"file"` // name of the file with its checksum
	Mask      string  `json:"mask"` // name of the file with its checksum, or none
	Each      bool    `json:"each"`
	Beta      float64 `json:"beta"` // β in the energy
	Tolerance float64 `json:"tolerance"`
	// Compare are further files of hidden states, each with its checksum. In the table, the layers of the
	// files in Compare follow the layers of File.
	Compare []string `json:"compare,omitempty"`
	// Thresholds adds to the table the numbers of clusters at loose thresholds. A table of several files
	// always has these numbers.
	Thresholds bool `json:"thresholds,omitempty"`
	// Weights is a file of the model's weights with its checksum. If Weights is given, the rows of the table
	// are layers and heads of the weights.
	Weights string `json:"weights,omitempty"`
	Names   string `json:"names,omitempty"` // how weights are named; "" means auto
	Heads   *int64 `json:"heads,omitempty"` // number of heads; nil means auto
	// Infer is ensemble or network, or "" if no parameters are inferred. InferMLP is the activation of an
	// inferred MLP, or "" without an MLP.
	Infer    string   `json:"infer,omitempty"`
	InferMLP string   `json:"infer-mlp,omitempty"`
	InferW   *float64 `json:"infer-w,omitempty"` // nil means auto, which is 1

	Block      string  `json:"block"` // kind of Transformer block, or none
	BlockBeta  float64 `json:"weight-beta"`
	AlphaSA    float64 `json:"alpha-sa"`
	SigmaW2    float64 `json:"sigma-w2"`
	SigmaB2    float64 `json:"sigma-b2"`
	SigmaV2    float64 `json:"sigma-v2"`
	AlphaMLP   float64 `json:"alpha-mlp"`
	Activation string  `json:"activation"`
}

const none = "none"

// New returns the experiment measure with its default parameters, without a file.
func New() *Experiment {
	return &Experiment{
		Mask: none, Beta: 1, Tolerance: 1e-3, Block: none, BlockBeta: 0.5, AlphaSA: 1, SigmaW2: 0.2,
		SigmaB2: 4e-4, SigmaV2: 0.2, AlphaMLP: 1, Activation: propagation.ReLU.String(),
	}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "measure" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "statistics of the hidden states of your own model in each layer: norms, overlaps, clusters, " +
			"stable rank",
		`Measures hidden states of shape layers × tokens × d or layers × sequences × tokens
× d. FILE is a NumPy file, .npy or .npz (one array, or one array for each layer), or an Arrow file,
.arrow or .feather. An Arrow file contains lists of tokens × d with a column layer, lists of layers
× tokens × d, or what simulate --save states writes. The numbers are bfloat16, float16, float32 or
float64. Tokens that are 0 or masked count as absent. A row of the table is a layer, with means over
the sequences; --each writes a row for each sequence. --block adds the theory of the command
propagation, which starts from the norm and the overlap of layer 0. The file is read twice, and
memory holds one sequence of one layer at a time. A damaged .npz is refused. A .npy has no checksum,
but the metadata of the table contain the SHA-256 of the data that were read. data/examples shows
how to export such a file.

Several files, for example before and after training, are compared in one table, one report and one
figure; the rows name the file. One --mask applies to all of them, because they must contain the
same sequences. The table then also counts clusters at cosines of 0.5, 0.9 and 0.99, because tokens
of trained models rarely come within --tolerance. --thresholds adds these columns for a single file.

--weights reads the weights in a .safetensors or .npz file, or in the files that a
.safetensors.index.json names. Hidden states are then optional. A row is then a head or a layer. The
row has the values, scores and MLPs in the units of this program, compares singular values with
those of random matrices, and says on which side of the boundary of antipodal clusters the layer is
and which overlaps follow: from the first four sequences of hidden states with two tokens or more, of
256 tokens each at most, or else from orthogonal tokens. The names of BERT, GPT-2, ViT, Llama and
PyTorch's TransformerEncoder are recognised. --names takes a config.json, or a map of names in JSON.

--infer estimates σ², β and c of random layers from hidden states alone, and tests whether the
states come from such layers.

Examples: antipode measure hidden.npy --mask mask.npy
          antipode measure before.npy after.npy
          antipode measure hidden.npy --weights model.safetensors
          antipode measure states.arrow --infer ensemble`
}

// fileParameter is the name of the parameter of the first file. On a command line this file is given as the
// first argument.
const fileParameter = "file"

// compareParameter is the name of the parameter of the further files. On a command line these files are given
// as further arguments.
const compareParameter = "compare"

// Parameters implements run.Experiment.
func (m *Experiment) Parameters() []parameter.Parameter {
	parameters := []parameter.Parameter{
		{Name: fileParameter, Meaning: "hidden states", Argument: true, Instead: weightsParameter,
			Value: m.statesOrWeights()},
		{Name: "mask", Meaning: "file of the mask, sequences × tokens: tokens with a nonzero entry are " +
			"present",
			Value: fileValue{field: &m.Mask, extensions: []string{".npy"}, absent: none,
				check: func(string) error { return nil }}},
		{Name: "thresholds", Meaning: "also counts clusters at cosines of 0.5, 0.9 and 0.99",
			Value: parameter.Switch{On: &m.Thresholds},
			Inapplicable: parameter.Unless(!m.several(),
				"files that are compared have them; must be left out")},
		{Name: compareParameter, Meaning: "further files to compare with the first; the same as giving " +
			"several FILEs",
			Further: true, Value: filesValue{m}},
		{Name: "each", Meaning: "writes a row for each sequence", Value: parameter.Switch{On: &m.Each}},
		{Name: "beta", Meaning: "inverse temperature β of the energy",
			Value: parameter.Real(&m.Beta, parameter.Range{Low: 0, High: 100, Open: true})},
		{Name: "tolerance", Meaning: "tolerance τ of overlaps ±1",
			Value: parameter.Real(&m.Tolerance, parameter.Range{Low: 1e-12, High: 0.5})},
		{Name: "block", Meaning: "kind of block for which the theory is computed; none for no theory",
			Value: parameter.Choice{Field: &m.Block,
				Names: append([]string{none}, propagation.KindNames...)}},
	}
	theory := []parameter.Parameter{
		{Name: networks.WeightBeta, Former: "block-beta",
			Meaning: "scale β of query and key weights, whose variance is β√log T/d",
			Value:   parameter.Real(&m.BlockBeta, networks.BetaRange)},
		{Name: "sigma-w2", Meaning: "d times the variance of the MLP's weights, σ_w²",
			Value: parameter.Real(&m.SigmaW2, networks.VarianceRange)},
		networks.SigmaB2Parameter(&m.SigmaB2),
		networks.SigmaV2Parameter(&m.SigmaV2),
		{Name: "alpha-sa", Meaning: "strength α of attention's residual connection",
			Value: parameter.Real(&m.AlphaSA, networks.AlphaRange)},
		networks.AlphaMLPParameter(&m.AlphaMLP),
		networks.ActivationParameter(&m.Activation),
	}
	for k := range theory {
		theory[k].Inapplicable = parameter.Unless(m.Block != none,
			"there is no theory; must be left out without --block")
	}
	parameters = append(parameters, theory...)
	m.restrict(parameters)
	return slices.Concat(parameters, m.weightParameters(), m.inferParameters())
}

// restrict marks parameters as inapplicable if the rows of the table are not layers of hidden states. Only
// the parameters of the files and of the mask remain applicable.
func (m *Experiment) restrict(parameters []parameter.Parameter) {
	if !m.weighs() && !m.infers() {
		return
	}
	for k, p := range parameters {
		switch {
		case p.Name == fileParameter:
		case p.Name == "mask" && m.hasStates():
		case p.Inapplicable == "":
			parameters[k].Inapplicable = "is for tables of hidden states; must be left out with --weights " +
				"and --infer"
		}
	}
}

// Validate implements run.Experiment.
func (m *Experiment) Validate() error { return parameter.Check(m.Parameters()) }

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }

// Run implements run.Experiment. A piece of the work is to measure one sequence in one layer.
func (m *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if m.weighs() {
		return m.runWeights(ctx, options, table)
	}
	if m.infers() {
		return m.runInference(ctx, options, table)
	}
	sources, err := m.open(options)
	if err != nil {
		return err
	}
	defer closeAll(sources)
	writer := &layerWriter{experiment: m, table: table, sources: sources}
	return run.Pieces{
		Count:  pieces(sources),
		Length: func(int) int { return m.numbers() },
		Worker: func() func(ctx context.Context, piece int) ([]float64, error) { return m.worker(sources) },
		Take:   writer.take,
	}.Run(ctx, options, table)
}

// problemOf returns an error about the k-th file as a *parameter.Error of the parameter that names this file.
func (m *Experiment) problemOf(k int, err error) error {
	if k == 0 {
		return m.problem(fileParameter, m.File, err)
	}
	return m.problem(compareParameter, m.Compare[k-1], err)
}

// problem returns an error about a file as a *parameter.Error of the parameter with the given name.
func (m *Experiment) problem(name, file string, err error) error {
	return parameter.Errorf(name, namedfile.Name(file), "%v", err)
}

// checkMemory returns an error if the sequences of hidden states are too large for the memory of the
// goroutines.
func (m *Experiment) checkMemory(s *hidden.States, options run.Options) error {
	smaller := float64(min(s.Tokens, s.Dim))
	bytes := 8 * float64(options.WorkerCount()) * (2*float64(s.Tokens)*float64(s.Dim) +
		1.2*float64(s.Tokens)*float64(s.Tokens) +
		2*smaller*smaller + bins)
	return run.CheckCost(bytes, run.Needs{}, options, m.Parameters(), fileParameter, fileParameter)
}

// mask reads the mask that says which tokens count. Several files share one mask, because they have the same
// sequences.
func (m *Experiment) mask(states *hidden.States, path string) ([]bool, error) {
	if m.Mask == none {
		return nil, nil
	}
	file, want := namedfile.Split(m.Mask)
	if _, err := checksum(file, want); err != nil {
		return nil, m.problem("mask", m.Mask, err)
	}
	mask, err := hidden.Mask(file, states.Sequences, states.Tokens)
	if err != nil {
		if m.several() {
			err = fmt.Errorf("%w, as %s has", err, path)
		}
		return nil, m.problem("mask", m.Mask, err)
	}
	return mask, nil
}

// layerWriter writes the row of a layer as soon as the last sequence of the layer is measured.
type layerWriter struct {
	experiment *Experiment
	table      data.Sink
	sources    []source
	layer      mean
	rows       []fullRow
	theory     *theory // theory of the current file
}

// take adds the measurements of one sequence in one layer, and writes the row of a layer when its sequences
// are complete.
func (w *layerWriter) take(piece int, values []float64) error {
	k := of(w.sources, piece)
	states := w.sources[k].states
	layer, sequence := w.sources[k].place(piece)
	w.layer.add(values)
	w.rows = append(w.rows, fullRow{int32(sequence), rowOf(layer, statisticsOf(values), math.NaN())})
	if sequence+1 < states.Sequences {
		return nil
	}
	all := w.layer.statistics()
	if layer == 0 {
		var err error
		if w.theory, err = w.experiment.startTheory(&w.layer, states.Dim); err != nil {
			return err
		}
	}
	expected, err := w.theory.next()
	if err != nil {
		return err
	}
	rows := []fullRow{{0, rowOf(layer, all, expected)}}
	if w.experiment.Each {
		rows = w.rows
		for k := range rows {
			rows[k].Theory = expected
		}
	}
	err = w.experiment.write(w.table, k, rows)
	w.layer, w.rows = mean{}, w.rows[:0]
	return err
}

// theory is the curve of cosines, layer by layer, that the theory of signal propagation predicts.
type theory struct {
	curve *propagation.Map // nil if no curve is computed
	state propagation.State
	begun bool
	fail  func(err error) error
}

// startTheory starts the theoretical curve at the measured norm and overlap of the tokens in layer 0. The
// theory has as many tokens as those sequences have on average that have an overlap.
func (m *Experiment) startTheory(input *mean, dim int) (*theory, error) {
	s := input.statistics()
	t := &theory{fail: func(err error) error {
		return parameter.Errorf("block", m.Block, "%s", networks.Reason(err))
	}}
	if m.Block == none || math.IsNaN(s.Overlap) {
		return t, nil
	}
	if s.Overlap < 0 {
		return nil, parameter.Errorf("block", m.Block, "the mean overlap of layer 0 is %.4g; must be from "+
			"0 to 1 for the theory", s.Overlap)
	}
	curve, err := propagation.NewMap(propagation.Block{
		Kind: networks.KindOf(m.Block), Beta: m.BlockBeta, AlphaSA: m.AlphaSA, SigmaW2: m.SigmaW2,
		SigmaB2: m.SigmaB2, SigmaV2: m.SigmaV2, AlphaMLP: m.AlphaMLP,
		Activation: networks.ActivationOf(m.Activation), Tokens: math.Round(input.tokens / input.overlaps),
	})
	if err != nil {
		return nil, t.fail(err)
	}
	q := s.squaredNorm / float64(dim)
	t.curve, t.state = curve, propagation.State{Q: q, P: q * s.Overlap}
	return t, nil
}

// next returns the predicted cosine of tokens in the next layer, or NaN without a theoretical curve.
func (t *theory) next() (float64, error) {
	if t.curve == nil {
		return math.NaN(), nil
	}
	if t.begun {
		var err error
		if t.state, err = t.curve.Step(t.state); err != nil {
			return 0, t.fail(err)
		}
	}
	t.begun = true
	return t.state.Cosine(), nil
}
