package spectrum

import (
	"slices"

	"antipode/experiments/parameter"
	"antipode/sde/matrices"
)

// The texts of common standard deviations of query and key weights.
const (
	standardKeys = "1"
	xavierKeys   = "xavier"
)

var keyScaleRange = parameter.Range{Low: 0, High: 3, Open: true}

// keyScale is a parameter value: the standard deviation of the entries of query and key matrices, as a number
// or xavier.
type keyScale struct{ field *string }

func (v keyScale) Set(text string) error {
	if text != xavierKeys {
		var x float64
		if parameter.Real(&x, keyScaleRange).Set(text) != nil {
			return parameter.MustBe(v)
		}
		text = parameter.FormatReal(x)
	}
	*v.field = text
	return nil
}
func (v keyScale) String() string { return *v.field }
func (v keyScale) Allowed() string {
	var x float64
	return parameter.Real(&x, keyScaleRange).Allowed() + " or " + xavierKeys
}
func (v keyScale) Placeholder() string     { return "NUMBER" }
func (v keyScale) Bounds() parameter.Range { return keyScaleRange }
func (v keyScale) Absent() string          { return xavierKeys }
func (v keyScale) Check() error {
	text := *v.field
	return keyScale{&text}.Set(text)
}

// keyScaleOf returns the standard deviation of query and key weights for which a text stands in a network.
func keyScaleOf(text string, n matrices.Network) float64 {
	if text == xavierKeys {
		return n.XavierScale()
	}
	x, _ := parameter.ParseNumber(text) // 0 for a text that Validate refuses
	return x
}

// hasScores reports whether any of the kinds of attention uses queries and keys.
func (s *Experiment) hasScores() bool {
	return slices.ContainsFunc(s.Attention, matrices.Attention.HasScores)
}
