package overlap

import (
	"bytes"
	"encoding/json"
	"math"
)

// Noises are the noise amplitudes ε of the hybrid model; an empty list stands for random value matrices. In
// JSON an empty list is null, and a list of one amplitude is a number.
type Noises []float64

// MarshalJSON implements json.Marshaler.
func (n Noises) MarshalJSON() ([]byte, error) {
	if len(n) == 1 {
		return json.Marshal(n[0])
	}
	return json.Marshal([]float64(n))
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Noises) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("[")) || bytes.Equal(text, []byte("null")) {
		return json.Unmarshal(text, (*[]float64)(n))
	}
	*n = make(Noises, 1)
	return json.Unmarshal(text, &(*n)[0])
}

// noises returns the noise amplitudes ε of the grid. Without the hybrid model the only amplitude is NaN.
func (o *Experiment) noises() []float64 {
	if o.Epsilon == nil {
		return []float64{math.NaN()}
	}
	return o.Epsilon
}

// at returns the experiment with a single noise amplitude ε; NaN stands for random value matrices.
func (o *Experiment) at(epsilon float64) *Experiment {
	if len(o.Epsilon) <= 1 {
		return o
	}
	one := *o
	one.Epsilon = Noises{epsilon}
	return &one
}
