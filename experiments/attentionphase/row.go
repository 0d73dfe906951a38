package attentionphase

import (
	"antipode/experiments/internal/attention"
	"antipode/overlap/propagation"
)

// Row is a row of the table: what a row of the attention matrix is like at one (β, ρ).
type Row struct {
	Beta          float64           `column:"beta" meaning:"scale β of query and key weights"`
	Rho           float64           `column:"rho" meaning:"cosine ρ of the tokens before the layer"`
	BetaC         float64           `column:"beta_c,nullable" meaning:"critical β of the limit of many tokens, √(2/(1-ρ)); null for ρ = 1"`
	Phase         propagation.Phase `column:"phase" meaning:"phase in the limit of many tokens"`
	Y2            float64           `column:"y2" meaning:"participation ratio Y2 = E Σ A², the inverse of the number of tokens attended to"`
	Y3            float64           `column:"y3" meaning:"E Σ A³"`
	Y2Squared     float64           `column:"y2_squared" meaning:"E (Σ A²)²"`
	Entropy       float64           `column:"entropy,nullable" unit:"nats" meaning:"mean entropy of a row; null where it is infinite"`
	Cosine        float64           `column:"cosine,nullable" meaning:"cosine of two tokens behind the layer; null for ρ = 0 below β_c in the limit, where the tokens become 0"`
	QueryGradient float64           `column:"query_gradient" meaning:"E‖∂S/∂W_Q‖²/(d²T√log T) for σ_v² = 1 (Result 2, corrected)"`
	// Means over the samples.
	Y2Simulated     float64 `column:"y2_simulated,nullable" meaning:"Y2 in simulated layers; null where none is"`
	Y2Stderr        float64 `column:"y2_stderr,nullable" meaning:"its standard error; null for one layer"`
	CosineSimulated float64 `column:"cosine_simulated,nullable" meaning:"mean cosine of two tokens behind simulated layers; null where none is"`
	CosineStderr    float64 `column:"cosine_stderr,nullable" meaning:"its standard error; null for one layer"`
	RatioSimulated  float64 `column:"ratio_simulated,nullable" meaning:"mean inner product over mean squared norm behind simulated layers, which the theory's cosine is"`
	RatioStderr     float64 `column:"ratio_stderr,nullable" meaning:"its standard error; null for one layer"`
}

// measure sets what is measured in the samples of a ρ at the k-th β.
func (r *Row) measure(samples [][]float64, k int) {
	y2, cosine := attention.MeanOf(samples, measures*k), attention.MeanOf(samples, measures*k+1)
	ratio := attention.MeanOf(samples, measures*k+2)
	r.RatioSimulated, r.RatioStderr = ratio.Value, ratio.Stderr
	r.Y2Simulated, r.Y2Stderr = y2.Value, y2.Stderr
	r.CosineSimulated, r.CosineStderr = cosine.Value, cosine.Stderr
}

// moments are those of the row of the attention matrix, without its entropy.
func (r Row) moments() propagation.Row {
	return propagation.Row{Y2: r.Y2, Y3: r.Y3, Y2Squared: r.Y2Squared}
}
