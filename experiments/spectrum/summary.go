package spectrum

import (
	"encoding/json"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/internal/lists"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// summary is the summary of a table for one kind of attention, in JSON.
type summary struct {
	Attention        string    `json:"attention"`
	Tokens           int       `json:"tokens"`
	Dim              int       `json:"dim"`
	Samples          int64     `json:"samples"`
	S1               float64   `json:"s1"`
	S2               float64   `json:"s2_sqrt_t"`
	Edge             float64   `json:"edge"` // edge of the bulk of singular values, in the limit
	Outliers         float64   `json:"outliers"`
	StableRank       []float64 `json:"stable_rank"`
	StableRankExcess []float64 `json:"stable_rank_excess"`
	// Matrices holds the attention matrices of each layer, if they are saved.
	Matrices []layerMatrices `json:"matrices,omitempty"`
}

// layerMatrices holds the attention matrices of a layer in JSON, one for each sample, row by row.
type layerMatrices struct {
	Layer   int           `json:"layer"`
	Samples [][][]float64 `json:"samples"`
}

// hasSummary reports whether the table has all values that the summary of a kind of attention needs.
func (t *layered) hasSummary(n matrices.Network) bool {
	isShort := func(values []float64) bool { return len(values) < 2 }
	first := t.at(n, 1).singular
	return len(first) > 0 && !slices.ContainsFunc(first, isShort) &&
		t.every(n, func(v *layerValues) bool { return len(v.rank) > 0 && len(v.excess) > 0 })
}

func (t *layered) summarize(n matrices.Network) summary {
	s := summary{Attention: n.Attention.String(), Tokens: n.Tokens, Dim: n.Dim, Samples: t.Samples,
		Edge: bulkEdge(n)}
	values, count := t.at(n, 1).singular, 0
	for _, v := range values {
		s.S1 += v[0] / float64(len(values))
		s.S2 += v[1] * math.Sqrt(float64(n.Tokens)) / float64(len(values))
		count += outliers(n, v)
	}
	s.Outliers = float64(count) / float64(len(values))
	s.StableRank = lists.Map(layersOf(n), func(layer int) float64 { return mean(t.at(n, layer).rank) })
	s.StableRankExcess = lists.Map(layersOf(n),
		func(layer int) float64 { return mean(t.at(n, layer).excess) })
	if t.Save == saveAttention {
		s.Matrices = lists.Map(layersOf(n), func(layer int) layerMatrices { return t.matrices(n, layer) })
	}
	return s
}

// matrices returns the attention matrices of a layer, for the samples all of whose entries the table has.
func (t *layered) matrices(n matrices.Network, layer int) layerMatrices {
	whole := lists.Filter(t.at(n, layer).entries,
		func(entries []float64) bool { return len(entries) == n.Tokens*n.Tokens })
	return layerMatrices{layer, lists.Map(whole, func(entries []float64) [][]float64 {
		return slices.Collect(slices.Chunk(entries, n.Tokens))
	})}
}

// outliers counts the singular values of the first layer's attention matrix that exceed the edge of the bulk
// by more than the fraction 4T^(-2/3), for T tokens. If the entries of the matrix are nearly normal, the
// largest singular value of the bulk exceeds this threshold with a probability below 1e-6, by the Tracy-Widom
// law.
func outliers(n matrices.Network, values []float64) (count int) {
	tokens := float64(n.Tokens)
	threshold := bulkEdge(n) / math.Sqrt(tokens) * (1 + 4*math.Pow(tokens, -2./3))
	return lists.Count(values, func(v float64) bool { return v > threshold })
}

func mean(values []float64) float64 { return lists.Sum(values) / float64(len(values)) }

// bulkEdge returns the limit, for many tokens T, of √T times the largest singular value in the bulk of the
// first layer's attention matrix.
func bulkEdge(n matrices.Network) float64 {
	ratio, deviation := float64(n.Tokens)/float64(n.Dim/n.Heads), n.ScoreDeviation()
	switch n.Attention {
	case matrices.Softmax:
		return spectrum.SoftmaxScores(ratio, deviation).Edge()
	case matrices.Linear:
		return spectrum.LinearScores(ratio, deviation).Edge()
	case matrices.Sigmoid:
		return spectrum.SigmoidScores(ratio, deviation).Edge()
	case matrices.ReLU:
		return spectrum.ReLUScores(ratio, deviation).Edge()
	case matrices.Identity:
		return math.Sqrt(float64(n.Tokens))
	}
	return spectrum.QuarterCircle{Sigma: n.Law.Deviation()}.Edge()
}

// WriteJSON implements run.Summarizer. The summary of one kind of attention is a JSON object, and the
// summaries of several kinds are a list of objects.
func (*Experiment) WriteJSON(w io.Writer, table *data.Table) error {
	t, err := readLayers(table)
	if err != nil {
		return err
	}
	summaries := lists.Map(lists.Filter(t.networks(), t.hasSummary), t.summarize)
	if len(summaries) == 1 {
		return json.NewEncoder(w).Encode(summaries[0])
	}
	return json.NewEncoder(w).Encode(summaries)
}
