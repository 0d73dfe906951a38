package rankcollapse

import (
	"math"

	"antipode/experiments/internal/networks"
	"antipode/sde/network"
)

// Row is a row of the table of experiment rank-collapse: a quantity in the theory of uniform attention and in
// random networks.
type Row struct {
	_         struct{}  `meaning:"what is computed: ‖A-1/n‖²/n², ‖∂A/∂M-(I-1/n)/n‖²/n² over all rows of A,"`
	_         struct{}  `meaning:"‖X‖², correlation of tokens (mean inner product over mean squared norm),"`
	_         struct{}  `meaning:"their mean cosine, density of log10 ‖X‖², E‖∂S/∂W‖² or E‖∂S/∂X‖² (in Fig."`
	_         struct{}  `meaning:"9 of all that is after the last layer), dn²E‖∂L/∂W‖² of the mean"`
	_         struct{}  `meaning:"cross-entropy L of random classes after the last layer, or log10 of the"`
	_         struct{}  `meaning:"gradient of queries over that of values"`
	Quantity  Quantity  `column:"quantity"`
	Attention Attention `column:"attention" meaning:"attention of the networks"`
	Residual  Residual  `column:"residual" meaning:"strengths of the residual branches: 1, or 1/√L"`
	MLP       MLP       `column:"mlp" meaning:"activation of the MLP"`
	Tokens    int32     `column:"tokens" meaning:"tokens n"`
	Dim       int32     `column:"dim" meaning:"dimension d"`
	KeyDim    int32     `column:"key_dim" meaning:"dimension of keys d_k"`
	Layers    int32     `column:"layers" meaning:"layers L of the network"`
	Layer     int32     `column:"layer" meaning:"layer, 0 the input"`
	Rho       float64   `column:"rho" meaning:"correlation ρ of input tokens"`
	Sigma     float64   `column:"sigma" meaning:"standard deviation σ_x of input coordinates"`
	Position  float64   `column:"position,nullable" meaning:"of a density, log10 ‖X‖²; else null"`
	_         struct{}  `meaning:"number of inputs times the variance of the MLP's first weights: 1 of"`
	_         struct{}  `meaning:"Xavier's initialisation, 2 of He's; null in files that do not say"`
	Hidden    float64   `column:"hidden_variance,nullable"`
	// Temperature is a factor of the attention scores; keys and queries are not multiplied by it.
	_           struct{} `meaning:"factor τ of the scores; null in files that do not say, where it is 1"`
	Temperature float64  `column:"temperature,nullable"`
	_           struct{} `meaning:"the quantity with uniform attention, in theory; null where there is none"`
	Theory      float64  `column:"theory,nullable"`
	Simulated   float64  `column:"simulated,nullable" meaning:"in the mean over networks; null in Fig. 14"`
	Stderr      float64  `column:"stderr,nullable" meaning:"its standard error; null where there is none"`
	Bound       float64  `column:"bound,nullable" meaning:"of E‖∂S/∂X‖² the printed bound (8); else null"`
}

// MatrixRow is a row of the table of matrices: an entry of a matrix of a network.
type MatrixRow struct {
	Attention   Attention `column:"attention" meaning:"attention of the network"`
	Residual    Residual  `column:"residual" meaning:"strengths of the residual branches: 1, or 1/√L"`
	MLP         MLP       `column:"mlp" meaning:"activation of the MLP"`
	Tokens      int32     `column:"tokens" meaning:"tokens n"`
	Dim         int32     `column:"dim" meaning:"dimension d"`
	KeyDim      int32     `column:"key_dim" meaning:"dimension of keys d_k"`
	Layers      int32     `column:"layers" meaning:"layers L of the network"`
	Rho         float64   `column:"rho,nullable" meaning:"correlation ρ of input tokens; null of words"`
	_           struct{}  `meaning:"standard deviation σ_x of input coordinates; null of words"`
	Sigma       float64   `column:"sigma,nullable"`
	Temperature float64   `column:"temperature" meaning:"factor τ of the scores"`
	_           struct{}  `meaning:"number of inputs times the variance of the MLP's first weights: 1 of"`
	_           struct{}  `meaning:"Xavier's initialisation, 2 of He's"`
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

// Residual says which strength the residual branches of the networks have.
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
