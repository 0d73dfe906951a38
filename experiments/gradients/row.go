package gradients

import "antipode/experiments/internal/networks"

// MatrixRow is a row of the table of matrices: an entry of a matrix of a simulated network.
type MatrixRow struct {
	Tokens int32    `column:"tokens" meaning:"tokens T of a sequence"`
	Dim    int32    `column:"dim" meaning:"dimension d"`
	_      struct{} `meaning:"scale β of query and key weights"`
	Beta   float64  `column:"weight_beta" formerly:"beta"`
	networks.Entry
}

// Row is a row of the table of experiment gradients: the gradients with respect to one weight matrix of one
// layer.
type Row struct {
	_           struct{}         `meaning:"tokens T of a sequence; null in files that do not say"`
	Tokens      float64          `column:"tokens,nullable"`
	Dim         float64          `column:"dim,nullable" meaning:"dimension d; null in files that do not say"`
	_           struct{}         `meaning:"scale β of query and key weights"`
	Beta        float64          `column:"weight_beta" formerly:"beta"`
	Layer       int32            `column:"layer" meaning:"layer, from 1"`
	_           struct{}         `meaning:"β above which the layer's attention condenses, in the limit of"`
	_           struct{}         `meaning:"many tokens; null where all tokens agree"`
	BetaC       float64          `column:"beta_c,nullable"`
	Weights     networks.Weights `column:"weights" meaning:"matrix with respect to which the derivative is"`
	_           struct{}         `meaning:"E‖∂/∂W‖²/(d²T) of the layer's own attention or MLP, in theory"`
	Theory      float64          `column:"theory"`
	Simulated   float64          `column:"simulated" meaning:"the same in the mean over networks"`
	_           struct{}         `meaning:"its standard error; null for a single network"`
	Stderr      float64          `column:"stderr,nullable"`
	_           struct{}         `meaning:"E‖∂/∂W‖²/(d²T) of the output of the network, in the mean over"`
	_           struct{}         `meaning:"networks; null where the gradient is that of a loss"`
	Whole       float64          `column:"whole,nullable"`
	WholeStderr float64          `column:"whole_stderr,nullable" meaning:"its standard error"`
	_           struct{}         `meaning:"T/d E‖∂L/∂W‖² of the mean cross-entropy L of random classes after"`
	_           struct{}         `meaning:"the last layer, in the mean over networks; null but in Fig. 3c"`
	Loss        float64          `column:"loss,nullable"`
	LossStderr  float64          `column:"loss_stderr,nullable" meaning:"its standard error"`
}
