package residual

import (
	"context"
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/internal/fit"
	"antipode/sde/brownian"
	"antipode/sde/residual"
	"antipode/sphere/elementary"
)

// regime is a combination of a kind of value matrices and a scaling of the residual branch.
type regime struct {
	Values  Values
	Scaling Scaling
}

// String names the regime.
func (r regime) String() string {
	return fmt.Sprintf("%s, %s", r.Values.Labels()[r.Values], r.Scaling.Labels()[r.Scaling])
}

// regime returns the regime of a row of the table.
func (r Row) regime() regime { return regime{r.Values, r.Scaling} }

// regimes are the four regimes of Table 1. Only the first two regimes have a nontrivial limit.
var regimes = []regime{{Identity, Inverse}, {Gaussian, InverseRoot}, {Gaussian, Inverse},
	{Identity, InverseRoot}}

// kinds is the number of statistics of the tokens.
const kinds = 2

// measure returns the mean logarithm of the norms of tokens x, and the mean cosine over pairs of tokens. The
// mean cosine is 0 for a single token.
func measure(x []float64, dim int) [kinds]float64 {
	var norms []float64
	logarithms := 0.0
	for i := 0; i < len(x); i += dim {
		norms = append(norms, math.Sqrt(fit.Inner(x[i:i+dim], x[i:i+dim])))
		logarithms += elementary.Log(norms[len(norms)-1])
	}
	cosines, pairs := 0.0, 0.0
	for i := range norms {
		for j := range i {
			pairs++
			cosines += fit.Inner(x[i*dim:(i+1)*dim], x[j*dim:(j+1)*dim]) / float64(norms[i]*norms[j])
		}
	}
	return [kinds]float64{logarithms / float64(len(norms)), cosines / max(1, pairs)}
}

// numbers returns how many numbers a sample yields: the statistics of the tokens at the start, at the horizon
// of the ordinary differential equation, and at the horizon of each regime and depth.
func (e *Experiment) numbers() int { return kinds * (2 + len(regimes)*len(e.depths())) }

// The identities of the Brownian paths for the starts of tokens and for the value matrices.
const startIdentity, matrixIdentity = 1, 2

// sample simulates all regimes and depths from one start of the tokens.
func (e *Experiment) sample(ctx context.Context, seed uint64, sample int64) ([]float64, error) {
	d, depths, start := int(e.Dim), e.depths(), e.start(seed, sample)
	numbers := make([]float64, 0, e.numbers())
	add := func(x []float64) {
		for _, v := range measure(x, d) {
			numbers = append(numbers, data.FiniteOrNaN(v))
		}
	}
	add(start)
	add(e.flow(start))
	path := brownian.NewPath(seed, matrixIdentity, depths[0], d*d)
	increment := make([]float64, d*d)
	for _, r := range regimes {
		for _, depth := range depths {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			level, err := path.Level(depth)
			if err != nil {
				return nil, err
			}
			tokens, alpha := residual.New(start, d, e.Beta), r.Scaling.of(depth)
			sequence := path.Sequence(level)
			sequence.Restart(sample)
			for range int(math.Round(float64(depth) * e.Horizon)) {
				if r.Values == Identity {
					tokens.AddField(alpha)
					continue
				}
				sequence.Next(increment) // a standard normal matrix divided by √L
				factor := float64(alpha * math.Sqrt(float64(depth)))
				for k := range increment {
					increment[k] = float64(factor * increment[k])
				}
				tokens.AddProduct(increment)
			}
			add(tokens.X)
		}
	}
	return numbers, nil
}

// start samples the start of a sample: independent tokens that are uniform on the sphere.
func (e *Experiment) start(seed uint64, sample int64) []float64 {
	d := int(e.Dim)
	start := make([]float64, int(e.Tokens)*d)
	brownian.NewPath(seed, startIdentity, 1, len(start)).Increment(start, sample, 0, 0)
	for i := 0; i < len(start); i += d {
		x := start[i : i+d]
		norm := math.Sqrt(fit.Inner(x, x))
		for k := range x {
			x[k] /= norm
		}
	}
	return start
}

// flowSteps returns the number of steps of the ordinary differential equation, each with two fields.
func (e *Experiment) flowSteps() float64 { return math.Ceil(1000 * max(1, e.Horizon)) }

// flow returns the tokens that the ordinary differential equation gives at the horizon, with an error of
// about 1e-6.
func (e *Experiment) flow(start []float64) []float64 {
	tokens := residual.New(start, int(e.Dim), e.Beta)
	steps := e.flowSteps()
	for range int(steps) {
		tokens.Flow(e.Horizon / steps)
	}
	return tokens.X
}
