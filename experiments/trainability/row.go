package trainability

import "antipode/overlap/propagation"

// Row is a row of the table: one initialisation.
type Row struct {
	AlphaSA float64             `column:"alpha_sa" meaning:"strength of attention's residual connection"`
	Beta    float64             `column:"beta" meaning:"scale β of query and key weights"`
	Cosine  float64             `column:"cosine" meaning:"cosine similarity of two tokens behind the last block"`
	BetaC   float64             `column:"beta_c,nullable" meaning:"β above which the attention of some layer condenses; null where all tokens agree"`
	AlphaC  float64             `column:"alpha_c,nullable" meaning:"least strength with which the cosine is not above the threshold, at β = 0; null if none is enough"`
	Verdict propagation.Verdict `column:"verdict" meaning:"trainable, or how the signal fails"`
}
