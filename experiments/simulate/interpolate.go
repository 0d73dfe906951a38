package simulate

import (
	"math"

	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/sde"
)

// moment is a time that is saved. A moment lies between a layer and the next layer, after the fraction θ of
// the way, 0 ≤ θ < 1.
type moment struct {
	layer int64
	theta float64
}

// time returns the moment in units of time, which are depth layers.
func (m moment) time(depth int64) float64 { return (float64(m.layer) + m.theta) / float64(depth) }

// interpolation returns the parameter of the switch that allows times between layers.
func (s *Experiment) interpolation() parameter.Parameter {
	return parameter.Parameter{Name: "interpolate",
		Meaning: "interpolates tokens between layers along the line from one layer to the next, as in " +
			"equation (5): --every may then be any time",
		Value: parameter.Switch{On: &s.Interpolate},
		Inapplicable: parameter.Unless(s.savesPath(),
			"outcomes, attention and densities belong to layers; must be left out, or with --save overlaps "+
				"or states")}
}

// savesPath reports whether the content of the table is also defined at times between layers.
func (s *Experiment) savesPath() bool {
	return !s.splits() && (s.Save == saveOverlaps || s.Save == saveStates)
}

func (s *Experiment) interpolates() bool { return s.Interpolate && s.savesPath() }

// every returns the number of layers between two saved times. The number of layers is an integer unless
// tokens are interpolated between layers.
func (s *Experiment) every() (float64, error) {
	if s.interpolates() {
		return s.Every * float64(s.Depth), nil
	}
	layers, err := setting.LayersIn("every", s.Depth, s.Every)
	if refused, is := err.(*parameter.Error); is && s.savesPath() && s.Method != sde.Chain {
		refused.Problem += "; or use --interpolate"
	}
	return float64(layers), err
}

// mostMoments returns an upper bound of the number of saved times. The bound is exact unless it is so large
// that rounding matters.
func mostMoments(horizon int64, every float64) float64 {
	return math.Ceil(float64(horizon)/every*(1-0x1p-45)) + 1
}

// momentsOf returns the saved times: those of 0, every, 2·every, … layers, and the horizon.
func momentsOf(horizon int64, every float64) (moments []moment) {
	for k := 0; ; k++ {
		layers := float64(k) * every
		// A product of decimal numbers may differ from an integer by rounding errors.
		if n := math.Round(layers); math.Abs(layers-n) < 0x1p-45*max(1, layers) {
			layers = n
		}
		if layers >= float64(horizon) {
			return append(moments, moment{layer: horizon})
		}
		whole, theta := math.Modf(layers)
		moments = append(moments, moment{int64(whole), theta})
	}
}

// layersOf returns the layers, in ascending order, that determine the tokens at some saved times.
func layersOf(moments []moment) (layers []int64) {
	add := func(layer int64) {
		if len(layers) == 0 || layers[len(layers)-1] < layer {
			layers = append(layers, layer)
		}
	}
	for _, m := range moments {
		add(m.layer)
		if m.theta > 0 {
			add(m.layer + 1)
		}
	}
	return layers
}

// interpolated returns a function that observes a trajectory at the layers that determine the tokens at the
// given moments. The observer calls keep with the tokens at each moment. By (5) of Fedorov et al. the tokens
// between layers n and n+1 are X_n + θ(X_{n+1} - X_n) with θ = L(t - n/L). The paper has θ = (t - n/L)/L,
// with which the path would not reach the next layer.
func interpolated(
	keep func(row *saved, v *sde.View), moments []moment, dim int,
) func(row *saved, v *sde.View) {
	var x []float64
	return func(row *saved, v *sde.View) {
		for ; row.moments < len(moments); row.moments++ {
			switch m := moments[row.moments]; {
			case m.layer > v.Layer:
				return
			case m.theta == 0:
				keep(row, v)
			case m.layer == v.Layer: // the next layer is not known yet
				row.before = append(row.before[:0], v.Tokens()...)
				return
			default:
				x = x[:0]
				for k, after := range v.Tokens() {
					x = append(x, row.before[k]+float64(m.theta*(after-row.before[k])))
				}
				keep(row, sde.NewView(v.Trajectory, m.layer, x, dim))
			}
		}
		row.before = nil
	}
}
