package kernels

import "antipode/internal/instructionset"

// instructions are the kernels in one instruction set. All instruction sets give the same bits.
type instructions struct {
	exp func(dst, src []Vector)
	// exponentials replaces x by e^(factor·x - shift), or by 0 if the exponential is below SmallestWeight.
	exponentials func(numbers []float64, factor, shift float64)
	logarithms   func(numbers []float64, shift float64)  // replaces x by ln(x + shift)
	tanhs        func(numbers []float64, factor float64) // replaces x by tanh(factor·x)

	chainDraws chainDraws
	chainSums  chainSums
	chainStep  func(s, d, sExponent, dExponent, draws []Vector, law *chainParameters)
	massesStep func(s, d, sExponent, dExponent, difference, draws []Vector, law *chainParameters)
	// mlpStep advances the chain with an MLP; mlpAloneStep advances the chain of an MLP without attention.
	mlpStep, mlpAloneStep func(s, d, sExponent, dExponent, plus, minus, draws []Vector, law *mlpParameters)
	shares                sharesFunc

	hybridStep       hybridStep
	hybridMassesStep hybridMassesStep
	addDots          func(sums, x []Vector, width int, y []Vector)
	collect          func(dst, sums []Vector)
	advance          func(sums, x []Vector, width int, change []Vector, changeWidth, vectors int,
		factors []float64)
	rescale func(x []Vector, width, vectors int, factors []float64)
	combine func(dst []Vector, alpha float64, a, b []Vector, gamma float64, c, d []Vector)

	normals, uniforms, truncatedNormals, signs fill
	singles                                    singles
}

// fill is a kernel that writes rows Vectors of random numbers to dst for each Vector of addresses. The
// numbers are made from the random blocks from number block on.
type fill = func(dst []Vector, rows int, addresses []words, keys *keys, block uint32, parameter float64)

// singles is a kernel that writes one Vector of random numbers of the given law to dst for each Vector of
// addresses.
type singles = func(dst []Vector, addresses []words, keys *keys, block uint32, law int, parameter float64)

// generic are the kernels in Go, for every machine.
var generic = instructions{
	exp: expGeneric, exponentials: exponentialsGeneric, logarithms: logarithmsGeneric,
	tanhs:   tanhsGeneric,
	normals: normalsGeneric, uniforms: uniformsGeneric,
	truncatedNormals: truncatedNormalsGeneric, signs: signsGeneric, singles: singlesGeneric,
	chainDraws: chainDrawsGeneric, chainSums: chainSumsGeneric,
	chainStep: chainStepGeneric, massesStep: massesStepGeneric, mlpStep: mlpStepGeneric,
	mlpAloneStep: mlpAloneStepGeneric, shares: sharesGeneric,
	hybridStep: hybridStepGeneric, hybridMassesStep: hybridMassesStepGeneric,
	addDots: addDotsGeneric, collect: collectGeneric,
	advance: advanceGeneric, rescale: rescaleGeneric, combine: combineGeneric,
}

// active returns the kernels in the instruction set in use.
func active() *instructions { return &sets[instructionset.Level()] }
