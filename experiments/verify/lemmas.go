package verify

var lemmas = []Claim{
	{
		"lemma1-sphere", Clustering, "Lemma 1",
		"the radial drift of (6) keeps tokens on the sphere",
		"noise of (6) whose variance does not balance the radial drift -(d-1)σ²|A|²/2", lemma1Sphere,
	},
	{
		"lemma1-naive", Clustering, "Section 4.1",
		"without that drift tokens leave the sphere: |Y|² grows at the rate (d-1)σ²|A|²",
		"noise of (6) that is tangent already, which would hide a missing drift", lemma1Naive,
	},
	{
		"lemma2-flow", Clustering, "Lemma 2",
		"(7) with ε = 0 tends to the attention flow, uniformly and at order 1 in 1/L",
		"(7) at ε = 0 with a step that is not 1/L, or noise in it; a flow that runs at another speed", lemma2Flow,
	},
	{
		"lemma3-hybrid", Clustering, "Lemma 3",
		"the hybrid recursion (7) tends to the SDE (8)",
		"a drift or variance of (8) without its Itô terms ε²F, or ε for ε²", lemma3Hybrid,
	},
	{
		"lemma4-drift", Clustering, "Lemma 4",
		"the mean of a step of the overlap of two tokens is the drift of (20) and (21)",
		"a drift with d-2 for d-1, without the weights' normalisation, or of independent noise", lemma4Drift,
	},
	{
		"lemma4-variance", Clustering, "Lemma 4",
		"the variance of a step of the overlap is that of (20), and twice that of (21)",
		"a variance 3 % off, or value matrices or attention weights that are", lemma4Variance,
	},
	{
		"lemma5-plus", Clustering, "Lemma 5",
		"overlap +1 always attracts two tokens",
		"an exponent of the pair next to +1 that depends on β, or the sign of a logarithm", lemma5Plus,
	},
	{
		"lemma5-minus", Clustering, "Lemma 5",
		"overlap -1 attracts two tokens if and only if d-2 < cosh 2β",
		"an exponent next to -1 with another root than cosh 2β = d-2, or an end classed wrongly", lemma5Minus,
	},
	{
		"lemma6-unattained", Clustering, "Lemma 6",
		"overlaps ±1 are not reached in finite time",
		"tokens that are merged or stick while they are apart; noise that does not vanish at an end", lemma6Unattained,
	},
}
