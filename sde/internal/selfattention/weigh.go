package selfattention

// Weigh replaces the inner products z of pairs of unit tokens by their weights, e^{βz} times a common factor.
// HasWeights must hold.
func (a *Attention) Weigh(row []Vector) { active().weights(row, &a.law) }

// HasWeights reports whether β is so small that the weights of all pairs are in the range of float64.
func (a *Attention) HasWeights() bool { return a.law[0][0] <= largestWeightScale }

// Factor returns the factor by which a sum of tokens with weights of Weigh has to be multiplied, given the
// sum of these weights.
func (a *Attention) Factor(total float64) float64 { return factor(&a.law, total) }

func weightsGeneric(row []Vector, law *attentionParameters) {
	for v := range row {
		for k, product := range row[v] {
			row[v][k] = weight(law, product)
		}
	}
}
