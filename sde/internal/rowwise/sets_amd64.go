package rowwise

// sets are the instruction sets, by their level: AVX-512 has no wider registers for sums of four.
var sets = []instructions{
	generic,
	{
		mix: mixAVX2, lessLargest: lessLargestAVX2, overSums: overSumsAVX2,
		normalise: normaliseAVX2, normaliseBackward: normaliseBackwardAVX2,
	},
}
