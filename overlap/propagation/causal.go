package propagation

import "fmt"

// UniformCausal returns the overlaps (T×T, row-major, symmetric: <X_t, X_s>/d) after a
// layer of causal attention, for tokens of the given overlaps, on average over value
// weights of variance sigmaV2/d. Token t attends to tokens 0 to t alike, as it does at β = 0,
// and as T → ∞ at every β below β_c. Each overlap is σ_v² times the mean of the
// former overlaps over all pairs of tokens up to t and up to s.
//
// From overlap p of different tokens and norm q, tokens s ≤ t come to p + (q-p)/(t+1):
// the geometry is that without a mask up to 1/t, so the two numbers of a State follow the
// late tokens of a causal model (Section 5), and the early ones not. It is an error if
// overlaps is not square.
func UniformCausal(overlaps []float64, tokens int, sigmaV2 float64) ([]float64, error) {
	if tokens < 1 || len(overlaps) != tokens*tokens {
		return nil, fmt.Errorf("propagation: %d overlaps are not those of %d tokens", len(overlaps), tokens)
	}
	next := make([]float64, len(overlaps))
	above := make([]float64, tokens) // of each column the sum so far
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
