package spectrum

import (
	"encoding/json"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// summary is what a run says of one kind of attention.
type summary struct {
	Attention        string    `json:"attention"`
	Tokens           int       `json:"tokens"`
	Dim              int       `json:"dim"`
	Samples          int64     `json:"samples"`
	S1               float64   `json:"s1"`
	S2               float64   `json:"s2_sqrt_t"`
	Edge             float64   `json:"edge"` // of the bulk, in the limit
	Outliers         float64   `json:"outliers"`
	StableRank       []float64 `json:"stable_rank"`
	StableRankExcess []float64 `json:"stable_rank_excess"`
}

// hasSummary reports whether a table has what a summary takes.
func (t *layered) hasSummary(n matrices.Network) bool {
	isShort := func(values []float64) bool { return len(values) < 2 }
	first := t.at(n, 1).singular
	for layer := 1; layer <= n.Layers; layer++ {
		if v := t.at(n, layer); len(v.rank) == 0 || len(v.excess) == 0 {
			return false
		}
	}
	return len(first) > 0 && !slices.ContainsFunc(first, isShort)
}

func (t *layered) summarize(n matrices.Network) summary {
	s := summary{Attention: n.Attention.String(), Tokens: n.Tokens, Dim: n.Dim, Samples: t.Samples,
		Edge: bulkEdge(n)}
	values := t.at(n, 1).singular
	for _, v := range values {
		s.S1 += v[0] / float64(len(values))
		s.S2 += v[1] * math.Sqrt(float64(n.Tokens)) / float64(len(values))
		s.Outliers += float64(outliers(n, v)) / float64(len(values))
	}
	for layer := 1; layer <= n.Layers; layer++ {
		v := t.at(n, layer)
		s.StableRank, s.StableRankExcess = append(s.StableRank, mean(v.rank)),
			append(s.StableRankExcess, mean(v.excess))
	}
	return s
}

// outliers counts the singular values of the attention matrix of the first layer beyond the
// edge of the bulk by more than 4T^(-2/3) of it: the largest of the bulk does that with a
// probability below 1e-6, by the law of Tracy and Widom, where entries are not far from
// normal.
func outliers(n matrices.Network, values []float64) (count int) {
	tokens := float64(n.Tokens)
	threshold := bulkEdge(n) / math.Sqrt(tokens) * (1 + 4*math.Pow(tokens, -2./3))
	for _, v := range values {
		if v > threshold {
			count++
		}
	}
	return count
}

func mean(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total / float64(len(values))
}

// bulkEdge is the limit of the largest singular value of the attention matrix of the first
// layer times √T, apart from its gap.
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

// WriteJSON writes what a table of this experiment says as JSON: an object for each kind of
// attention, alone or in a list.
func (*Experiment) WriteJSON(w io.Writer, table *data.Table) error {
	t, err := readLayers(table)
	if err != nil {
		return err
	}
	var summaries []summary
	for _, n := range t.networks() {
		if t.hasSummary(n) {
			summaries = append(summaries, t.summarize(n))
		}
	}
	if len(summaries) == 1 {
		return json.NewEncoder(w).Encode(summaries[0])
	}
	return json.NewEncoder(w).Encode(summaries)
}
