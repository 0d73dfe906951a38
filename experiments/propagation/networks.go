package propagation

import (
	"fmt"
	"math"
	"slices"

	"antipode/experiments/parameter"
	"antipode/overlap/propagation"
	"antipode/sde/network"
	"antipode/sphere/elementary"
)

// The sizes of simulated networks.
const (
	mostNetworks = 1_000_000
	mostDim      = 1 << 16
)

func dimParameter(field *int64) parameter.Parameter {
	return parameter.Parameter{Name: "dim", Meaning: "dimension d of simulated networks", Value: parameter.Whole(field, parameter.Range{Low: 3, High: mostDim})}
}

// simulated is the network of finite width that has a block of the theory as its layers; its
// input has norm q = 1 and overlap p.
func simulated(b propagation.Block, p float64, tokens, dim, layers int64) network.Network {
	n := network.Network{
		Kind:       network.Kind(slices.Index(network.KindNames, b.Kind.String())),
		Activation: network.Activation(slices.Index(network.ActivationNames, b.Activation.String())),
		Tokens:     int(tokens), Dim: int(dim), Heads: 1, Layers: int(layers),
		QueryKey2: b.Beta * math.Sqrt(elementary.Log(float64(tokens))), Value2: b.SigmaV2,
		Hidden2: b.SigmaW2, Output2: b.SigmaW2, Bias2: b.SigmaB2, AlphaSA: b.AlphaSA, AlphaMLP: b.AlphaMLP,
		Q: 1, P: p,
	}
	if tokens >= dim { // too many for given inner products of all pairs
		n.Input = network.Gaussian
	}
	return n
}

// checkNetworks refuses networks whose parameters, or memory, are out of bounds.
func checkNetworks(e network.Ensemble) error {
	if err := e.Validate(); err != nil {
		return &parameter.Error{Parameter: "dim", Value: fmt.Sprint(e.Network.Dim), Problem: err.Error()}
	}
	return nil
}

// estimate is a mean over networks with its standard error.
type estimate struct{ mean, stderr float64 }

// unknown stands for null in a table.
var unknown = estimate{math.NaN(), math.NaN()}

// estimateOf is the estimate of a number that each network has at a layer; with a single network
// its standard error is unknown.
func estimateOf(runs [][]network.Layer, layer int, number func(network.Layer) float64) estimate {
	count := float64(len(runs))
	mean, squares := 0.0, 0.0
	for _, layers := range runs {
		mean += number(layers[layer]) / count
	}
	for _, layers := range runs {
		difference := number(layers[layer]) - mean
		squares += float64(difference * difference)
	}
	if count < 2 {
		return estimate{mean, math.NaN()}
	}
	return estimate{mean, math.Sqrt(squares / float64(count*(count-1)))}
}

// logarithm is that to base 10.
func logarithm(x float64) float64 { return elementary.Log(x) / math.Ln10 }
