package spectrum

import (
	"antipode/data"
	"antipode/experiments/run"
	"antipode/sde/matrices"
)

// layered are the values of a table, by kinds of attention and layers.
type layered struct {
	*Experiment
	layers map[layerKey]*layerValues
}

type layerKey struct {
	attention matrices.Attention
	layer     int32
}

// layerValues are the values of a layer, sample after sample.
type layerValues struct {
	singular, covariance [][]float64
	entries              [][]float64
	eigen                [][]complex128
	rank, excess         []float64
}

func readLayers(table *data.Table) (*layered, error) {
	t := &layered{New(), map[layerKey]*layerValues{}}
	rows, err := run.ReadRows[Row](t.Experiment, table)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		key := layerKey{r.Attention, r.Layer}
		if t.layers[key] == nil {
			t.layers[key] = &layerValues{}
		}
		t.layers[key].add(r)
	}
	return t, nil
}

func (v *layerValues) add(r Row) {
	switch r.Quantity {
	case SingularValue:
		v.singular = appendTo(v.singular, r.Index, r.Value)
	case Eigenvalue:
		v.eigen = appendTo(v.eigen, r.Index, complex(r.Value, r.Imaginary))
	case Covariance:
		v.covariance = appendTo(v.covariance, r.Index, r.Value)
	case Entry:
		v.entries = appendTo(v.entries, r.Index, r.Value)
	case StableRank:
		v.rank = append(v.rank, r.Value)
	case StableRankExcess:
		v.excess = append(v.excess, r.Value)
	}
}

// appendTo appends a value to the last sample, or to a new one if it is the first.
func appendTo[T any](samples [][]T, index int32, value T) [][]T {
	if index == 1 || len(samples) == 0 {
		samples = append(samples, nil)
	}
	samples[len(samples)-1] = append(samples[len(samples)-1], value)
	return samples
}

// at is a layer of a kind of attention; empty if the table does not have it.
func (t *layered) at(n matrices.Network, layer int) *layerValues {
	if v := t.layers[layerKey{n.Attention, int32(layer)}]; v != nil {
		return v
	}
	return &layerValues{}
}
