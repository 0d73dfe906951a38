package attentionphase

import (
	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/overlap/propagation"
)

// Row is a row of the table of experiment attention-phase: the properties of a row of the attention matrix at
// one cell (β, ρ).
type Row struct {
	_             struct{}          `meaning:"scale β of query and key weights"`
	Beta          float64           `column:"weight_beta" formerly:"beta"`
	Rho           float64           `column:"rho" meaning:"cosine ρ of the tokens before the layer"`
	_             struct{}          `meaning:"critical β of the limit of many tokens, √(2/(1-ρ)); null for ρ"`
	_             struct{}          `meaning:"= 1"`
	BetaC         float64           `column:"beta_c,nullable"`
	Phase         propagation.Phase `column:"phase" meaning:"phase in the limit of many tokens"`
	_             struct{}          `meaning:"participation ratio Y2 = E Σ A², the inverse of the number of"`
	_             struct{}          `meaning:"tokens attended to"`
	Y2            float64           `column:"y2"`
	Y3            float64           `column:"y3" meaning:"E Σ A³"`
	Y2Squared     float64           `column:"y2_squared" meaning:"E (Σ A²)²"`
	_             struct{}          `meaning:"mean entropy of a row; null where it is infinite"`
	Entropy       float64           `column:"entropy,nullable" unit:"nats"`
	_             struct{}          `meaning:"cosine of two tokens after the layer; null for ρ = 0 below β_c"`
	_             struct{}          `meaning:"in the limit, where the tokens become 0"`
	Cosine        float64           `column:"cosine,nullable"`
	_             struct{}          `meaning:"E‖∂S/∂W_Q‖²/(d²T√log T) for σ_v² = 1 (Result 2, corrected)"`
	QueryGradient float64           `column:"query_gradient"`
	// The fields below are means over the simulated layers.
	_               struct{} `meaning:"Y2 in simulated layers; null where none is"`
	Y2Simulated     float64  `column:"y2_simulated,nullable"`
	Y2Stderr        float64  `column:"y2_stderr,nullable" meaning:"its standard error; null for one layer"`
	_               struct{} `meaning:"mean cosine of two tokens after simulated layers; null where none is"`
	CosineSimulated float64  `column:"cosine_simulated,nullable"`
	_               struct{} `meaning:"its standard error; null for one layer"`
	CosineStderr    float64  `column:"cosine_stderr,nullable"`
	_               struct{} `meaning:"mean inner product over mean squared norm after simulated layers,"`
	_               struct{} `meaning:"which the theory's cosine is"`
	RatioSimulated  float64  `column:"ratio_simulated,nullable"`
	RatioStderr     float64  `column:"ratio_stderr,nullable" meaning:"its standard error; null for one layer"`
}

// rowOf returns the row of a cell (β, ρ), in which only the phase is known.
func rowOf(beta, rho float64) Row {
	r := data.NullRow[Row]()
	r.Beta, r.Rho = beta, rho
	r.BetaC = data.FiniteOrNaN(propagation.CriticalBeta(1, rho))
	r.Phase = propagation.PhaseAt(beta, 1, rho)
	return r
}

// setTheory sets the theoretical numbers in the row of a cell to those that point has returned.
func (r *Row) setTheory(v []float64) {
	r.Y2, r.Y3, r.Y2Squared, r.Entropy, r.Cosine, r.QueryGradient = v[0], v[1], v[2], v[3], v[4], v[5]
}

// measure sets the results of the simulated layers of one ρ at the k-th β.
func (r *Row) measure(samples [][]float64, k int) {
	y2, cosine := attention.MeanOf(samples, measures*k), attention.MeanOf(samples, measures*k+1)
	ratio := attention.MeanOf(samples, measures*k+2)
	r.RatioSimulated, r.RatioStderr = ratio.Value, ratio.Stderr
	r.Y2Simulated, r.Y2Stderr = y2.Value, y2.Stderr
	r.CosineSimulated, r.CosineStderr = cosine.Value, cosine.Stderr
}

// moments returns the moments of the row of the attention matrix, without its entropy.
func (r Row) moments() propagation.Row {
	return propagation.Row{Y2: r.Y2, Y3: r.Y3, Y2Squared: r.Y2Squared}
}
