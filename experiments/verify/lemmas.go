package verify

var lemmas = []Claim{
	{"lemma1-sphere", Clustering, "Lemma 1", "the radial drift of (6) keeps tokens on the sphere", lemma1Sphere},
	{"lemma1-naive", Clustering, "Section 4.1", "without that drift tokens leave the sphere: |Y|² grows at the rate (d-1)σ²|A|²", lemma1Naive},
	{"lemma2-flow", Clustering, "Lemma 2", "(7) with ε = 0 tends to the attention flow, uniformly and at order 1 in 1/L", lemma2Flow},
	{"lemma3-hybrid", Clustering, "Lemma 3", "the hybrid recursion (7) tends to the SDE (8)", lemma3Hybrid},
	{"lemma4-drift", Clustering, "Lemma 4", "the mean of a step of the overlap of two tokens is the drift of (20) and (21)", lemma4Drift},
	{"lemma4-variance", Clustering, "Lemma 4", "the variance of a step of the overlap is that of (20), and twice that of (21)", lemma4Variance},
	{"lemma5-plus", Clustering, "Lemma 5", "overlap +1 always attracts two tokens", lemma5Plus},
	{"lemma5-minus", Clustering, "Lemma 5", "overlap -1 attracts two tokens if and only if d-2 < cosh 2β", lemma5Minus},
	{"lemma6-unattained", Clustering, "Lemma 6", "overlaps ±1 are not reached in finite time", lemma6Unattained},
}
