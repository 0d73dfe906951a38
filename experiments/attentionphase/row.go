package attentionphase

import (
	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/overlap/propagation"
)

// Row is a row of the table of experiment attention-phase: the properties of a row of the attention matrix at
// one cell (β, ρ).
type Row struct {
	_             struct{}          `meaning:"scale β of query and key weights, whose variance is β√log"`
	_             struct{}          `meaning:"T/d for T tokens of dimension d"`
	Beta          float64           `column:"weight_beta" formerly:"beta"`
	Rho           float64           `column:"rho" meaning:"cosine ρ of the tokens before the layer"`
	_             struct{}          `meaning:"critical scale β of query and key weights in the limit of"`
	_             struct{}          `meaning:"many tokens, √(2/(1-ρ)); null for ρ = 1"`
	BetaC         float64           `column:"beta_c,nullable"`
	_             struct{}          `meaning:"phase of attention in the limit of many tokens"`
	Phase         propagation.Phase `column:"phase"`
	_             struct{}          `meaning:"participation ratio Y2 = E Σ A² of the attention weights A"`
	_             struct{}          `meaning:"of a token: the inverse of the number of tokens that it"`
	_             struct{}          `meaning:"attends to"`
	Y2            float64           `column:"y2"`
	_             struct{}          `meaning:"mean sum E Σ A³ of the cubes of the attention weights A of a"`
	_             struct{}          `meaning:"token"`
	Y3            float64           `column:"y3"`
	_             struct{}          `meaning:"mean square E (Σ A²)² of the sum of squared attention"`
	_             struct{}          `meaning:"weights A of a token"`
	Y2Squared     float64           `column:"y2_squared"`
	_             struct{}          `meaning:"mean entropy of the attention weights of a token; null where"`
	_             struct{}          `meaning:"it is infinite"`
	Entropy       float64           `column:"entropy,nullable" unit:"nats"`
	_             struct{}          `meaning:"cosine of two different tokens after the layer, in theory;"`
	_             struct{}          `meaning:"null for ρ = 0 below β_c in the limit of many tokens, where"`
	_             struct{}          `meaning:"the tokens become 0"`
	Cosine        float64           `column:"cosine,nullable"`
	_             struct{}          `meaning:"mean squared norm E‖∂S/∂W_Q‖²/(d²T√log T) of the derivative"`
	_             struct{}          `meaning:"of the output S of attention with respect to the query"`
	_             struct{}          `meaning:"weights W_Q, for σ_v² = 1 (Result 2, corrected)"`
	QueryGradient float64           `column:"query_gradient"`
	// The fields below are means over the simulated layers.
	_               struct{} `meaning:"mean participation ratio Y2 (sum of squared attention"`
	_               struct{} `meaning:"weights of a token) in simulated layers; null without"`
	_               struct{} `meaning:"simulated layers"`
	Y2Simulated     float64  `column:"y2_simulated,nullable"`
	_               struct{} `meaning:"standard error of y2_simulated; null for a single simulated"`
	_               struct{} `meaning:"layer"`
	Y2Stderr        float64  `column:"y2_stderr,nullable"`
	_               struct{} `meaning:"mean cosine of two different tokens after simulated layers;"`
	_               struct{} `meaning:"null without simulated layers"`
	CosineSimulated float64  `column:"cosine_simulated,nullable"`
	_               struct{} `meaning:"standard error of cosine_simulated; null for a single"`
	_               struct{} `meaning:"simulated layer"`
	CosineStderr    float64  `column:"cosine_stderr,nullable"`
	_               struct{} `meaning:"mean inner product of two different tokens over their mean"`
	_               struct{} `meaning:"squared norm after simulated layers, of which the column"`
	_               struct{} `meaning:"cosine is the theory"`
	RatioSimulated  float64  `column:"ratio_simulated,nullable"`
	_               struct{} `meaning:"standard error of ratio_simulated; null for a single"`
	_               struct{} `meaning:"simulated layer"`
	RatioStderr     float64  `column:"ratio_stderr,nullable"`
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
