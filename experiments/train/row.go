package train

import (
	"antipode/sde/network"
	"antipode/sde/training"
)

// Row is a row of the table: what a network is like after some steps, as a whole, or a layer of it.
type Row struct {
	Run          int32         `column:"run" meaning:"number of the run, from 0: settings one after the other, each with all seeds"`
	Seed         int64         `column:"seed" meaning:"seed of the run: of weights and data"`
	Task         taskLabel     `column:"task" meaning:"what is learned"`
	Layers       int32         `column:"layers" meaning:"layers of the network"`
	Norm         normLabel     `column:"norm" meaning:"where LayerNorm stands"`
	Attention    attentionName `column:"attention" meaning:"kind of attention"`
	Values       valueLabel    `column:"values" meaning:"law of the value matrices"`
	AlphaSA      float64       `column:"alpha_sa" meaning:"strength α of attention's skip connection at first"`
	Beta         float64       `column:"beta,nullable" meaning:"scale β of query and key weights at first, of variance β√log T/d; null where attention has none"`
	SigmaV2      float64       `column:"sigma_v2" meaning:"d times the variance of value weights at first, σ_v²"`
	Branches     float64       `column:"branches" meaning:"strength of the branches beside their skip connections at first"`
	Overlap      float64       `column:"overlap,nullable" meaning:"overlap of the embeddings of different words at first; null without words"`
	Optimiser    ruleLabel     `column:"optimiser" meaning:"rule by which weights follow from gradients"`
	LearningRate float64       `column:"learning_rate" meaning:"the largest learning rate"`

	Step           int64     `column:"step" meaning:"steps taken"`
	Layer          float64   `column:"layer,nullable" meaning:"layer, 0 for the input; null in rows of the whole network"`
	Status         runStatus `column:"status" meaning:"learning, finished, or diverged: the run has no further step, or there is no finite loss below the bound"`
	Loss           float64   `column:"loss,nullable" meaning:"loss of the next step's batch, as it is learned from; null in rows of layers, or if infinite"`
	ValidationLoss float64   `column:"validation_loss,nullable" meaning:"mean loss of examples of the validation, without dropout and smoothing"`
	Accuracy       float64   `column:"accuracy,nullable" meaning:"share of right classes of these examples; null where there are no classes"`
	Rate           float64   `column:"rate,nullable" meaning:"learning rate of the next step"`
	GradientNorm   float64   `column:"gradient_norm,nullable" meaning:"norm of the next step's gradient, before it is clipped"`
	Cosine         float64   `column:"cosine,nullable" meaning:"mean cosine of different tokens behind the layer; null in rows of the whole network, as all that follow"`
	Entropy        float64   `column:"entropy,nullable" unit:"nats" meaning:"mean entropy of rows of the layer's attention matrices; null for the input and where their sum is not 1"`
	StableRank     float64   `column:"stable_rank,nullable" meaning:"mean stable rank of XXᵀ, where tokens behind the layer are the rows of X"`
	Alpha          float64   `column:"alpha,nullable" meaning:"strength of attention's skip connection now"`
	Branch         float64   `column:"branch,nullable" meaning:"strength of the attention beside it"`
	MLPAlpha       float64   `column:"mlp_alpha,nullable" meaning:"strength of the MLP's skip connection now; null without an MLP"`
	MLPBranch      float64   `column:"mlp_branch,nullable" meaning:"strength of the MLP beside it"`
}

// The labels of columns are the names of parameters.
type (
	taskLabel     string
	normLabel     string
	attentionName string
	valueLabel    string
	ruleLabel     string
	runStatus     string
)

// Labels implements data.Labelled.
func (taskLabel) Labels() []string { return taskNames }

// Labels implements data.Labelled.
func (normLabel) Labels() []string { return network.PlacementNames }

// Labels implements data.Labelled.
func (attentionName) Labels() []string { return attentionNames }

// Labels implements data.Labelled.
func (valueLabel) Labels() []string { return valueNames }

// Labels implements data.Labelled.
func (ruleLabel) Labels() []string { return training.RuleNames }

// The states of a run.
const (
	learning runStatus = "learning"
	finished runStatus = "finished"
	diverged runStatus = "diverged"
)

// Labels implements data.Labelled.
func (runStatus) Labels() []string {
	return []string{string(learning), string(finished), string(diverged)}
}
