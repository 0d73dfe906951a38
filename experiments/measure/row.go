package measure

import (
	"math"

	"antipode/data"
	"antipode/experiments/run"
)

// Row is a row of the table: a layer, with the means over its sequences.
type Row struct {
	Layer      int32   `column:"layer" meaning:"layer, from 0, the input"`
	Tokens     float64 `column:"tokens" meaning:"tokens of a sequence that are there: neither 0 nor masked"`
	Norm       float64 `column:"norm,nullable" meaning:"mean norm of a token; null without tokens"`
	Overlap    float64 `column:"overlap,nullable" meaning:"mean overlap of two normalised tokens, the cosine; null for fewer than two tokens, as what follows"`
	Low        float64 `column:"overlap_low,nullable" meaning:"overlap below which 5 % of the pairs are, to 2e-6"`
	High       float64 `column:"overlap_high,nullable" meaning:"overlap below which 95 % of the pairs are, to 2e-6"`
	Plus       float64 `column:"p_plus,nullable" meaning:"fraction of the pairs with overlap ≥ 1-τ"`
	Minus      float64 `column:"p_minus,nullable" meaning:"fraction of the pairs with overlap ≤ -1+τ"`
	Clusters   float64 `column:"clusters,nullable" meaning:"clusters: sets of tokens connected by overlaps ≥ 1-τ; null without tokens"`
	Antipodal  float64 `column:"antipodal,nullable" meaning:"fraction of the sequences with all overlaps within τ of ±1, both among them; null without tokens"`
	StableRank float64 `column:"stable_rank,nullable" meaning:"stable rank of XXᵀ, Σσ⁴/σ₁⁴, of the tokens as they are; null without tokens"`
	Energy     float64 `column:"energy,nullable" meaning:"1/(2βN²) Σ e^{β⟨x,y⟩} over all ordered pairs of normalised tokens; null without tokens"`
	Theory     float64 `column:"overlap_theory,nullable" meaning:"cosine of the theory of signal propagation, from the norm and the cosine of layer 0; null without --block"`
}

// EachRow is a row of the table with --each: a sequence in a layer.
type EachRow struct {
	Sequence int32 `column:"sequence" meaning:"sequence, from 0"`
	Row
}

// rowOf is the row of a layer with these statistics.
func rowOf(layer int, s statistics, theory float64) Row {
	return Row{
		Layer: int32(layer), Tokens: s.tokens, Norm: s.norm, Overlap: s.overlap, Low: s.low, High: s.high,
		Plus: s.plus, Minus: s.minus, Clusters: s.clusters, Antipodal: s.antipodal, StableRank: s.stableRank,
		Energy: s.energy, Theory: theory,
	}
}

// mean is the mean over sequences of what is defined in each.
type mean struct {
	sums, counts [numbers]float64
}

func (m *mean) add(s []float64) {
	for k, x := range s {
		if !math.IsNaN(x) {
			m.sums[k] += x
			m.counts[k]++
		}
	}
}

func (m *mean) statistics() statistics {
	means := make([]float64, numbers)
	for k := range means {
		means[k] = m.sums[k] / m.counts[k] // NaN for none
	}
	return statisticsOf(means)
}

// readRows reads a table with or without --each, as rows of layers.
func readRows(table *data.Table) ([]Row, error) {
	rows, err := run.RowsOf[Row](table)
	if err != nil || table.Schema.Index("sequence") < 0 {
		return rows, err
	}
	var layers []Row
	sums := mean{}
	for k, r := range rows {
		sums.add(statistics{r.Tokens, r.Norm, math.NaN(), r.Overlap, r.Low, r.High, r.Plus, r.Minus,
			r.Clusters, r.Antipodal,
			r.StableRank, r.Energy}.slice())
		if k+1 == len(rows) || rows[k+1].Layer != r.Layer {
			layers, sums = append(layers, rowOf(int(r.Layer), sums.statistics(), r.Theory)), mean{}
		}
	}
	return layers, nil
}
