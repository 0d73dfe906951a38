package selfattention

import "antipode/internal/instructionset"

// instructions are the inner loops of attention and tokens in one instruction set. All instruction sets give
// the same bits.
type instructions struct {
	pairField func(field, x, masses []Vector, d int, law *attentionParameters)
	attention func(field, totals, heavy, x, masses []Vector, d int, law *attentionParameters)
	pairTerms func(field, totals, heavy, x, masses []Vector, d, top, bottom, left, right int,
		law *attentionParameters)
	pairScores       func(scores, x, masses []Vector, d int)
	pairSums         func(field, totals, heavy, x, masses, weights []Vector, d int, law *attentionParameters)
	retract          func(x, matrix, coefficients []Vector, good [][2]uint8, d, r int, scale float64)
	addProducts      func(x, matrix, coefficients []Vector, n, d, r int, scale float64)
	pairCoefficients func(coefficients, vectors []Vector, d int)
	project          func(a, coefficients, q []Vector, n, d, stride int)
	direction        func(q, before []Vector, d, fresh int)

	weights func(row []Vector, law *attentionParameters)
}

// generic are the inner loops of attention and tokens in Go, for every machine.
var generic = instructions{
	pairField: pairFieldGeneric, attention: attentionGeneric, pairTerms: pairTermsGeneric,
	pairScores: pairScoresGeneric, pairSums: pairSumsGeneric,
	retract: retractGeneric, addProducts: addProductsGeneric,
	pairCoefficients: pairCoefficientsGeneric, project: projectGeneric, direction: directionGeneric,
	weights: weightsGeneric,
}

// active returns the inner loops in the instruction set that is in use.
func active() *instructions { return &sets[instructionset.Level()] }
