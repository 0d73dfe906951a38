package spectrum

import (
	"cmp"
	"slices"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/sde/matrices"
)

// layered holds the values of a table, by kind of attention and layer.
type layered struct {
	*Experiment
	layers map[layerKey]*layerValues
}

type layerKey struct {
	attention matrices.Attention
	layer     int32
}

// layerValues holds the values of a layer, by sample; the values of a sample end before the first missing
// one.
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
		if r.Index != next { // a previous row is missing
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

// compareMatrix orders rows by the matrix to which they belong.
func (r Row) compareMatrix(other Row) int {
	return cmp.Or(cmp.Compare(r.Attention, other.Attention), cmp.Compare(r.Sample, other.Sample),
		cmp.Compare(r.Layer, other.Layer), cmp.Compare(r.Quantity, other.Quantity))
}

// add adds the rows of a sample, which must come by increasing index.
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

// appendTo appends a value to the last sample, or to a new sample if the index is the first.
func appendTo[T any](samples [][]T, index int32, value T) [][]T {
	if index == 1 {
		samples = append(samples, nil)
	}
	samples[len(samples)-1] = append(samples[len(samples)-1], value)
	return samples
}

// at returns a layer of a kind of attention; it is empty if the table does not have it.
func (t *layered) at(n matrices.Network, layer int) *layerValues {
	if v := t.layers[layerKey{n.Attention, int32(layer)}]; v != nil {
		return v
	}
	return &layerValues{}
}
