package propagation

import "fmt"

// UniformCausal returns the overlaps <X_t, X_s>/d after a layer of causal attention, given the overlaps
// before the layer. The overlaps before and after the layer are symmetric T×T matrices, row-major.
// UniformCausal averages over value weights of variance sigmaV2/d. Token t attends uniformly to tokens 0 to
// t, as in causal attention at β = 0 and, as T → ∞, at every β below β_c. The new overlap of tokens t and s
// is σ_v² times the mean of the old overlaps over all pairs of a token up to t and a token up to s.
//
// If different tokens have overlap p and each has squared norm q, the new overlap of tokens s ≤ t is σ_v²(p +
// (q-p)/(t+1)). The new overlap with a causal mask differs from that without a mask by O(1/t). So the two
// fields of a State describe the late tokens of a causal model (Section 5), but not the early tokens.
// UniformCausal returns an error if overlaps does not have tokens² entries.
func UniformCausal(overlaps []float64, tokens int, sigmaV2 float64) ([]float64, error) {
	if tokens < 1 || len(overlaps) != tokens*tokens {
		return nil, fmt.Errorf("propagation: %d overlaps are not those of %d tokens", len(overlaps), tokens)
	}
	next := make([]float64, len(overlaps))
	above := make([]float64, tokens) // sum of each column of overlaps over the rows so far
	for t := range tokens {
		sum := 0.0
		for s := range tokens {
			above[s] += overlaps[t*tokens+s]
			sum += above[s]
			next[t*tokens+s] = float64(sigmaV2*sum) / float64((t+1)*(s+1))
		}
	}
	return next, nil
}
