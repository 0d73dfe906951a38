package kernels

import "antipode/sphere/activation"

var avx2 = instructions{
	exp: expAVX2, exponentials: exponentialsAVX2, logarithms: logarithmsAVX2,
	tanhs:   tanhsAVX2,
	normals: normalsAVX2, uniforms: uniformsAVX2, truncatedNormals: truncatedNormalsAVX2, signs: signsAVX2,
	singles:    singlesAVX2,
	chainDraws: chainDrawsAVX2, chainSums: chainSumsAVX2,
	chainStep: chainStepAVX2, massesStep: massesStepAVX2, mlpStep: mlpStepAVX2,
	mlpAloneStep: mlpAloneStepAVX2, shares: ofCells(sharesAVX2),
	hybridStep: hybridStepAVX2, hybridMassesStep: hybridMassesStepAVX2,
	addDots: addDotsAVX2, collect: collectAVX2,
	advance: advanceAVX2, rescale: rescaleAVX2,
	combine: combineAVX2,
}

var avx512 = instructions{
	exp: expAVX512, exponentials: exponentialsAVX512, logarithms: logarithmsAVX512,
	tanhs:   tanhsAVX512,
	normals: normalsAVX512, uniforms: uniformsAVX512,
	truncatedNormals: truncatedNormalsAVX512, signs: signsAVX512,
	singles:    singlesAVX512,
	chainDraws: chainDrawsAVX512, chainSums: chainSumsAVX512,
	chainStep: chainStepAVX512, massesStep: massesStepAVX512, mlpStep: mlpStepAVX512,
	mlpAloneStep: mlpAloneStepAVX512, shares: ofCells(sharesAVX512),
	hybridStep: hybridStepAVX512, hybridMassesStep: hybridMassesStepAVX512,
	addDots: addDotsAVX512, collect: collectAVX512,
	advance: advanceAVX512, rescale: rescaleAVX512,
	combine: combineAVX512,
}

// sets holds the kernels in each instruction set, by its level.
var sets = []instructions{generic, avx2, avx512}

// ofCells returns the sharesFunc that calls the kernel shares, which takes the fields of a table as separate
// arguments.
func ofCells(shares func(plus, minus, s, d, cells []Vector, first uint64, even int)) sharesFunc {
	return func(plus, minus, s, d []Vector, t *activation.Table) {
		shares(plus, minus, s, d, t.Cells, t.First, t.Even)
	}
}
