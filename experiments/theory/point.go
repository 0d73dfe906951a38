package theory

import (
	"context"
	"errors"
	"iter"
	"math"

	"antipode/overlap"
	"antipode/sde"
	"antipode/sde/ordered"
)

// Point holds the predictions of the theory for two tokens of a cell that start uniformly. A prediction that
// the theory does not make is NaN.
type Point struct {
	Limit float64 // probability of the antipodal outcome at infinite depth and horizon
	// LimitSingle is the probability of a single cluster at infinite depth and horizon. LimitMean is the mean
	// overlap under the stationary law, which exists if neither the antipodal outcome nor a single cluster is
	// attracting. LimitMean is NaN if there is no stationary law.
	LimitSingle, LimitMean float64
	Horizon                Horizon // probabilities at infinite depth
	Depth                  Depth
	Thresholds             Thresholds
	Derivatives            []Derivative // with respect to the parameters of the Question
}

// Question says which probabilities of the outcomes of a cell the theory is asked for. Layers is the number
// of layers up to the Horizon, a time. An overlap within Tolerance of ±1 counts as ±1. The number of layers
// is used at finite depth, and the horizon at infinite depth.
type Question struct {
	Layers             int64
	Horizon, Tolerance float64
	By                 []overlap.Parameter // parameters with respect to which derivatives are asked for
}

// Points returns the predictions of the theory for all cells in order. The predictions are computed in
// several goroutines (workers; 0 stands for one per processor), only a few cells ahead of the consumer. An
// error, possibly that of the context, comes with the last prediction.
func (q Question) Points(ctx context.Context, workers int, cells []sde.Cell) iter.Seq2[Point, error] {
	return func(yield func(Point, error) bool) {
		var known thresholds
		point := func(_ context.Context, cell int64) (Point, error) { return q.point(cells[cell], &known) }
		err := ordered.Each(ctx, workers, int64(len(cells)), nil,
			func() func(context.Context, int64) (Point, error) { return point },
			func(_ int64, p Point) error {
				if !yield(p, nil) {
					return errEnough
				}
				return nil
			})
		if err != nil && err != errEnough {
			yield(Point{}, err)
		}
	}
}

// errEnough says that the consumer of Points wants no further predictions.
var errEnough = errors.New("enough")

func (q Question) point(c sde.Cell, known *thresholds) (Point, error) {
	nan := math.NaN()
	p := Point{nan, nan, nan, Unknown, UnknownDepth, UnknownThresholds, nil}
	for range q.By {
		p.Derivatives = append(p.Derivatives, UnknownDerivative)
	}
	if !Holds(c) {
		return p, nil
	}
	diffusion, err := Diffusion(c)
	if err != nil {
		return p, err
	}
	p.Limit, p.LimitSingle = LimitProbability(diffusion), diffusion.SingleUniform().Value
	if law, exists := diffusion.Stationary(); exists {
		p.LimitMean = law.Mean()
	}
	p.Horizon = q.atHorizon(diffusion)
	p.Depth = AtDepth(c, q.Layers, q.Tolerance)
	p.Derivatives = q.derivatives(c, diffusion)
	p.Thresholds, err = known.of(c)
	return p, err
}

// atHorizon returns the probabilities of the outcomes at the horizon and infinite depth. The result is
// Unknown if the time of the diffusion is out of the range of the theory.
func (q Question) atHorizon(d *overlap.Diffusion) Horizon {
	const accuracy = 1e-5
	law, err := LawAt(d, nil, q.Horizon, accuracy)
	if err != nil {
		return Unknown
	}
	return HorizonOf(law, q.Tolerance)
}
