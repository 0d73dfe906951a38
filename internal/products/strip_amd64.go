package products

// sets are the kernels of matrix products in all instruction sets, indexed by the level of the instruction
// set.
var sets = []instructions{generic, avx2, avx512}

var avx2 = instructions{
	strip: stripAVX2, transpose: transposeAVX2, transposeDivided: transposeDividedAVX2, spread: spreadAVX2,
	scale: scaleAVX2, divide: divideAVX2,
	heights: []int{6, 4, 2, 1}, together: 12, width: 8, depth: 256, columns: 256, direct: 128,
}

var avx512 = instructions{
	strip: stripAVX512, transpose: transposeAVX2, transposeDivided: transposeDividedAVX2,
	spread: spreadAVX512,
	scale:  scaleAVX512, divide: divideAVX512,
	heights: []int{8, 4, 2, 1}, together: 8, width: 24, depth: 256, columns: 384, direct: 128,
}
