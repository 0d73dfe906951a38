package experiments

import (
	"context"
	"errors"
	"testing"

	"antipode/data"
	"antipode/experiments/advise"
	"antipode/experiments/attentionmatrix"
	"antipode/experiments/attentionphase"
	"antipode/experiments/crowd"
	"antipode/experiments/evolve"
	"antipode/experiments/field"
	"antipode/experiments/gradients"
	"antipode/experiments/hybrid"
	"antipode/experiments/measure"
	"antipode/experiments/mlp"
	"antipode/experiments/overlap"
	"antipode/experiments/parameter"
	"antipode/experiments/phase"
	"antipode/experiments/propagation"
	"antipode/experiments/rankcollapse"
	"antipode/experiments/residual"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/simulate"
	"antipode/experiments/spectrum"
	"antipode/experiments/stability"
	"antipode/experiments/stablerank"
	"antipode/experiments/tokens"
	"antipode/experiments/train"
	"antipode/experiments/trainability"
	"antipode/experiments/verify"
	"antipode/experiments/weak"
	"antipode/experiments/widthgradients"
	"antipode/sde/matrices"
)

// snippets are the examples in the comments of the packages of experiments.
var snippets = []func(ctx context.Context, table data.Sink) error{
	func(ctx context.Context, table data.Sink) error {
		e := advise.New()
		e.Layers, e.Dim, e.Heads, e.Width, e.Tokens = 24, 64, 4, 64, 32
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := attentionmatrix.New()
		e.Tokens, e.Beta = 20, []float64{0.5, 2}
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := attentionphase.New()
		e.Beta, e.Rho = []float64{0.5, 1, 2}, []float64{0, 0.5}
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := crowd.New()
		e.Dim, e.Beta, e.Tokens = []int{4}, []float64{0.4}, []int{64, 256, 1024}
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := evolve.New()
		e.Model, e.Tokens, e.Horizon = []setting.Model{"transformer", "flow"}, 3, 10
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := field.New()
		e.Beta, e.Angles, e.Points = 2, []float64{0, 90}, 36 // degrees
		err := e.Run(ctx, run.Options{Seed: 1}, table)       // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := gradients.New()
		e.Block, e.Beta, e.Networks = "pre-norm", []float64{0.5, 2}, 4
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := hybrid.New()
		e.Beta, e.Epsilon = []float64{1}, []float64{0.5, 1.2, 2}
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := measure.New()
		err := e.Parameters()[0].Set("hidden.npy")                      // layers × tokens × d
		err = errors.Join(err, e.Run(ctx, run.Options{Seed: 1}, table)) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := mlp.New()
		e.Dim, e.Strength = []int{8}, []float64{0, 1, 2}
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := overlap.New()
		e.Dim, e.Beta = []int{4, 8}, []float64{0.5, 1, 2}
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := phase.New()
		e.Dim, e.Beta = []int{4}, []float64{0.3, 1.5}
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := propagation.New()
		e.Block, e.Beta, e.Layers = []string{"pre-norm", "post-norm"}, []float64{0.5, 2}, 12
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := rankcollapse.New()
		e.Figure = "12"
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := residual.New()
		e.Tokens, e.Depth, e.Samples = 4, []int{16, 32, 64}, 100
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := simulate.New()
		e.Tokens, e.Beta, e.Save, e.Every = 50, 4, "states", 0.1
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type StateRow
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := spectrum.New()
		e.Attention, e.Tokens, e.Layers = []matrices.Attention{matrices.Markov, matrices.Softmax}, 64, 2
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := stability.New()
		e.Masses, e.Beta = [][2]int{{1, 2}, {1, 3}}, []float64{0.5, 1}
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := stablerank.New()
		e.Attention, e.Tokens, e.Layers = []matrices.Attention{matrices.Markov}, []int{16, 32, 64}, 3
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := tokens.New()
		e.Tokens, e.Beta = []int{2, 8, 32}, []float64{3}
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := train.New()
		e.Task, e.Layers, e.Steps = "reverse", []int{1, 2}, 100
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := trainability.New()
		e.Depth, e.AlphaSA, e.Beta = 24, []float64{0.5, 1}, []float64{0.5, 1, 2}
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := verify.New()
		e.Only = []string{"eq5", "lemma5-plus"}
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := weak.New()
		e.Model, e.Depth, e.Trajectories = "hybrid", []int{8, 16, 32}, 1000
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
	func(ctx context.Context, table data.Sink) error {
		e := widthgradients.New()
		e.Tokens, e.Layers = []int{16, 32, 64}, []int{1, 2}
		err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
		return err
	},
}

// The examples in the comments of the packages have allowed parameters.
func TestSnippets(t *testing.T) {
	if len(snippets) != len(All()) {
		t.Errorf("%d examples of %d experiments", len(snippets), len(All()))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for k, snippet := range snippets {
		full := errors.New("full")
		err := snippet(ctx, data.SinkFunc(func(...data.Values) error { return full }))
		if refused := new(parameter.Error); errors.As(err, &refused) && refused.Parameter != "file" {
			t.Errorf("example %d: %v", k, err)
		}
	}
}
