package selfattention

// sets holds the inner loops of attention and tokens in each instruction set, by its level.
var sets = []instructions{
	generic,
	{
		pairField: pairFieldAVX2, attention: attentionAVX2, pairTerms: pairTermsAVX2,
		pairScores: pairScoresAVX2, pairSums: pairSumsAVX2,
		retract: retractAVX2, addProducts: addProductsAVX2,
		pairCoefficients: pairCoefficientsAVX2, project: projectAVX2, direction: directionAVX2,
		weights: weightsAVX2,
	},
	{
		pairField: pairFieldAVX512, attention: attentionAVX512, pairTerms: pairTermsAVX512,
		pairScores: pairScoresAVX512, pairSums: pairSumsAVX512,
		retract: retractAVX512, addProducts: addProductsAVX512,
		pairCoefficients: pairCoefficientsAVX512, project: projectAVX512, direction: directionAVX512,
		weights: weightsAVX512,
	},
}
