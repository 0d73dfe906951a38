package rankcollapse

import (
	"math"

	"antipode/experiments/internal/networks"
	"antipode/sde/network"
)

// Row is a row of the table of experiment rank-collapse: a quantity in the theory of uniform attention and in
// random networks.
type Row struct {
	_         struct{}  `meaning:"what the row is about: distance ‖A-1/n‖²/n² of attention from uniform"`
	_         struct{}  `meaning:"attention, distance ‖∂A/∂M-(I-1/n)/n‖²/n² of its derivative by the"`
	_         struct{}  `meaning:"scores M over all rows of A, squared norm ‖X‖² of the tokens,"`
	_         struct{}  `meaning:"correlation of tokens (mean inner product over mean squared norm), mean"`
	_         struct{}  `meaning:"cosine of tokens, density of log10 ‖X‖², gradient E‖∂S/∂W‖² or E‖∂S/∂X‖²"`
	_         struct{}  `meaning:"of the output S of attention (in Fig. 9 of all tokens after the last"`
	_         struct{}  `meaning:"layer), gradient dn²E‖∂L/∂W‖² of the mean cross-entropy L of random"`
	_         struct{}  `meaning:"classes after the last layer, or log10 of the gradient of queries over"`
	_         struct{}  `meaning:"that of values"`
	Quantity  Quantity  `column:"quantity"`
	Attention Attention `column:"attention" meaning:"kind of attention of the networks"`
	_         struct{}  `meaning:"strength of the residual branches: 1 (constant), or 1/√L (scaled)"`
	Residual  Residual  `column:"residual"`
	MLP       MLP       `column:"mlp" meaning:"activation of the MLP of the networks"`
	Tokens    int32     `column:"tokens" meaning:"number n of tokens in a sequence"`
	Dim       int32     `column:"dim" meaning:"dimension d of the tokens"`
	KeyDim    int32     `column:"key_dim" meaning:"dimension d_k of queries and keys"`
	Layers    int32     `column:"layers" meaning:"number L of layers of the network"`
	Layer     int32     `column:"layer" meaning:"number of the layer, where 0 is the input"`
	Rho       float64   `column:"rho" meaning:"correlation ρ of two input tokens"`
	_         struct{}  `meaning:"standard deviation σ_x of a coordinate of the input tokens"`
	Sigma     float64   `column:"sigma"`
	_         struct{}  `meaning:"value of log10 ‖X‖² at which a density is taken; null for other"`
	_         struct{}  `meaning:"quantities"`
	Position  float64   `column:"position,nullable"`
	_         struct{}  `meaning:"number of inputs times the variance of the MLP's first weights: 1 for"`
	_         struct{}  `meaning:"Xavier's initialisation, 2 for He's; null in older files, which do not"`
	_         struct{}  `meaning:"record this variance"`
	Hidden    float64   `column:"hidden_variance,nullable"`
	// Temperature is a factor of the attention scores; keys and queries are not multiplied by it.
	_           struct{} `meaning:"temperature τ, a factor that multiplies the attention scores; null in"`
	_           struct{} `meaning:"older files, in which τ is 1"`
	Temperature float64  `column:"temperature,nullable"`
	_           struct{} `meaning:"value of the row's quantity in the theory of uniform attention; null"`
	_           struct{} `meaning:"where there is no theory"`
	Theory      float64  `column:"theory,nullable"`
	_           struct{} `meaning:"mean of the row's quantity over simulated networks; null in Fig. 14"`
	Simulated   float64  `column:"simulated,nullable"`
	_           struct{} `meaning:"standard error of the column simulated; null where there is no standard"`
	_           struct{} `meaning:"error"`
	Stderr      float64  `column:"stderr,nullable"`
	_           struct{} `meaning:"bound (8) on E‖∂S/∂X‖² as the paper prints it; null for other quantities"`
	Bound       float64  `column:"bound,nullable"`
}

// MatrixRow is a row of the table of matrices: an entry of a matrix of a network.
type MatrixRow struct {
	Attention   Attention `column:"attention" meaning:"kind of attention of the network"`
	_           struct{}  `meaning:"strength of the residual branches: 1 (constant), or 1/√L (scaled)"`
	Residual    Residual  `column:"residual"`
	MLP         MLP       `column:"mlp" meaning:"activation of the MLP of the network"`
	Tokens      int32     `column:"tokens" meaning:"number n of tokens in a sequence"`
	Dim         int32     `column:"dim" meaning:"dimension d of the tokens"`
	KeyDim      int32     `column:"key_dim" meaning:"dimension d_k of queries and keys"`
	Layers      int32     `column:"layers" meaning:"number L of layers of the network"`
	_           struct{}  `meaning:"correlation ρ of two input tokens; null if the input tokens are words"`
	Rho         float64   `column:"rho,nullable"`
	_           struct{}  `meaning:"standard deviation σ_x of a coordinate of the input tokens; null if the"`
	_           struct{}  `meaning:"input tokens are words"`
	Sigma       float64   `column:"sigma,nullable"`
	_           struct{}  `meaning:"temperature τ, a factor that multiplies the attention scores"`
	Temperature float64   `column:"temperature"`
	_           struct{}  `meaning:"number of inputs times the variance of the MLP's first weights: 1 for"`
	_           struct{}  `meaning:"Xavier's initialisation, 2 for He's"`
	Hidden      float64   `column:"hidden_variance"`
	networks.Entry
}

// Quantity is what a row of the table compares, such as the squared norm of the tokens or a gradient.
type Quantity int8

// The quantities that a row of the table compares.
const (
	Distance Quantity = iota
	SquaredNorm
	Correlation
	Density
	QueryGradient
	KeyGradient
	LogRatio
	MeanCosine
	ValueGradient
	InputGradient
	DerivativeDistance
	QueryLoss
	KeyLoss
	ValueLoss
)

var quantityNames = []string{
	"distance", "squared-norm", "correlation", "density", "query-gradient", "key-gradient", "log-ratio",
	"mean-cosine", "value-gradient", "input-gradient", "derivative-distance",
	"query-loss", "key-loss", "value-loss",
}

// Labels returns the names of the quantities, in the order of the constants.
func (Quantity) Labels() []string { return quantityNames }

// String returns the name of the quantity.
func (q Quantity) String() string { return quantityNames[q] }

// Attention is the kind of attention of the networks.
type Attention int8

// The kinds of attention of the networks: softmax, or uniform over all tokens.
const (
	Softmax Attention = iota
	Uniform
)

// Labels returns the names of the kinds of attention, in the order of the constants.
func (Attention) Labels() []string { return []string{"softmax", "uniform"} }

// Residual is how the strength of the residual branches of a network depends on the number of its layers.
type Residual int8

// The strengths of the residual branches: 1 in every network, or 1/√L in networks of L layers.
const (
	Constant Residual = iota
	Scaled
)

// Labels returns the names of the strengths of residual branches, in the order of the constants.
func (Residual) Labels() []string { return []string{"constant", "scaled"} }

// MLP is the activation function of the MLPs of the networks.
type MLP int8

// The activation functions of the MLPs.
const (
	Linear MLP = iota
	ReLU
)

// Labels returns the names of the activation functions, in the order of the constants.
func (MLP) Labels() []string { return []string{"linear", "relu"} }

// rowOf returns a row that describes a network. The results in the row are null.
func rowOf(n network.Network, quantity Quantity, residual Residual) Row {
	keys := n.KeyDim
	if keys == 0 {
		keys = n.Dim
	}
	r := Row{
		Quantity: quantity, Residual: residual,
		Tokens: int32(n.Tokens), Dim: int32(n.Dim), KeyDim: int32(keys), Layers: int32(n.Layers),
		Rho: n.P / n.Q, Sigma: math.Sqrt(n.Q),
		Hidden: n.Hidden2, Temperature: 1,
		Position: math.NaN(), Theory: math.NaN(), Simulated: math.NaN(), Stderr: math.NaN(),
		Bound: math.NaN(),
	}
	if n.Uniform {
		r.Attention = Uniform
	}
	if n.Activation == network.ReLU {
		r.MLP = ReLU
	}
	return r
}
