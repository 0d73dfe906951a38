package trainability

import "antipode/overlap/propagation"

// Row is a row of the table of experiment trainability: the verdict on one initialisation (α_SA, β).
type Row struct {
	_       struct{}            `meaning:"strength α of the residual connection around attention"`
	AlphaSA float64             `column:"alpha_sa"`
	_       struct{}            `meaning:"scale β of query and key weights, whose variance is β√log T/d for"`
	_       struct{}            `meaning:"T tokens of dimension d"`
	Beta    float64             `column:"weight_beta" formerly:"beta"`
	_       struct{}            `meaning:"cosine similarity of two different tokens after the last block"`
	Cosine  float64             `column:"cosine"`
	_       struct{}            `meaning:"critical scale β of query and key weights, above which attention"`
	_       struct{}            `meaning:"in some layer condenses on few tokens; null where all tokens agree"`
	BetaC   float64             `column:"beta_c,nullable"`
	_       struct{}            `meaning:"smallest strength α of the residual connection with which, at β ="`
	_       struct{}            `meaning:"0, the cosine after the last block is not above the threshold; 0"`
	_       struct{}            `meaning:"if every strength above 0 is large enough, and null if none is"`
	AlphaC  float64             `column:"alpha_c,nullable"`
	_       struct{}            `meaning:"whether the network is trainable, or how its signal fails"`
	Verdict propagation.Verdict `column:"verdict"`
}
