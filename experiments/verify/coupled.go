package verify

import (
	"slices"

	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"
)

// coupledValues follows coupled cells along common Brownian paths, so many of them, and
// returns the statistic of the tokens of each at the horizon, in units of time, by
// trajectory and cell.
func coupledValues(l *laboratory, cells []sde.Cell, trajectories int64, horizon float64, statistic func(x []float64, d int) float64) ([][]float64, error) {
	base := cells[0].Depth
	actual := make([]sde.Cell, len(cells))
	for k, c := range cells {
		base, actual[k] = min(base, c.Depth), l.cell(c)
	}
	values := make([][]float64, 0, trajectories)
	e := &brownian.Ensemble[[]float64]{
		Cells: actual, Trajectories: trajectories, Steps: int64(horizon * float64(base)), Seed: l.seed, Workers: 1,
		Observer: func() func(*[]float64, int, int64, []float64) {
			return func(row *[]float64, cell int, step int64, x []float64) {
				if float64(step) == horizon*float64(actual[cell].Depth) {
					if *row == nil {
						*row = make([]float64, len(cells))
					}
					(*row)[cell] = statistic(x, actual[cell].Dim)
				}
			}
		},
		Reduce: func(_ int64, row []float64) error {
			values = append(values, row)
			return nil
		},
	}
	return values, e.Run(l.context)
}

// atDepths are copies of a cell at several depths.
func atDepths(c sde.Cell, depths ...int) []sde.Cell {
	cells := slices.Repeat([]sde.Cell{c}, len(depths))
	for k, depth := range depths {
		cells[k].Depth = depth
	}
	return cells
}

// combination is the estimate of a linear combination of the means of some values.
func combination(values [][]float64, coefficients ...float64) estimate {
	return meanOf(values, func(row []float64) float64 {
		sum := 0.0
		for k, c := range coefficients {
			sum += float64(c * row[k])
		}
		return sum
	})
}

// orderOf estimates the order of convergence of means at three depths of which each
// is twice the one before: log₂ of the ratio of their differences, to first order in
// the errors.
func orderOf(values [][]float64) estimate {
	coarse, fine := combination(values, 1, -1), combination(values, 0, 1, -1)
	order := logarithmOf(estimate{coarse.value / fine.value, 0})
	order.stderr = meanOf(values, func(row []float64) float64 {
		return (row[0]-row[1])/coarse.value - (row[1]-row[2])/fine.value
	}).stderr
	return order.scaled(1 / ln2)
}

const ln2 = 0.6931471805599453

// meanSquare is the mean of the squared overlaps of all pairs of tokens.
func meanSquare(x []float64, d int) float64 {
	sum, pairs := 0.0, 0
	for i := d; i < len(x); i += d {
		for j := 0; j < i; j += d {
			z := sphere.Dot(x[i:i+d], x[j:j+d])
			sum, pairs = sum+float64(z*z), pairs+1
		}
	}
	return sum / float64(pairs)
}
