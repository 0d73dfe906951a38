package train

import (
	"antipode/sde/network"
	"antipode/sde/training"
)

// Row is a row of the table of experiment train: the state of a network, or of one of its layers, after some
// number of training steps.
type Row struct {
	_            struct{}      `meaning:"number of the run, from 0: settings one after the other, each"`
	_            struct{}      `meaning:"with all its seeds"`
	Run          int32         `column:"run"`
	Seed         int64         `column:"seed" meaning:"seed of the random weights and data of the run"`
	Task         taskLabel     `column:"task" meaning:"task that the network learns"`
	Layers       int32         `column:"layers" meaning:"number of layers of the network"`
	Norm         normLabel     `column:"norm" meaning:"place of LayerNorm in a block"`
	Attention    attentionName `column:"attention" meaning:"kind of attention"`
	Values       valueLabel    `column:"values" meaning:"law of the value matrices"`
	_            struct{}      `meaning:"strength α of the skip connection around attention, at"`
	_            struct{}      `meaning:"initialisation"`
	AlphaSA      float64       `column:"alpha_sa"`
	_            struct{}      `meaning:"scale β of query and key weights at initialisation, whose"`
	_            struct{}      `meaning:"variance is β√log T/d for T tokens of dimension d; null where"`
	_            struct{}      `meaning:"attention has no such weights"`
	Beta         float64       `column:"weight_beta,nullable" formerly:"beta"`
	_            struct{}      `meaning:"variance of value weights times the dimension d, σ_v², at"`
	_            struct{}      `meaning:"initialisation"`
	SigmaV2      float64       `column:"sigma_v2"`
	_            struct{}      `meaning:"strength of attention and of the MLP beside their skip"`
	_            struct{}      `meaning:"connections, at initialisation"`
	Branches     float64       `column:"branches"`
	_            struct{}      `meaning:"overlap of the embeddings of two different words, at"`
	_            struct{}      `meaning:"initialisation; null for tasks without words"`
	Overlap      float64       `column:"overlap,nullable"`
	_            struct{}      `meaning:"rule by which the optimiser changes weights along gradients"`
	Optimiser    ruleLabel     `column:"optimiser"`
	LearningRate float64       `column:"learning_rate" meaning:"largest learning rate of the run"`

	Step           int64     `column:"step" meaning:"number of training steps taken so far"`
	_              struct{}  `meaning:"number of the layer, 0 for the input; null in rows about the"`
	_              struct{}  `meaning:"whole network"`
	Layer          float64   `column:"layer,nullable"`
	_              struct{}  `meaning:"learning; finished, if the run has no further step; or diverged,"`
	_              struct{}  `meaning:"if no finite loss is below the bound"`
	Status         runStatus `column:"status"`
	_              struct{}  `meaning:"loss of the batch of the next training step, before that step;"`
	_              struct{}  `meaning:"null in rows about a layer, or if infinite"`
	Loss           float64   `column:"loss,nullable"`
	_              struct{}  `meaning:"mean loss of the validation examples, without dropout and"`
	_              struct{}  `meaning:"smoothing; null in rows about a layer"`
	ValidationLoss float64   `column:"validation_loss,nullable"`
	_              struct{}  `meaning:"fraction of right classes in the validation examples; null for"`
	_              struct{}  `meaning:"tasks without classes, and in rows about a layer"`
	Accuracy       float64   `column:"accuracy,nullable"`
	_              struct{}  `meaning:"learning rate of the next training step; null in rows about a"`
	_              struct{}  `meaning:"layer"`
	Rate           float64   `column:"rate,nullable"`
	_              struct{}  `meaning:"norm of the gradient of the next training step, before it is"`
	_              struct{}  `meaning:"clipped; null in rows about a layer"`
	GradientNorm   float64   `column:"gradient_norm,nullable"`
	_              struct{}  `meaning:"mean cosine of two different tokens after the layer; null in rows"`
	_              struct{}  `meaning:"about the whole network"`
	Cosine         float64   `column:"cosine,nullable"`
	_              struct{}  `meaning:"mean entropy of rows of the layer's attention matrices; null for"`
	_              struct{}  `meaning:"the input, where the rows do not sum to 1, and in rows about the"`
	_              struct{}  `meaning:"whole network"`
	Entropy        float64   `column:"entropy,nullable" unit:"nats"`
	_              struct{}  `meaning:"mean stable rank of XXᵀ, where the rows of X are the tokens of a"`
	_              struct{}  `meaning:"sequence after the layer; null in rows about the whole network"`
	StableRank     float64   `column:"stable_rank,nullable"`
	_              struct{}  `meaning:"strength of the skip connection around the layer's attention at this"`
	_              struct{}  `meaning:"step; null for the input, and in rows about the whole network"`
	Alpha          float64   `column:"alpha,nullable"`
	_              struct{}  `meaning:"strength of the layer's attention beside its skip connection at this"`
	_              struct{}  `meaning:"step; null for the input, and in rows about the whole network"`
	Branch         float64   `column:"branch,nullable"`
	_              struct{}  `meaning:"strength of the skip connection around the layer's MLP at this step;"`
	_              struct{}  `meaning:"null without an MLP, for the input, and in rows about the whole"`
	_              struct{}  `meaning:"network"`
	MLPAlpha       float64   `column:"mlp_alpha,nullable"`
	_              struct{}  `meaning:"strength of the layer's MLP beside its skip connection at this step;"`
	_              struct{}  `meaning:"null without an MLP, for the input, and in rows about the whole"`
	_              struct{}  `meaning:"network"`
	MLPBranch      float64   `column:"mlp_branch,nullable"`
	_              struct{}  `meaning:"mean norm of a token after the layer; null in rows about the"`
	_              struct{}  `meaning:"whole network"`
	TokenNorm      float64   `column:"token_norm,nullable"`
	_              struct{}  `meaning:"fraction of the pairs of tokens after the layer with a cosine ≥"`
	_              struct{}  `meaning:"0.999; null in rows about the whole network"`
	Plus           float64   `column:"p_plus,nullable"`
	_              struct{}  `meaning:"fraction of the pairs of tokens after the layer with a cosine ≤"`
	_              struct{}  `meaning:"-0.999; null in rows about the whole network"`
	Minus          float64   `column:"p_minus,nullable"`
	_              struct{}  `meaning:"mean number of clusters after the layer: sets of tokens connected"`
	_              struct{}  `meaning:"by cosines ≥ 0.999; null in rows about the whole network"`
	Clusters       float64   `column:"clusters,nullable"`
	_              struct{}  `meaning:"temperature τ at which gradients of queries and of values in the"`
	_              struct{}  `meaning:"next layer would have one size, by the cosine and the norm of the"`
	_              struct{}  `meaning:"tokens after this layer; null in rows about the whole network"`
	Temperature    float64   `column:"temperature,nullable"`
}

// The labels of the columns of the table that are names of parameters.
type (
	taskLabel     string
	normLabel     string
	attentionName string
	valueLabel    string
	ruleLabel     string
	runStatus     string
)

// Labels implements data.Labelled. The labels are the names of the tasks.
func (taskLabel) Labels() []string { return taskNames }

// Labels implements data.Labelled. The labels are the names of the positions of LayerNorm.
func (normLabel) Labels() []string { return network.PlacementNames }

// Labels implements data.Labelled. The labels are the names of the kinds of attention.
func (attentionName) Labels() []string { return attentionNames }

// Labels implements data.Labelled. The labels are the names of the laws of value matrices.
func (valueLabel) Labels() []string { return valueNames }

// Labels implements data.Labelled. The labels are the names of the optimisers.
func (ruleLabel) Labels() []string { return training.RuleNames }

// The states of a training run: still learning, finished, or diverged.
const (
	learning runStatus = "learning"
	finished runStatus = "finished"
	diverged runStatus = "diverged"
)

// Labels implements data.Labelled. The labels are the states of a training run.
func (runStatus) Labels() []string {
	return []string{string(learning), string(finished), string(diverged)}
}
