package advise

import (
	"antipode/experiments/internal/networks"
	"antipode/overlap/stack"
	"antipode/sde/network"
)

// Row is a row of the table of experiment advise: the theory of a layer, and results of simulated networks.
// In the row of the input, all columns about the weights of a layer are null.
type Row struct {
	_              struct{} `meaning:"layers that the tokens have passed; 0 for the input"`
	Layer          int32    `column:"layer"`
	Cosine         float64  `column:"cosine" meaning:"mean cosine of different tokens"`
	_              struct{} `meaning:"the cosine is below this value in one network of 200"`
	Low            float64  `column:"cosine_low"`
	_              struct{} `meaning:"the cosine is above this value in one network of 200"`
	High           float64  `column:"cosine_high"`
	Square         float64  `column:"square" meaning:"mean squared norm of tokens over d"`
	StableRank     float64  `column:"stable_rank" meaning:"stable rank of XXᵀ"`
	_              struct{} `meaning:"the stable rank is below this value in one network of 200"`
	RankLow        float64  `column:"stable_rank_low"`
	_              struct{} `meaning:"the stable rank is above this value in one network of 200"`
	RankHigh       float64  `column:"stable_rank_high"`
	_              struct{} `meaning:"standard deviation of a token's scores"`
	ScoreDeviation float64  `column:"score_deviation,nullable"`
	_              struct{} `meaning:"β over the critical β_c above which attention condenses"`
	CriticalRatio  float64  `column:"critical_ratio,nullable"`
	_              struct{} `meaning:"mean of n ΣA² over rows of attention; it is 1 if attention"`
	_              struct{} `meaning:"is uniform"`
	Participation  float64  `column:"participation,nullable"`
	_              struct{} `meaning:"squared norm of attention's output over that of the stream"`
	StepValues     float64  `column:"step_values,nullable"`
	_              struct{} `meaning:"squared norm of the MLP's output over that of the stream"`
	StepMLP        float64  `column:"step_mlp,nullable"`
	_              struct{} `meaning:"squared norm of the derivative of the last tokens by the tokens"`
	_              struct{} `meaning:"before the layer"`
	GradientInput  float64  `column:"gradient_input,nullable"`
	_              struct{} `meaning:"the same by the weights of queries, and of keys"`
	GradientQuery  float64  `column:"gradient_query,nullable"`
	GradientValue  float64  `column:"gradient_value,nullable" meaning:"the same by those of values"`
	_              struct{} `meaning:"the same by those that mix the outputs of heads; null without"`
	GradientMixing float64  `column:"gradient_projection,nullable"`
	GradientHidden float64  `column:"gradient_hidden,nullable" meaning:"by the MLP's first weights"`
	GradientOutput float64  `column:"gradient_output,nullable" meaning:"by the MLP's second weights"`
	_              struct{} `meaning:"mean cosine in simulated networks; null without"`
	SimCosine      float64  `column:"cosine_simulated,nullable"`
	_              struct{} `meaning:"its standard error; null for one network"`
	SimStderr      float64  `column:"cosine_stderr,nullable"`
	_              struct{} `meaning:"share of simulated networks whose cosine is in the band"`
	Inside         float64  `column:"inside,nullable"`
	SimSquare      float64  `column:"square_simulated,nullable" meaning:"square in simulated networks"`
	_              struct{} `meaning:"stable rank in simulated networks"`
	SimRank        float64  `column:"stable_rank_simulated,nullable"`
	_              struct{} `meaning:"share of simulated networks whose stable rank is in the band"`
	RankInside     float64  `column:"stable_rank_inside,nullable"`
	_              struct{} `meaning:"gradient_input in simulated networks"`
	SimInput       float64  `column:"gradient_input_simulated,nullable"`
	_              struct{} `meaning:"gradient_query in simulated networks"`
	SimQuery       float64  `column:"gradient_query_simulated,nullable"`
	_              struct{} `meaning:"gradient_value in simulated networks"`
	SimValue       float64  `column:"gradient_value_simulated,nullable"`
	_              struct{} `meaning:"gradient_hidden in simulated networks"`
	SimHidden      float64  `column:"gradient_hidden_simulated,nullable"`
	_              struct{} `meaning:"gradient_output in simulated networks"`
	SimOutput      float64  `column:"gradient_output_simulated,nullable"`
}

func (r *Row) setGradients(g stack.Gradients) {
	r.GradientInput, r.GradientQuery, r.GradientValue = g.Input, g.Query, g.Value
	r.GradientMixing, r.GradientHidden, r.GradientOutput = g.Projection, g.Hidden, g.Output
}

// within returns 1 if the number x lies in the band from low to high, and otherwise 0.
func within(low, x, high float64) float64 {
	if low <= x && x <= high {
		return 1
	}
	return 0
}

// simulate sets the results of simulated networks in the row of a layer.
func (r *Row) simulate(runs [][]network.Layer, layer int) {
	mean := func(number func(network.Layer) float64) float64 {
		return networks.EstimateOf(runs, layer, number).Value
	}
	cosine := networks.EstimateOf(runs, layer, func(l network.Layer) float64 { return l.Cosine })
	r.SimCosine, r.SimStderr = cosine.Value, cosine.Stderr
	r.Inside = mean(func(l network.Layer) float64 { return within(r.Low, l.Cosine, r.High) })
	r.SimRank = mean(func(l network.Layer) float64 { return l.StableRank })
	r.RankInside = mean(func(l network.Layer) float64 { return within(r.RankLow, l.StableRank, r.RankHigh) })
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
