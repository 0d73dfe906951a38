package sde

import (
	"context"
	"fmt"
	"math"
)

// Extrapolation is the result of Extrapolate.
type Extrapolation struct {
	Value, StandardError float64
	// Coarse and Fine are the means at Cell.Depth and its double, and Shift their difference,
	// with its standard error. Shift is the bias of order 1/L of the mean at the larger
	// depth, up to its sign and higher orders: what was taken away.
	Coarse, Fine, Shift, ShiftError float64
	Samples                         int64
	Cost                            float64 // steps
}

// Extrapolate estimates the expectation in the limit of infinite depth from
// Cell.Depth and its double on one path:
//
//	E[2 f_2L - f_L],
//
// in which the bias of order 1/L is gone, so that of order 1/L² remains, if f is smooth: D.
// Talay, L. Tubaro, Stochastic Analysis and Applications 8 (1990) 483. It
// draws samples until the standard error is as asked. It needs no convergence along a path
// and so allows every scheme and every law of a recursion, and takes 3L steps a sample where
// Multilevel has to refine; but does not measure its own bias, for which runs at several
// depths can be compared.
//
// Errors, and what the result depends on, are as for Multilevel; decays are not judged.
func (e *Expectation) Extrapolate(ctx context.Context, standardError float64) (*Extrapolation, error) {
	if err := e.validate(standardError); err != nil {
		return nil, err
	}
	if 2*e.Cell.Depth > largestCount {
		return nil, fmt.Errorf("depth %d: its double must be at most %d", e.Cell.Depth, largestCount)
	}
	of := sampling{cell: e.Cell, steps: e.Steps, doublings: 1}
	var coarse, fine, shift, value sampleMoments
	for count := int64(firstPilot); value.count < count; {
		if err := e.draw(ctx, of, value.count, count, func(s sample) {
			coarse.add(s.coarse)
			fine.add(s.fine)
			shift.add(s.fine - s.coarse)
			value.add(float64(2*s.fine) - s.coarse)
		}); err != nil {
			return nil, err
		}
		ratio := value.standardError() / standardError
		if ratio > 1 {
			count = int64(min(math.Ceil(float64(float64(value.count)*float64(ratio*ratio)))+1, float64(2*maxSamples)))
		}
	}
	return &Extrapolation{
		Value: value.mean, StandardError: value.standardError(),
		Coarse: coarse.mean, Fine: fine.mean, Shift: shift.mean, ShiftError: shift.standardError(),
		Samples: value.count, Cost: float64(value.count) * of.work(),
	}, nil
}
