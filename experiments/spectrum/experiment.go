// Package spectrum is the experiment on singular values and eigenvalues of random attention matrices, after
// "Mind the Gap: a Spectral Analysis of Rank Collapse and Signal Propagation in Transformers".
//
//	e := spectrum.New()
//	e.Attention, e.Tokens, e.Layers = []matrices.Attention{matrices.Markov, matrices.Softmax}, 64, 2
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package spectrum

import (
	"context"
	"math"

	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/sde/matrices"
)

// Experiment computes the singular values and eigenvalues of attention matrices in each layer of a random
// network, and the singular values and the stable rank of the covariance of the signal after each layer.
type Experiment struct {
	Attention []matrices.Attention `json:"attention"`
	Law       matrices.Law         `json:"law"`
	Tokens    int64                `json:"tokens"`
	Dim       *int64               `json:"dim"` // nil for the number of tokens
	Layers    int64                `json:"layers"`
	Gap       matrices.Gap         `json:"gap"`
	Values    matrices.Values      `json:"values"`
	KeyScale  string               `json:"key-scale"` // standard deviation, a number or xavier
	Skip      bool                 `json:"skip"`
	LayerNorm bool                 `json:"layer-norm"`
	Heads     int64                `json:"heads"`
	Samples   int64                `json:"samples"`
	Save      string               `json:"save"`   // saveValues or saveAttention
	Figure    string               `json:"figure"` // figure of the paper whose parameters Paper sets

	brief bool // as in run.Options
}

// The contents of a table: values of spectra, and in addition the entries of the attention matrices.
const (
	saveValues    = "values"
	saveAttention = "attention"
)

var saveNames = []string{saveValues, saveAttention}

// New returns the experiment spectrum with its default parameters.
func New() *Experiment {
	return &Experiment{
		Attention: []matrices.Attention{matrices.Markov}, Law: matrices.Exponential,
		Tokens: 300, Layers: 1, Gap: matrices.KeepGap, Values: matrices.GaussianValues,
		KeyScale: standardKeys,
		Heads:    1, Samples: 5, Save: saveValues, Figure: "1",
	}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "spectrum" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "singular values and eigenvalues of random attention matrices",
		`Draws networks of attention layers X -> A X W at initialisation, with orthonormal
input and standard normal value matrices W. For every layer the table has all singular values and
eigenvalues of the attention matrix A (of the first head), and all singular values and the stable
rank of the covariance XXᵀ of the signal. The figure compares them with the limiting laws. --json
prints an object for each kind of attention. Its values s1 and s2_sqrt_t are means over the samples
of the largest singular value of A in the first layer, and of the second largest times √T. outliers
is the mean number of singular values of this A beyond the edge of the bulk, and stable_rank is a
list of means, one for each layer.

Above 2000 tokens only markov attention without skip connection, LayerNorm and several heads is
possible. Only the largest singular values and the stable rank are then computed.

Examples: antipode spectrum --tokens 1000 --gap remove --samples 10 --json
          antipode spectrum --paper --figure 7`
}

// Paper sets the parameters of the paper's Fig. 1, 7 or 9. The only size that the paper states is the 100
// tokens of Fig. 7.
func (s *Experiment) Paper() {
	figure := s.Figure
	*s = *New()
	s.Figure, s.Samples = figure, 1
	switch figure {
	case "1":
		s.Tokens, s.Attention = 1000, []matrices.Attention{matrices.Markov, matrices.Softmax, matrices.Linear}
	case "7":
		s.Tokens, s.Layers, s.Save = 100, 6, saveAttention
		s.Attention = []matrices.Attention{matrices.Softmax}
	case "9":
		s.Tokens, s.Attention = 1000, []matrices.Attention{matrices.Sigmoid, matrices.ReLU}
	}
}

// Parameters implements run.Experiment.
func (s *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		attention.AttentionParameter(&s.Attention),
		attention.LawParameter(&s.Law, s.Attention),
		{Name: "tokens", Meaning: "number T of tokens",
			Value: parameter.Whole(&s.Tokens, parameter.Range{Low: 2, High: matrices.MaxSize})},
		{Name: "dim", Meaning: "dimension D of the signal; tokens for the number of tokens",
			Value: parameter.OptionalWhole(&s.Dim, "tokens",
				parameter.Range{Low: 1, High: matrices.MaxSize})},
		{Name: "layers", Meaning: "number L of layers",
			Value: parameter.Whole(&s.Layers, parameter.Range{Low: 1, High: matrices.MaxLayers})},
		{Name: "gap", Meaning: attention.GapMeaning,
			Value: parameter.Named{Field: &s.Gap, Names: matrices.GapNames}},
		{Name: "values", Meaning: attention.ValuesMeaning,
			Value: parameter.Named{Field: &s.Values, Names: matrices.ValuesNames}},
		{Name: "key-scale", Meaning: "standard deviation of the entries of query and key matrices; " +
			"xavier for 1/√d, d the dimension of a head", Value: keyScale{&s.KeyScale},
			Inapplicable: parameter.Unless(s.hasScores(),
				"no attention is made of queries and keys; must be left out")},
		{Name: "skip", Meaning: "adds a skip connection to every layer",
			Value: parameter.Switch{On: &s.Skip}},
		{Name: "layer-norm", Meaning: "applies LayerNorm after every layer",
			Value: parameter.Switch{On: &s.LayerNorm}},
		{Name: "heads", Meaning: "number of attention heads, each of which sees a part of the dimension",
			Value: parameter.Whole(&s.Heads, parameter.Range{Low: 1, High: matrices.MaxHeads})},
		attention.SamplesParameter(&s.Samples),
		{Name: "save", Meaning: "what the table contains: values, or attention for the entries of the " +
			"attention matrices as well, which the figure then shows",
			Value: parameter.Choice{Field: &s.Save, Names: saveNames}},
		{Name: "figure", Meaning: "figure of the paper whose parameters --paper sets",
			Value:        parameter.Choice{Field: &s.Figure, Names: []string{"1", "7", "9"}},
			Inapplicable: run.WithoutPaper, Preset: true},
	}
}

// Validate implements run.Experiment.
func (s *Experiment) Validate() error {
	if err := parameter.Check(s.Parameters()); err != nil {
		return err
	}
	for _, n := range s.networks() {
		if err := n.Validate(); err != nil {
			return attention.Problem("dim", n.Dim, err)
		}
		if s.large() && s.Save == saveAttention {
			return parameter.Errorf("save", s.Save, "must be values above %d tokens", attention.DenseTokens)
		}
		if s.large() && !attention.HasTheory(n) {
			return parameter.Errorf("tokens", s.Tokens, "must be at most 2000, except for markov attention "+
				"and gaussian values without skip connection, LayerNorm and several heads, and unless "+
				"outliers are removed")
		}
	}
	return nil
}

// large reports whether there are too many tokens to compute all singular values of an attention matrix.
func (s *Experiment) large() bool { return s.Tokens > attention.DenseTokens }

// networks returns the random networks, one for each kind of attention.
func (s *Experiment) networks() (networks []matrices.Network) {
	dim := s.Tokens
	if s.Dim != nil {
		dim = *s.Dim
	}
	for _, kind := range s.Attention {
		n := matrices.Network{
			Attention: kind, Law: s.Law,
			Tokens: int(s.Tokens), Dim: int(dim), Layers: int(s.Layers), Heads: int(s.Heads),
			Gap: s.Gap, Values: s.Values,
			Skip: s.Skip, LayerNorm: s.LayerNorm,
		}
		n.KeyScale = keyScaleOf(s.KeyScale, n)
		networks = append(networks, n)
	}
	return networks
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// Run implements run.Experiment. Run writes the rows of one sample of a network after another. Each sample is
// a piece of work.
func (s *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := s.Validate(); err != nil {
		return err
	}
	asked := *s
	asked.brief, s = options.Brief && s.Save == saveValues, &asked
	networks := s.networks()
	tasks := int64(len(networks)) * s.Samples
	seconds, inside := s.seconds(options, tasks), 1
	if s.large() { // each sample is computed by all workers
		options.Workers, inside = 1, options.Workers
	}
	rows := float64(tasks) * float64(s.rowsOfSample())
	needs := run.Needs{Rows: rows, Seconds: seconds, Kept: 8 * rows * rowNumbers}
	if err := run.CheckCost(s.bytes(options, tasks), needs.Of(options.Part, tasks), options, s.Parameters(),
		"tokens", "samples"); err != nil {
		return err
	}
	of := func(piece int) (n matrices.Network, sample int64) {
		return networks[piece/int(s.Samples)], int64(piece) % s.Samples
	}
	return run.Pieces{
		Count:  int(tasks),
		Length: func(int) int { return s.rowsOfSample() * rowNumbers },
		Worker: run.Shared(func(ctx context.Context, piece int) ([]float64, error) {
			n, sample := of(piece)
			rows, err := s.sample(ctx, n, options.Seed, sample, inside)
			return numbersOf(rows), err
		}),
		Take: func(piece int, numbers []float64) error {
			n, sample := of(piece)
			return data.WriteRows(table, rowsOf(n, sample, numbers)...)
		},
	}.Run(ctx, options, table)
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }

// bytes returns a rough estimate of the memory of a run, and seconds of its time.
func (s *Experiment) bytes(options run.Options, tasks int64) float64 {
	n := s.networks()[0]
	if s.large() {
		return n.LargeMemory()
	}
	largest := lists.Max(0.0, s.networks(), func(n matrices.Network) float64 { return n.Memory(1) })
	kept := 8 * float64(s.rowsOfSample()) * (rowNumbers + 5) // numbers of a sample, and its rows
	return (largest + kept) * options.WorkersFor(tasks)
}

func (s *Experiment) seconds(options run.Options, tasks int64) float64 {
	n := s.networks()[0]
	layer := attention.Cube(n.Tokens)*(2*attention.SingularCost+attention.EigenCost) + n.Operations()
	if s.large() {
		const passages, perDraw = 400, 30 // passes over the matrices, and sampled numbers in a pass
		layer = math.Pow(float64(n.Tokens+n.Dim), 2) * (passages + perDraw)
	}
	return layer * float64(s.Layers*tasks) * attention.PerOperation / options.WorkersFor(tasks)
}
