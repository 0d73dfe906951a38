package selfattention

// Weigh replaces the products of pairs of unit tokens by their weights: e^{βz} times a factor
// that all have in common. It may be used if HasWeights.
func (a *Attention) Weigh(row []Vector) { active().weights(row, &a.law) }

// HasWeights reports whether β is small enough for the weights of all pairs to be in the range of
// float64.
func (a *Attention) HasWeights() bool { return a.law[0][0] <= largestWeightScale }

// Factor is what a sum of tokens, weighted by Weigh, is to be multiplied by, given the sum of
// their weights.
func (a *Attention) Factor(total float64) float64 { return factor(&a.law, total) }

func weightsGeneric(row []Vector, law *attentionParameters) {
	for v := range row {
		for k, product := range row[v] {
			row[v][k] = weight(law, product)
		}
	}
}
