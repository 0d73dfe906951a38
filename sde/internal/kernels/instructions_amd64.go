package kernels

import "golang.org/x/sys/cpu"

var avx2 = instructions{
	name: "avx2",
	exp:  expAVX2, exponentials: exponentialsAVX2, logarithms: logarithmsAVX2,
	normals: normalsAVX2, uniforms: uniformsAVX2, truncatedNormals: truncatedNormalsAVX2, signs: signsAVX2,
	singles:    singlesAVX2,
	chainDraws: chainDrawsAVX2, chainSums: chainSumsAVX2,
	chainStep: chainStepAVX2, massesStep: massesStepAVX2, mlpStep: mlpStepAVX2,
	hybridStep: hybridStepAVX2, hybridMassesStep: hybridMassesStepAVX2,
	pairField: pairFieldAVX2, attention: attentionAVX2, pairTerms: pairTermsAVX2,
	pairScores: pairScoresAVX2, pairSums: pairSumsAVX2,
	retract:          retractAVX2,
	pairCoefficients: pairCoefficientsAVX2, project: projectAVX2, direction: directionAVX2,
	weights: weightsAVX2, addDots: addDotsAVX2, collect: collectAVX2,
	advance: advanceAVX2, rescale: rescaleAVX2,
	combine: combineAVX2,
}

var avx512 = instructions{
	name: "avx512",
	exp:  expAVX512, exponentials: exponentialsAVX512, logarithms: logarithmsAVX512,
	normals: normalsAVX512, uniforms: uniformsAVX512,
	truncatedNormals: truncatedNormalsAVX512, signs: signsAVX512,
	singles:    singlesAVX512,
	chainDraws: chainDrawsAVX512, chainSums: chainSumsAVX512,
	chainStep: chainStepAVX512, massesStep: massesStepAVX512, mlpStep: mlpStepAVX512,
	hybridStep: hybridStepAVX512, hybridMassesStep: hybridMassesStepAVX512,
	pairField: pairFieldAVX512, attention: attentionAVX512, pairTerms: pairTermsAVX512,
	pairScores: pairScoresAVX512, pairSums: pairSumsAVX512,
	retract:          retractAVX512,
	pairCoefficients: pairCoefficientsAVX512, project: projectAVX512, direction: directionAVX512,
	weights: weightsAVX512, addDots: addDotsAVX512, collect: collectAVX512,
	advance: advanceAVX512, rescale: rescaleAVX512,
	combine: combineAVX512,
}

// available lists the instruction sets of this machine, the fastest last.
func available() []instructions {
	sets := []instructions{generic}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		sets = append(sets, avx2)
		if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512BW {
			sets = append(sets, avx512)
		}
	}
	return sets
}
