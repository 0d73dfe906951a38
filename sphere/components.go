package sphere

// Components is the number of sets of tokens, of n from 0, that are connected by overlaps of at least a
// threshold: with 1-τ the clusters within a tolerance τ. It looks at every pair.
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
