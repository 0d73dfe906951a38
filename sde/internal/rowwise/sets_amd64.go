package rowwise

// sets holds the operations on rows in each instruction set, by its level. AVX-512 is not among the sets, as
// wider registers do not help four sums.
var sets = []instructions{
	generic,
	{
		mix: mixAVX2, lessLargest: lessLargestAVX2, overSums: overSumsAVX2,
		normalise: normaliseAVX2, normaliseBackward: normaliseBackwardAVX2,
	},
}
