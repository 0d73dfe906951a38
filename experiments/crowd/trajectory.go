package crowd

import (
	"context"
	"math"
	"slices"

	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"
)

// seen is the result of one trajectory for one crowd.
type seen struct {
	outcome sphere.Outcome
	// imbalance is the imbalance of two opposite clusters at the horizon, or NaN if there are no two opposite
	// clusters.
	imbalance float64
	won       float64 // layer at which one side wins; NaN if neither does
	distance  float64 // squared energy distance to the largest crowd, or NaN
	// independent is the mean squared energy distance between the largest crowd and as many of its tokens as
	// this crowd has, drawn without replacement.
	independent float64
}

func (s seen) append(numbers []float64) []float64 {
	return append(numbers, float64(s.outcome), s.imbalance, s.won, s.distance, s.independent)
}

// seenOf decodes the numbers that the method append has written.
func seenOf(numbers []float64) seen {
	return seen{sphere.Outcome(numbers[0]), numbers[1], numbers[2], numbers[3], numbers[4]}
}

// crowd is the state of a crowd of tokens during a simulation.
type crowd struct {
	seen
	tokens     []float64
	stepper    sde.Stepper
	classifier *sphere.Classifier
	ended      bool // whether all tokens are in one cluster
}

// identities returns the identities of the Brownian paths for a dimension: one for the starts of tokens and
// one for the value matrices.
func identities(d int) (starts, matrices uint64) { return 2 * uint64(d), 2*uint64(d) + 1 }

// trajectory simulates the k-th trajectory of the crowds of all β and sizes in dimension d.
func (e *Experiment) trajectory(ctx context.Context, seed uint64, d int, k int64) ([]float64, error) {
	sizes := e.sizes()
	start := make([]float64, d*sizes[len(sizes)-1])
	starts, matrices := identities(d)
	brownian.NewPath(seed, starts, 1, len(start)).Increment(start, k, 0, 0)
	for i := 0; i < len(start); i += d {
		sphere.Normalize(start[i:i+d], start[i:i+d])
	}
	values := brownian.NewPath(seed, matrices, int(e.Depth), d*d).Sequence(0)
	var numbers []float64
	for _, beta := range e.Beta {
		values.Restart(k)
		crowds := make([]crowd, len(sizes))
		for i, n := range sizes {
			cell := e.cell(d, beta, n)
			crowds[i] = crowd{tokens: slices.Clone(start[:n*d]), stepper: sde.NewStepper(cell),
				classifier: sphere.NewClassifier(n, e.Tolerance)}
			crowds[i].won, crowds[i].distance, crowds[i].independent = math.NaN(), math.NaN(), math.NaN()
		}
		if err := e.move(ctx, crowds, d, values); err != nil {
			return nil, err
		}
		for i := range crowds {
			numbers = crowds[i].append(numbers)
		}
	}
	return numbers, nil
}

// move advances the crowds to the horizon; the largest crowd is the last. A crowd that is a single cluster at
// a multiple of the unit of time is not advanced any further, once its distance to the largest crowd has been
// measured.
func (e *Experiment) move(ctx context.Context, crowds []crowd, d int, values *brownian.Sequence) error {
	layers, compared := setting.CheckedLayers(e.Depth, e.Horizon), int64(0)
	if len(crowds) > 1 {
		compared = setting.CheckedLayers(e.Depth, e.Time)
	}
	for i := range crowds {
		crowds[i].look(d, 0)
	}
	matrix := make([]float64, d*d)
	for layer := int64(1); layer <= layers; layer++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		values.Next(matrix)
		e.cell(d, 0, 1).FromBrownian(matrix, matrix)
		for i := range crowds {
			c := &crowds[i]
			if c.ended {
				continue
			}
			if err := c.stepper.Step(c.tokens, matrix); err != nil {
				return err
			}
			c.look(d, layer)
			if layer >= compared && layer%e.Depth == 0 {
				c.ended = c.isSingle(d)
			}
		}
		if layer == compared {
			compare(crowds, d)
		}
		run.Advance(ctx, 1, 0)
	}
	for i := range crowds {
		c := &crowds[i]
		c.outcome, _ = c.classifier.Classify(c.tokens, d)
		c.imbalance = c.classifier.Masses(c.tokens, d, c.outcome).Imbalance
	}
	return nil
}

// look records the first layer after which one side has won, which means that the mean of the crowd's tokens
// is longer than ½.
func (c *crowd) look(d int, layer int64) {
	if math.IsNaN(c.won) && meanLength(c.tokens, d) > 0.5 {
		c.won = float64(layer)
	}
}

// isSingle reports whether all tokens of the crowd are in one cluster, within the tolerance.
func (c *crowd) isSingle(d int) bool {
	if math.IsNaN(c.won) {
		return false
	}
	outcome, _ := c.classifier.Classify(c.tokens, d)
	return outcome == sphere.Single
}

// meanLength returns the length of the mean of tokens x (N×d).
func meanLength(x []float64, d int) float64 {
	squares := 0.0
	for k := range d {
		sum := 0.0
		for i := k; i < len(x); i += d {
			sum += x[i]
		}
		squares += float64(sum * sum)
	}
	return math.Sqrt(squares) * float64(d) / float64(len(x))
}
