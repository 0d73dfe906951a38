package trainability

import "antipode/overlap/propagation"

// Row is a row of the table of experiment trainability: the verdict on one initialisation (α_SA, β).
type Row struct {
	AlphaSA float64             `column:"alpha_sa" meaning:"strength of attention's residual connection"`
	_       struct{}            `meaning:"scale β of query and key weights"`
	Beta    float64             `column:"weight_beta" formerly:"beta"`
	_       struct{}            `meaning:"cosine similarity of two tokens after the last block"`
	Cosine  float64             `column:"cosine"`
	_       struct{}            `meaning:"β above which the attention of some layer condenses; null where"`
	_       struct{}            `meaning:"all tokens agree"`
	BetaC   float64             `column:"beta_c,nullable"`
	_       struct{}            `meaning:"smallest strength with which the cosine is not above the"`
	_       struct{}            `meaning:"threshold, at β = 0; null if no strength is large enough"`
	AlphaC  float64             `column:"alpha_c,nullable"`
	Verdict propagation.Verdict `column:"verdict" meaning:"trainable, or how the signal fails"`
}
