package gradients

import "antipode/experiments/internal/networks"

// MatrixRow is a row of the table of matrices: an entry of a matrix of a simulated network.
type MatrixRow struct {
	Tokens int32    `column:"tokens" meaning:"number T of tokens in a sequence"`
	Dim    int32    `column:"dim" meaning:"dimension d of the tokens"`
	_      struct{} `meaning:"scale β of query and key weights, whose variance is β√log T/d for T tokens of"`
	_      struct{} `meaning:"dimension d"`
	Beta   float64  `column:"weight_beta" formerly:"beta"`
	networks.Entry
}

// Row is a row of the table of experiment gradients: the gradients with respect to one weight matrix of one
// layer.
type Row struct {
	_           struct{}         `meaning:"number T of tokens in a sequence; null in older files, which do"`
	_           struct{}         `meaning:"not record this number"`
	Tokens      float64          `column:"tokens,nullable"`
	_           struct{}         `meaning:"dimension d of the tokens; null in older files, which do not"`
	_           struct{}         `meaning:"record the dimension"`
	Dim         float64          `column:"dim,nullable"`
	_           struct{}         `meaning:"scale β of query and key weights, whose variance is β√log T/d for"`
	_           struct{}         `meaning:"T tokens of dimension d"`
	Beta        float64          `column:"weight_beta" formerly:"beta"`
	Layer       int32            `column:"layer" meaning:"number of the layer, counted from 1"`
	_           struct{}         `meaning:"critical scale β of query and key weights, above which attention"`
	_           struct{}         `meaning:"in this layer condenses on few tokens, in the limit of many"`
	_           struct{}         `meaning:"tokens; null where all tokens agree"`
	BetaC       float64          `column:"beta_c,nullable"`
	_           struct{}         `meaning:"weight matrix W with respect to which the derivative is taken"`
	Weights     networks.Weights `column:"weights"`
	_           struct{}         `meaning:"mean squared norm E‖∂/∂W‖²/(d²T) of the derivative of the output"`
	_           struct{}         `meaning:"of the layer's own attention or MLP with respect to the weight"`
	_           struct{}         `meaning:"matrix W, in theory"`
	Theory      float64          `column:"theory"`
	_           struct{}         `meaning:"mean squared norm E‖∂/∂W‖²/(d²T) of the derivative of the output"`
	_           struct{}         `meaning:"of the layer's own attention or MLP with respect to the weight"`
	_           struct{}         `meaning:"matrix W, over simulated networks"`
	Simulated   float64          `column:"simulated"`
	_           struct{}         `meaning:"standard error of the column simulated; null for a single network"`
	Stderr      float64          `column:"stderr,nullable"`
	_           struct{}         `meaning:"mean squared norm E‖∂/∂W‖²/(d²T) of the derivative of the output"`
	_           struct{}         `meaning:"of the whole network with respect to the weight matrix W, over"`
	_           struct{}         `meaning:"simulated networks; null where a loss is differentiated"`
	Whole       float64          `column:"whole,nullable"`
	_           struct{}         `meaning:"standard error of the column whole; null where whole is null, and"`
	_           struct{}         `meaning:"for a single network"`
	WholeStderr float64          `column:"whole_stderr,nullable"`
	_           struct{}         `meaning:"mean squared norm T/d E‖∂L/∂W‖² of the derivative of a loss L"`
	_           struct{}         `meaning:"with respect to the weight matrix W, over simulated networks; L"`
	_           struct{}         `meaning:"is the mean cross-entropy of random classes after the last layer;"`
	_           struct{}         `meaning:"null except in Fig. 3c"`
	Loss        float64          `column:"loss,nullable"`
	_           struct{}         `meaning:"standard error of the column loss; null where loss is null, and"`
	_           struct{}         `meaning:"for a single network"`
	LossStderr  float64          `column:"loss_stderr,nullable"`
}
