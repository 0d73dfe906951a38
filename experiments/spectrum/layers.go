package spectrum

import (
	"cmp"
	"slices"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/sde/matrices"
)

// layered holds the values of a table by kind of attention and layer.
type layered struct {
	*Experiment
	layers map[layerKey]*layerValues
}

type layerKey struct {
	attention matrices.Attention
	layer     int32
}

// layerValues holds the values of a layer for each sample of the network. If a value of a sample is missing,
// this value and all later values of the sample are left out.
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
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(a.compareMatrix(b), cmp.Compare(a.Index, b.Index))
	})
	next := int32(1)
	for k, r := range rows {
		if k > 0 && r.compareMatrix(rows[k-1]) != 0 {
			next = 1
		}
		if r.Index != next { // the row before is missing
			continue
		}
		next++
		key := layerKey{r.Attention, r.Layer}
		if t.layers[key] == nil {
			t.layers[key] = &layerValues{}
		}
		t.layers[key].add(r)
	}
	return t, nil
}

// compareMatrix compares the attention matrices to which two rows belong, to sort the rows.
func (r Row) compareMatrix(other Row) int {
	return cmp.Or(cmp.Compare(r.Attention, other.Attention), cmp.Compare(r.Sample, other.Sample),
		cmp.Compare(r.Layer, other.Layer), cmp.Compare(r.Quantity, other.Quantity))
}

// add adds a row of a sample to the values of its layer. The rows of a sample must be added in the order of
// increasing index.
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

// appendTo appends a value to the last sample or, if its index is 1, to a new sample.
func appendTo[T any](samples [][]T, index int32, value T) [][]T {
	if index == 1 {
		samples = append(samples, nil)
	}
	samples[len(samples)-1] = append(samples[len(samples)-1], value)
	return samples
}

// every reports whether a condition holds for the values of all layers of a kind of attention.
func (t *layered) every(n matrices.Network, holds func(v *layerValues) bool) bool {
	return !slices.ContainsFunc(layersOf(n), func(layer int) bool { return !holds(t.at(n, layer)) })
}

// at returns the values of a layer of a kind of attention. The result has no values if the table does not
// have the layer.
func (t *layered) at(n matrices.Network, layer int) *layerValues {
	if v := t.layers[layerKey{n.Attention, int32(layer)}]; v != nil {
		return v
	}
	return &layerValues{}
}
