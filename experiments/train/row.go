package train

import (
	"antipode/sde/network"
	"antipode/sde/training"
)

// Row is a row of the table of experiment train: the state of a network, or of one of its layers, after some
// number of training steps.
type Row struct {
	_            struct{}      `meaning:"number of the run, from 0: settings one after the other, each with"`
	_            struct{}      `meaning:"all seeds"`
	Run          int32         `column:"run"`
	Seed         int64         `column:"seed" meaning:"seed of the run: of weights and data"`
	Task         taskLabel     `column:"task" meaning:"what is learned"`
	Layers       int32         `column:"layers" meaning:"layers of the network"`
	Norm         normLabel     `column:"norm" meaning:"where LayerNorm stands"`
	Attention    attentionName `column:"attention" meaning:"kind of attention"`
	Values       valueLabel    `column:"values" meaning:"law of the value matrices"`
	_            struct{}      `meaning:"strength α of attention's skip connection at first"`
	AlphaSA      float64       `column:"alpha_sa"`
	_            struct{}      `meaning:"scale β of query and key weights at first, of variance β√log T/d;"`
	_            struct{}      `meaning:"null where attention has none"`
	Beta         float64       `column:"weight_beta,nullable" formerly:"beta"`
	_            struct{}      `meaning:"d times the variance of value weights at first, σ_v²"`
	SigmaV2      float64       `column:"sigma_v2"`
	_            struct{}      `meaning:"strength of the branches beside their skip connections at first"`
	Branches     float64       `column:"branches"`
	_            struct{}      `meaning:"overlap of the embeddings of different words at first; null without"`
	_            struct{}      `meaning:"words"`
	Overlap      float64       `column:"overlap,nullable"`
	Optimiser    ruleLabel     `column:"optimiser" meaning:"rule by which weights follow from gradients"`
	LearningRate float64       `column:"learning_rate" meaning:"the largest learning rate"`

	Step           int64     `column:"step" meaning:"steps taken"`
	_              struct{}  `meaning:"layer, 0 for the input; null in rows of the whole network"`
	Layer          float64   `column:"layer,nullable"`
	_              struct{}  `meaning:"learning, finished, or diverged: the run has no further step, or"`
	_              struct{}  `meaning:"there is no finite loss below the bound"`
	Status         runStatus `column:"status"`
	_              struct{}  `meaning:"loss of the batch of the next step, before this step; null"`
	_              struct{}  `meaning:"in rows of layers, or if infinite"`
	Loss           float64   `column:"loss,nullable"`
	_              struct{}  `meaning:"mean loss of examples of the validation, without dropout and"`
	_              struct{}  `meaning:"smoothing"`
	ValidationLoss float64   `column:"validation_loss,nullable"`
	_              struct{}  `meaning:"share of right classes of these examples; null where there are no"`
	_              struct{}  `meaning:"classes"`
	Accuracy       float64   `column:"accuracy,nullable"`
	Rate           float64   `column:"rate,nullable" meaning:"learning rate of the next step"`
	_              struct{}  `meaning:"norm of the next step's gradient, before it is clipped"`
	GradientNorm   float64   `column:"gradient_norm,nullable"`
	_              struct{}  `meaning:"mean cosine of different tokens after the layer; this"`
	_              struct{}  `meaning:"column and the next ones are null in rows of the whole"`
	_              struct{}  `meaning:"network"`
	Cosine         float64   `column:"cosine,nullable"`
	_              struct{}  `meaning:"mean entropy of rows of the layer's attention matrices; null for the"`
	_              struct{}  `meaning:"input and where their sum is not 1"`
	Entropy        float64   `column:"entropy,nullable" unit:"nats"`
	_              struct{}  `meaning:"mean stable rank of XXᵀ, where tokens after the layer are the rows of"`
	_              struct{}  `meaning:"X"`
	StableRank     float64   `column:"stable_rank,nullable"`
	Alpha          float64   `column:"alpha,nullable" meaning:"strength of attention's skip connection now"`
	Branch         float64   `column:"branch,nullable" meaning:"strength of the attention beside it"`
	_              struct{}  `meaning:"strength of the MLP's skip connection now; null without an MLP"`
	MLPAlpha       float64   `column:"mlp_alpha,nullable"`
	MLPBranch      float64   `column:"mlp_branch,nullable" meaning:"strength of the MLP beside it"`
	TokenNorm      float64   `column:"token_norm,nullable" meaning:"mean norm of a token after the layer"`
	_              struct{}  `meaning:"fraction of the pairs of tokens after the layer with a cosine ≥ 0.999"`
	Plus           float64   `column:"p_plus,nullable"`
	Minus          float64   `column:"p_minus,nullable" meaning:"fraction with a cosine ≤ -0.999"`
	_              struct{}  `meaning:"clusters: sets of tokens connected by cosines ≥ 0.999"`
	Clusters       float64   `column:"clusters,nullable"`
	_              struct{}  `meaning:"temperature τ at which gradients of queries and values of the next"`
	_              struct{}  `meaning:"layer would have one size, by the cosine and the size of these tokens"`
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
