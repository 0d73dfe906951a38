package advise

import (
	"math"

	"antipode/experiments/internal/networks"
	"antipode/overlap/stack"
	"antipode/sde/network"
)

// Row is a row of the table of experiment advise: the theory of a layer, and results of simulated networks.
// In the row of the input, all columns about the weights of a layer are null.
type Row struct {
	_              struct{} `meaning:"number of layers that the tokens have passed; 0 for the input"`
	Layer          int32    `column:"layer"`
	_              struct{} `meaning:"mean cosine of two different tokens after the layer, in theory"`
	Cosine         float64  `column:"cosine"`
	_              struct{} `meaning:"lower end of the band of the mean cosine: one network of 200 is below"`
	_              struct{} `meaning:"it"`
	Low            float64  `column:"cosine_low"`
	_              struct{} `meaning:"upper end of the band of the mean cosine: one network of 200 is above"`
	_              struct{} `meaning:"it"`
	High           float64  `column:"cosine_high"`
	_              struct{} `meaning:"mean squared norm of the tokens after the layer divided by their"`
	_              struct{} `meaning:"dimension d, in theory"`
	Square         float64  `column:"square"`
	_              struct{} `meaning:"stable rank of XXᵀ in theory, where the rows of X are the tokens of a"`
	_              struct{} `meaning:"sequence after the layer"`
	StableRank     float64  `column:"stable_rank"`
	_              struct{} `meaning:"lower end of the band of the stable rank: one network of 200 is below"`
	_              struct{} `meaning:"it"`
	RankLow        float64  `column:"stable_rank_low"`
	_              struct{} `meaning:"upper end of the band of the stable rank: one network of 200 is above"`
	_              struct{} `meaning:"it"`
	RankHigh       float64  `column:"stable_rank_high"`
	_              struct{} `meaning:"standard deviation of the attention scores of a token in the layer"`
	ScoreDeviation float64  `column:"score_deviation,nullable"`
	_              struct{} `meaning:"ratio of the scale β of queries and keys to the critical β_c, above"`
	_              struct{} `meaning:"which attention condenses on few tokens"`
	CriticalRatio  float64  `column:"critical_ratio,nullable"`
	_              struct{} `meaning:"mean of n ΣA² over the rows of the n × n attention matrix A; it is 1"`
	_              struct{} `meaning:"if attention is uniform"`
	Participation  float64  `column:"participation,nullable"`
	_              struct{} `meaning:"squared norm of the output of attention, divided by that of the"`
	_              struct{} `meaning:"residual stream"`
	StepValues     float64  `column:"step_values,nullable"`
	_              struct{} `meaning:"squared norm of the output of the MLP, divided by that of the residual"`
	_              struct{} `meaning:"stream"`
	StepMLP        float64  `column:"step_mlp,nullable"`
	_              struct{} `meaning:"squared norm of the derivative of the tokens after the last layer with"`
	_              struct{} `meaning:"respect to the tokens before the layer, in theory"`
	GradientInput  float64  `column:"gradient_input,nullable"`
	_              struct{} `meaning:"squared norm of the derivative of the tokens after the last layer with"`
	_              struct{} `meaning:"respect to the layer's query weights, and equally its key weights, in"`
	_              struct{} `meaning:"theory"`
	GradientQuery  float64  `column:"gradient_query,nullable"`
	_              struct{} `meaning:"squared norm of the derivative of the tokens after the last layer with"`
	_              struct{} `meaning:"respect to the layer's value weights, in theory"`
	GradientValue  float64  `column:"gradient_value,nullable"`
	_              struct{} `meaning:"squared norm of the derivative of the tokens after the last layer with"`
	_              struct{} `meaning:"respect to the layer's weights that mix the outputs of heads, in"`
	_              struct{} `meaning:"theory; null without such weights"`
	GradientMixing float64  `column:"gradient_projection,nullable"`
	_              struct{} `meaning:"squared norm of the derivative of the tokens after the last layer with"`
	_              struct{} `meaning:"respect to the first weight matrix of the layer's MLP, in theory"`
	GradientHidden float64  `column:"gradient_hidden,nullable"`
	_              struct{} `meaning:"squared norm of the derivative of the tokens after the last layer with"`
	_              struct{} `meaning:"respect to the second weight matrix of the layer's MLP, in theory"`
	GradientOutput float64  `column:"gradient_output,nullable"`
	_              struct{} `meaning:"mean cosine of two different tokens after the layer in simulated"`
	_              struct{} `meaning:"networks; null without simulation"`
	SimCosine      float64  `column:"cosine_simulated,nullable"`
	_              struct{} `meaning:"standard error of cosine_simulated; null for a single network"`
	SimStderr      float64  `column:"cosine_stderr,nullable"`
	_              struct{} `meaning:"fraction of the simulated networks whose mean cosine is from"`
	_              struct{} `meaning:"cosine_low to cosine_high"`
	Inside         float64  `column:"inside,nullable"`
	_              struct{} `meaning:"mean squared norm of the tokens divided by their dimension d, in"`
	_              struct{} `meaning:"simulated networks"`
	SimSquare      float64  `column:"square_simulated,nullable"`
	_              struct{} `meaning:"mean stable rank of XXᵀ in simulated networks, where the rows of X are"`
	_              struct{} `meaning:"the tokens of a sequence"`
	SimRank        float64  `column:"stable_rank_simulated,nullable"`
	_              struct{} `meaning:"fraction of the simulated networks whose stable rank is from"`
	_              struct{} `meaning:"stable_rank_low to stable_rank_high"`
	RankInside     float64  `column:"stable_rank_inside,nullable"`
	_              struct{} `meaning:"mean in simulated networks of the squared norm whose theory is"`
	_              struct{} `meaning:"gradient_input"`
	SimInput       float64  `column:"gradient_input_simulated,nullable"`
	_              struct{} `meaning:"mean in simulated networks of the squared norm whose theory is"`
	_              struct{} `meaning:"gradient_query"`
	SimQuery       float64  `column:"gradient_query_simulated,nullable"`
	_              struct{} `meaning:"mean in simulated networks of the squared norm whose theory is"`
	_              struct{} `meaning:"gradient_value"`
	SimValue       float64  `column:"gradient_value_simulated,nullable"`
	_              struct{} `meaning:"mean in simulated networks of the squared norm whose theory is"`
	_              struct{} `meaning:"gradient_hidden"`
	SimHidden      float64  `column:"gradient_hidden_simulated,nullable"`
	_              struct{} `meaning:"mean in simulated networks of the squared norm whose theory is"`
	_              struct{} `meaning:"gradient_output"`
	SimOutput      float64  `column:"gradient_output_simulated,nullable"`
}

func (r *Row) setGradients(g stack.Gradients) {
	r.GradientInput, r.GradientQuery, r.GradientValue = g.Input, g.Query, g.Value
	r.GradientMixing, r.GradientHidden, r.GradientOutput = g.Projection, g.Hidden, g.Output
}

// within reports whether the number x lies in the band from low to high. A small error of rounding is
// allowed, because the band of a fixed number has no width.
func within(low, x, high float64) bool {
	rounding := 1e-9 * max(1, math.Abs(x))
	return low-rounding <= x && x <= high+rounding
}

// fraction returns the fraction of simulated networks for which a condition on a layer holds.
func fraction(runs [][]network.Layer, layer int, holds func(network.Layer) bool) float64 {
	count := 0
	for _, layers := range runs {
		if holds(layers[layer]) {
			count++
		}
	}
	return float64(count) / float64(len(runs))
}

// simulate sets the results of simulated networks in the row of a layer.
func (r *Row) simulate(runs [][]network.Layer, layer int) {
	mean := func(number func(network.Layer) float64) float64 {
		return networks.EstimateOf(runs, layer, number).Value
	}
	cosine := networks.EstimateOf(runs, layer, func(l network.Layer) float64 { return l.Cosine })
	r.SimCosine, r.SimStderr = cosine.Value, cosine.Stderr
	r.Inside = fraction(runs, layer, func(l network.Layer) bool { return within(r.Low, l.Cosine, r.High) })
	r.SimRank = mean(func(l network.Layer) float64 { return l.StableRank })
	r.RankInside = fraction(runs, layer, func(l network.Layer) bool {
		return within(r.RankLow, l.StableRank, r.RankHigh)
	})
	r.SimSquare = mean(func(l network.Layer) float64 { return l.Q })
	if layer == 0 {
		return
	}
	r.SimInput = mean(func(l network.Layer) float64 { return l.Whole.Input })
	r.SimQuery = mean(func(l network.Layer) float64 { return l.Whole.Query })
	r.SimValue = mean(func(l network.Layer) float64 { return l.Whole.Value })
	r.SimHidden = mean(func(l network.Layer) float64 { return l.Whole.Hidden })
	r.SimOutput = mean(func(l network.Layer) float64 { return l.Whole.Output })
}
