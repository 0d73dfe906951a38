package sphere

// Components returns the number of connected components among n ≥ 0 tokens, where two tokens are connected if
// their overlap is at least threshold. With threshold 1-τ the connected components are the clusters of tokens
// within a tolerance τ. Components compares all pairs of tokens.
func Components(n int, overlaps Overlaps, threshold float64) int {
	parent := make([]int, n)
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	count := n
	for i := range n {
		for j := i + 1; j < n; j++ {
			if !(overlaps.Between(i, j) >= threshold) {
				continue
			}
			if a, b := root(i), root(j); a != b {
				parent[b] = a
				count--
			}
		}
	}
	return count
}
