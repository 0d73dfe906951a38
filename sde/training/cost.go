package training

import "antipode/sde/network"

// Memory estimates the memory of a Trainer in bytes. The network n must be a result of Task.Fit.
func Memory(n network.Network, m Method, workers int) float64 {
	size := groupSize(m.Batch, n.Tokens)
	passes := min(workers, (m.Batch+size-1)/size)
	weights := n.Memory(0, network.Batch{})
	sequence := float64(8 * n.Tokens * (2 + max(n.Embedding.Features, n.Outputs)))
	batch := network.Batch{Sequences: size, Gradients: true, Dropout: m.Dropout}
	return n.Memory(passes, batch) + float64(weights*float64(1+m.Optimiser.Rule.moments())) +
		float64(sequence*float64(max(m.Batch, m.Validation)))
}

// Seconds estimates how many seconds all steps of a training take on one processor of this machine, including
// the measurement of the given number of Records.
func Seconds(n network.Network, m Method, records int64) float64 {
	learned := float64(m.Steps+records) * float64(m.Batch*m.Accumulate)
	validated := float64(records) * float64(m.Validation)
	weights := n.Memory(0, network.Batch{}) / 8
	const perWeight = 4e-9 // seconds that the optimiser takes for each weight
	return float64(learned*n.Seconds(true)) + float64(validated*n.Seconds(false)) +
		float64(float64(m.Steps)*perWeight*weights)
}
