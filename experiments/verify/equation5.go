package verify

import (
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"
)

// equation5 follows a token over the second layer, and over the 16 layers in its time of a recursion as
// many times as deep on the same Brownian path, which for it is the path of the limit. Between layers
// that is a bridge, which a straight line is away from by θ(1-θ) in the mean square, and one that stays
// behind by θ, in units of the mean square of a layer's step: with the interpolation factor in print,
// which is 1/L² of the right one, a path all but stays, to jump at the next layer.
func equation5(l *laboratory, r *report) error {
	const depth, within, trajectories, relativeOrder = 1024, 16, 40_000, 0.01
	c := transformerPair(3, 1, sde.Softmax, depth, 0)
	c.Method = sde.Tokens
	field := make([]float64, 6)
	c.Field(field, []float64{1, 0, 0, 0, 1, 0})
	step := float64(c.Dim-1) * sphere.Dot(field[:3], field[:3]) / depth
	layers, err := secondLayers(l, c, within, trajectories)
	if err != nil {
		return err
	}
	distance := func(factor float64) estimate { // for an interpolation by θ times the factor
		return meanOf(layers, func(layer secondLayer) float64 {
			sum := 0.0
			for k, x := range layer.fine {
				theta := factor * float64(k+1) / within
				for i, v := range x {
					sum += square(v-layer.before[i]-float64(theta*(layer.after[i]-layer.before[i]))) / step
				}
			}
			return sum
		})
	}
	bridge, stays := 0.0, 0.0
	for k := 1; k < within; k++ {
		theta := float64(k) / within
		bridge += theta * (1 - theta)
		stays += theta
	}
	r.normal("squared distance to the limit's path with L(t-n/L)", bridge, distance(1), 0.015, relativeOrder*bridge)
	r.refute(stays)
	r.normal("squared distance to the limit's path with (t-n/L)/L", stays, distance(1./depth/depth), 0.05, relativeOrder*stays)
	r.refute(bridge)
	return nil
}

// secondLayer is where a token is before and after the second layer, and between in a finer recursion.
type secondLayer struct {
	before, after [3]float64
	fine          [][3]float64
}

// secondLayers follows the first token of a cell, and of one so many times as deep.
func secondLayers(l *laboratory, c sde.Cell, times int, trajectories int64) ([]secondLayer, error) {
	rows := make([]secondLayer, 0, trajectories)
	e := &brownian.Ensemble[secondLayer]{
		Cells: []sde.Cell{l.cell(c), l.cell(atDepths(c, times*c.Depth)[0])}, Trajectories: trajectories, Steps: 2,
		Seed: l.seed, Workers: 1,
		Observer: func() func(*secondLayer, int, int64, []float64) {
			return func(row *secondLayer, cell int, step int64, x []float64) {
				token := [3]float64(x[:3])
				switch {
				case cell == 0 && step == 1:
					row.before = token
				case cell == 0:
					row.after = token
				case step > int64(times) && step < 2*int64(times):
					row.fine = append(row.fine, token)
				}
			}
		},
		Reduce: func(_ int64, row secondLayer) error {
			rows = append(rows, row)
			return nil
		},
	}
	return rows, e.Run(l.context)
}
