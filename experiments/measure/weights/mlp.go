package weights

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/sphere/activation"
)

// MLP describes the action of the MLP of a layer on unit tokens.
type MLP struct {
	// Strength is c, the mean square of a coordinate of the MLP's output. Variance is w, the variance of the
	// pre-activations or, if the MLP is gated, of the pre-activations of the gate.
	Strength, Variance float64
	// Odd is the fraction of ‖F(x)‖² that is due to the odd part of the MLP's function F: 1 if F(-x) = -F(x),
	// 0 if F(-x) = F(x), and ½ if F(x) and F(-x) are uncorrelated, as for ReLU.
	Odd float64
}

// tokensOfMLP is the number of random tokens with which an MLP is measured.
const tokensOfMLP = 64

// silu returns the activation function SiLU, x/(1+e^(-x)).
func silu(x float64) float64 { return x / (1 + math.Exp(-x)) }

// at returns the activation function with the given name, one of Activations.
func at(name string) func(x float64) float64 {
	if name == "silu" {
		return silu
	}
	a, err := activation.Parse(name)
	if err != nil {
		panic("weights: " + err.Error())
	}
	return a.At
}

// measureMLP measures an MLP, without its biases, on random tokens of independent Gaussian entries.
func measureMLP(r *matrices, name string, random *rand.Rand) MLP {
	width, dim := r.up.Dims()
	tokens := mat.NewDense(dim, tokensOfMLP, nil)
	tokens.Apply(func(int, int, float64) float64 { return math.Sqrt(r.mlp) * random.NormFloat64() }, tokens)
	there := r.outputs(tokens, name)
	tokens.Scale(-1, tokens)
	back := r.outputs(tokens, name)
	var squares, both float64
	for i, y := range there.RawMatrix().Data {
		z := back.RawMatrix().Data[i]
		squares += (y*y + z*z) / 2
		both += y * z
	}
	first := r.up
	if r.gate != nil {
		first = r.gate
	}
	norm := mat.Norm(first, 2)
	m := MLP{Variance: r.mlp * norm * norm / float64(width)}
	m.Strength = squares / tokensOfMLP / float64(dim) / (r.mlp * float64(dim))
	m.Odd = (1 - both/squares) / 2 // NaN if all outputs are 0
	return m
}

// outputs returns the outputs of the MLP for input tokens that are the columns of a matrix.
func (r *matrices) outputs(tokens *mat.Dense, name string) *mat.Dense {
	phi := at(name)
	var hidden, out mat.Dense
	hidden.Mul(r.up, tokens)
	if r.gate == nil {
		hidden.Apply(func(_, _ int, v float64) float64 { return phi(v) }, &hidden)
	} else {
		var gate mat.Dense
		gate.Mul(r.gate, tokens)
		hidden.Apply(func(i, j int, v float64) float64 { return v * phi(gate.At(i, j)) }, &hidden)
	}
	out.Mul(r.down, &hidden)
	return &out
}

// correlation returns the function φ̂, which maps the overlap of two tokens to the correlation of the outputs
// of a wide MLP for these tokens. For a gated MLP, φ̂ is the correlation of the gates times the overlap.
func (m MLP) correlation(name string, gated bool) (func(z float64) float64, error) {
	w := min(activation.LargestVariance, max(activation.LeastVariance, m.Variance))
	of := siluCorrelation(w)
	if name != "silu" {
		a, err := activation.Parse(name)
		if err != nil {
			return nil, err
		}
		c, err := activation.NewCorrelation(a, w)
		if err != nil {
			return nil, err
		}
		of = c.At
	}
	if gated {
		return func(z float64) float64 { return z * of(z) }, nil
	}
	return of, nil
}

// overlapMLP returns the MLP as package overlap describes it. The result ok is false if the theory of two
// tokens does not cover the MLP.
func (m MLP) overlapMLP(name string) (mlp overlap.MLP, ok bool) {
	if !slices.Contains(activation.Names, name) || !(m.Strength > 0 && m.Strength <= overlap.MaxStrength) {
		return mlp, false
	}
	a, _ := activation.Parse(name)
	w := min(activation.LargestVariance, max(activation.LeastVariance, m.Variance))
	return overlap.MLP{Activation: a, Strength: m.Strength, Variance: w}, true
}

// siluCorrelation returns the function φ̂ of the activation SiLU at a variance w of the pre-activations. SiLU
// is x/2 plus an even function, which simplifies φ̂. The integrals are sums over a grid in the plane, with an
// error below 1e-6.
func siluCorrelation(w float64) func(z float64) float64 {
	const nodes, reach = 120, 7.
	step, root := 2*reach/nodes, math.Sqrt(w)
	kernel := func(z float64) (total float64) {
		rest := math.Sqrt(max(0, 1-z*z))
		for i := range nodes + 1 {
			x := -reach + float64(i)*step
			inner := 0.
			for j := range nodes + 1 {
				y := -reach + float64(j)*step
				inner += silu(root*(z*x+rest*y)) * math.Exp(-y*y/2)
			}
			total += silu(root*x) * math.Exp(-x*x/2) * inner
		}
		return total * step * step / (2 * math.Pi)
	}
	const points = 64 // φ̂ is interpolated linearly between so many points
	table := lists.Of(2*points+1, func(k int) float64 { return kernel(float64(k-points) / points) })
	return func(z float64) float64 {
		place := (max(-1, min(1, z)) + 1) * points
		k := min(int(place), 2*points-1)
		return (table[k] + (place-float64(k))*(table[k+1]-table[k])) / table[2*points]
	}
}
