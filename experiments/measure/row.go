package measure

import (
	"math"

	"antipode/data"
	"antipode/experiments/run"
)

// Row is a row of the table of experiment measure: the measurements of a layer of hidden states, as means
// over sequences.
type Row struct {
	Layer      int32    `column:"layer" meaning:"number of the layer, where 0 is the input"`
	_          struct{} `meaning:"mean number of tokens of a sequence that are present: neither 0 nor masked"`
	Tokens     float64  `column:"tokens"`
	Norm       float64  `column:"norm,nullable" meaning:"mean norm of a token; null if there are no tokens"`
	_          struct{} `meaning:"mean overlap of two normalised tokens, which is their cosine; null for"`
	_          struct{} `meaning:"fewer than two tokens"`
	Overlap    float64  `column:"overlap,nullable"`
	_          struct{} `meaning:"overlap below which 5 % of the pairs of tokens are, to 2e-6; null for"`
	_          struct{} `meaning:"fewer than two tokens"`
	Low        float64  `column:"overlap_low,nullable"`
	_          struct{} `meaning:"overlap below which 95 % of the pairs of tokens are, to 2e-6; null for"`
	_          struct{} `meaning:"fewer than two tokens"`
	High       float64  `column:"overlap_high,nullable"`
	_          struct{} `meaning:"fraction of the pairs of tokens with an overlap ≥ 1-τ, where τ is the"`
	_          struct{} `meaning:"tolerance; null for fewer than two tokens"`
	Plus       float64  `column:"p_plus,nullable"`
	_          struct{} `meaning:"fraction of the pairs of tokens with an overlap ≤ -1+τ, where τ is the"`
	_          struct{} `meaning:"tolerance; null for fewer than two tokens"`
	Minus      float64  `column:"p_minus,nullable"`
	_          struct{} `meaning:"mean number of clusters of a sequence: sets of tokens connected by"`
	_          struct{} `meaning:"overlaps ≥ 1-τ, where τ is the tolerance; null if there are no tokens"`
	Clusters   float64  `column:"clusters,nullable"`
	_          struct{} `meaning:"fraction of the sequences with two opposite clusters: all overlaps within"`
	_          struct{} `meaning:"the tolerance τ of ±1, at least one of them near -1; null if there are no"`
	_          struct{} `meaning:"tokens"`
	Antipodal  float64  `column:"antipodal,nullable"`
	_          struct{} `meaning:"mean stable rank Σσ⁴/σ₁⁴ of XXᵀ, where the rows of X are the tokens of a"`
	_          struct{} `meaning:"sequence as they are, and σ its singular values; null if there are no"`
	_          struct{} `meaning:"tokens"`
	StableRank float64  `column:"stable_rank,nullable"`
	_          struct{} `meaning:"mean energy 1/(2βN²) Σ e^{β⟨x,y⟩} of a sequence, summed over all ordered"`
	_          struct{} `meaning:"pairs of its N normalised tokens; null if there are no tokens"`
	Energy     float64  `column:"energy,nullable"`
	_          struct{} `meaning:"mean cosine of two tokens in the theory of signal propagation, from the"`
	_          struct{} `meaning:"norm and the cosine of layer 0; null without --block"`
	Theory     float64  `column:"overlap_theory,nullable"`
}

// LooseRow is a row of the table with --thresholds. A LooseRow is also a row of a table of several files,
// except for the column file.
type LooseRow struct {
	Row
	_          struct{} `meaning:"mean number of clusters of a sequence: sets of tokens connected by"`
	_          struct{} `meaning:"overlaps ≥ 0.5"`
	Half       float64  `column:"clusters_50,nullable"`
	_          struct{} `meaning:"mean number of clusters of a sequence: sets of tokens connected by"`
	_          struct{} `meaning:"overlaps ≥ 0.9"`
	Ninety     float64  `column:"clusters_90,nullable"`
	_          struct{} `meaning:"mean number of clusters of a sequence: sets of tokens connected by"`
	_          struct{} `meaning:"overlaps ≥ 0.99"`
	NinetyNine float64  `column:"clusters_99,nullable"`
}

// fullRow has all columns of tables of hidden states except the column file.
type fullRow struct {
	Sequence int32 `column:"sequence" meaning:"number of the sequence, from 0"`
	LooseRow
}

// rowOf returns the row of a layer with the given measurements and the overlap that the theory predicts.
func rowOf(layer int, s statistics, theory float64) LooseRow {
	s.Layer, s.Theory = int32(layer), theory
	return s.LooseRow
}

// mean accumulates the mean of each measurement over those sequences in which the measurement is defined.
type mean struct {
	sums, counts     [allNumbers]float64
	tokens, overlaps float64 // numbers of tokens and of sequences, among those sequences that have an overlap
}

func (m *mean) add(s []float64) {
	if one := statisticsOf(s); !math.IsNaN(one.Overlap) {
		m.tokens += one.Tokens
		m.overlaps++
	}
	for k, x := range s {
		if !math.IsNaN(x) {
			m.sums[k] += x
			m.counts[k]++
		}
	}
}

func (m *mean) statistics() statistics {
	means := make([]float64, allNumbers)
	for k := range means {
		means[k] = m.sums[k] / m.counts[k] // NaN if undefined in all sequences
	}
	return statisticsOf(means)
}

// readRows reads a table of hidden states, with or without --each, and returns one row for each layer.
func readRows(table *data.Table) ([]LooseRow, error) {
	rows, err := run.RowsOf[LooseRow](table)
	if err != nil || table.Schema.Index("sequence") < 0 {
		return rows, err
	}
	var layers []LooseRow
	sums := mean{}
	for k, r := range rows {
		s := statistics{LooseRow: r, squaredNorm: math.NaN()}
		sums.add(s.slice(allNumbers))
		if k+1 == len(rows) || rows[k+1].Layer != r.Layer {
			layers, sums = append(layers, rowOf(int(r.Layer), sums.statistics(), r.Theory)), mean{}
		}
	}
	return layers, nil
}
