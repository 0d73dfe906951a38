package selfattention

// Weigh replaces the inner products z of pairs of unit tokens by their attention weights, which are e^{βz}
// times a common factor. The method HasWeights of the Attention must report true.
func (a *Attention) Weigh(row []Vector) { active().weights(row, &a.law) }

// HasWeights reports whether the weights of all pairs of tokens, with the common factor of Weigh, are in the
// range of float64, which depends on β.
func (a *Attention) HasWeights() bool { return a.law[0][0] <= largestWeightScale }

// Factor returns the factor by which a sum of tokens, weighted with the weights of Weigh, must be multiplied
// to become attention, given the sum of these weights.
func (a *Attention) Factor(total float64) float64 { return factor(&a.law, total) }

func weightsGeneric(row []Vector, law *attentionParameters) {
	for v := range row {
		for k, product := range row[v] {
			row[v][k] = weight(law, product)
		}
	}
}
