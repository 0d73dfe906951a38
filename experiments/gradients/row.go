package gradients

import "antipode/experiments/internal/networks"

// MatrixRow is a row of the table of matrices: an entry of one of a network.
type MatrixRow struct {
	Tokens int32   `column:"tokens" meaning:"tokens T of a sequence"`
	Dim    int32   `column:"dim" meaning:"dimension d"`
	Beta   float64 `column:"beta" meaning:"scale β of query and key weights"`
	networks.Entry
}

// Row is a row of the table: the gradients by one matrix of one layer.
type Row struct {
	Tokens      float64          `column:"tokens,nullable" meaning:"tokens T of a sequence; null in files that do not say"`
	Dim         float64          `column:"dim,nullable" meaning:"dimension d; null in files that do not say"`
	Beta        float64          `column:"beta" meaning:"scale β of query and key weights"`
	Layer       int32            `column:"layer" meaning:"layer, from 1"`
	BetaC       float64          `column:"beta_c,nullable" meaning:"β above which the layer's attention condenses, in the limit of many tokens; null where all tokens agree"`
	Weights     networks.Weights `column:"weights" meaning:"matrix with respect to which the derivative is"`
	Theory      float64          `column:"theory" meaning:"E‖∂/∂W‖²/(d²T) of the layer's own attention or MLP, in theory"`
	Simulated   float64          `column:"simulated" meaning:"the same in the mean over networks"`
	Stderr      float64          `column:"stderr,nullable" meaning:"its standard error; null for a single network"`
	Whole       float64          `column:"whole,nullable" meaning:"E‖∂/∂W‖²/(d²T) of the output of the network, in the mean over networks; null where the gradient is that of a loss"`
	WholeStderr float64          `column:"whole_stderr,nullable" meaning:"its standard error"`
	Loss        float64          `column:"loss,nullable" meaning:"T/d E‖∂L/∂W‖² of the mean cross-entropy L of random classes behind the last layer, in the mean over networks; null but in Fig. 3c"`
	LossStderr  float64          `column:"loss_stderr,nullable" meaning:"its standard error"`
}
