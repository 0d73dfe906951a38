package stablerank

import (
	"context"
	"fmt"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/internal/text"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/sde/network"
)

// Model is a kind of Transformer through which the signal passes.
type Model int8

// The Transformers of Fig. 3 of the paper, at initialisation.
const (
	BERT Model = iota
	GPT2
	ViT
)

// attentionAlone is the name that stands for networks of random attention matrices instead of Transformers.
const attentionAlone = "attention"

var modelNames = []string{"bert", "gpt2", "vit"}

// Labels returns the names of the Transformers, in the order of the constants.
func (Model) Labels() []string { return modelNames }

// String returns the name of the Transformer.
func (m Model) String() string { return modelNames[m] }

// law returns the law of a Transformer at initialisation, for sequences of the given number of tokens.
func (m Model) law(tokens int) network.Network {
	return []func(tokens int) network.Network{network.BERT, network.GPT2, network.ViT}[m](tokens)
}

// ModelRow is a row of the table of Fig. 3: a layer of a Transformer.
type ModelRow struct {
	Model            Model    `column:"model" meaning:"architecture of the network at initialisation"`
	_                struct{} `meaning:"number of layers that the tokens have passed; 0 for the embeddings"`
	Layer            int32    `column:"layer"`
	Tokens           int32    `column:"tokens" meaning:"number T of tokens in a sequence"`
	Samples          int64    `column:"samples" meaning:"number of independent networks"`
	Cosine           float64  `column:"cosine" meaning:"mean cosine of two different tokens after the layer"`
	_                struct{} `meaning:"standard error of the column cosine; null for a single network"`
	CosineStderr     float64  `column:"cosine_stderr,nullable"`
	Norm             float64  `column:"norm" meaning:"mean Euclidean norm of a token after the layer"`
	_                struct{} `meaning:"standard error of the column norm; null for a single network"`
	NormStderr       float64  `column:"norm_stderr,nullable"`
	_                struct{} `meaning:"mean stable rank of XXᵀ, where the rows of X are the tokens of a"`
	_                struct{} `meaning:"sequence after the layer"`
	StableRank       float64  `column:"stable_rank"`
	_                struct{} `meaning:"standard error of the column stable_rank; null for a single network"`
	StableRankStderr float64  `column:"stable_rank_stderr,nullable"`
}

// real reports whether the networks are Transformers and not random attention matrices.
func (s *Experiment) real() bool { return len(s.Model) > 0 && s.Model[0] != attentionAlone }

// models returns the Transformers that the parameter model names.
func (s *Experiment) models() (models []Model) {
	return lists.Map(s.Model, func(name string) Model { return Model(slices.Index(modelNames, name)) })
}

// validateModels is Validate for Transformers.
func (s *Experiment) validateModels() error {
	if slices.Contains(s.Model, attentionAlone) {
		return parameter.Errorf("model", s.modelChoices().String(), "attention has a table of its own; "+
			"must stand alone")
	}
	for _, model := range s.models() {
		for _, tokens := range s.Tokens {
			if _, err := s.ensemble(model, tokens, run.Options{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// ensemble returns the ensemble of random networks of a Transformer. If a text is given, all networks read
// the beginning of the text.
func (s *Experiment) ensemble(model Model, tokens int, options run.Options) (*network.Ensemble, error) {
	e := &network.Ensemble{
		Network: model.law(tokens), Networks: int(s.Samples), Ranks: true, Seed: options.Seed,
		Workers: options.Workers,
	}
	if vocabulary := e.Network.Embedding.Vocabulary; vocabulary > 0 && s.Text != namedfile.None {
		words, err := text.Words(s.Text, vocabulary)
		if err == nil && len(words) < tokens {
			err = attention.Problem("tokens", tokens,
				fmt.Errorf("must be at most the %d words of the text", len(words)))
		}
		if err != nil {
			return nil, err
		}
		e.Words = [][]int{words[:tokens]}
	}
	if err := e.Network.Validate(); err != nil {
		return nil, attention.Problem("tokens", tokens, err)
	}
	return e, nil
}

// modelStatistics is how many numbers a layer of a Transformer has: cosine, norm and stable rank.
const modelStatistics = 3

// runModels writes the rows of one Transformer and one number of tokens after another.
func (s *Experiment) runModels(ctx context.Context, options run.Options, table data.Sink) error {
	type cell struct {
		model    Model
		tokens   int
		ensemble *network.Ensemble
	}
	var cells []cell
	memory, needs := 0.0, run.Needs{}
	for _, model := range s.models() {
		for _, tokens := range s.Tokens {
			e, err := s.ensemble(model, tokens, options)
			if err != nil {
				return err
			}
			cells = append(cells, cell{model, tokens, e})
			layers := float64(e.Network.Layers + 1)
			memory = max(memory, e.Memory())
			workers := options.WorkersFor(s.Samples)
			ranks := 20 * layers * attention.Cube(tokens) * attention.PerOperation * float64(s.Samples)
			needs.Seconds += (e.Seconds() + ranks) / workers
			needs.Rows += layers
			needs.Kept += 8 * modelStatistics * layers * float64(s.Samples)
		}
	}
	if err := run.CheckCost(memory, needs.Of(options.Part, int64(len(cells))*s.Samples), options,
		s.GridParameters(), "tokens", "samples"); err != nil {
		return err
	}
	of := func(piece int) cell { return cells[piece/int(s.Samples)] }
	return run.Pieces{
		Count:  len(cells) * int(s.Samples),
		Length: func(piece int) int { return modelStatistics * (of(piece).ensemble.Network.Layers + 1) },
		Worker: func() func(context.Context, int) ([]float64, error) {
			var present *network.Ensemble
			var compute func(ctx context.Context, network int64) ([]network.Layer, error)
			return func(ctx context.Context, piece int) (numbers []float64, err error) {
				if e := of(piece).ensemble; e != present {
					present, compute = e, e.Worker()
				}
				layers, err := compute(ctx, int64(piece)%s.Samples)
				for _, layer := range layers {
					numbers = append(numbers, layer.Cosine, layer.Norm, layer.StableRank)
				}
				return numbers, err
			}
		},
		Take: run.Gathered(s.Samples, func(k int, results [][]float64) error {
			return data.WriteRows(table, s.modelRows(cells[k].model, cells[k].tokens, results)...)
		}),
	}.Run(ctx, options, table)
}

// modelRows returns the rows with the means over networks of the statistics of each layer.
func (s *Experiment) modelRows(model Model, tokens int, results [][]float64) (rows []ModelRow) {
	for l := range len(results[0]) / modelStatistics {
		var means [modelStatistics]statistics.Estimate
		for k := range means {
			means[k] = attention.MeanOf(results, modelStatistics*l+k)
		}
		rows = append(rows, ModelRow{
			Model: model, Layer: int32(l), Tokens: int32(tokens), Samples: s.Samples,
			Cosine: means[0].Value, CosineStderr: means[0].Stderr,
			Norm: means[1].Value, NormStderr: means[1].Stderr,
			StableRank: means[2].Value, StableRankStderr: means[2].Stderr,
		})
	}
	return rows
}
