package network

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"antipode/sde"
	"antipode/sde/internal/kernels"
)

// Ensemble is a set of independent networks with the same law.
type Ensemble struct {
	Network   Network
	Networks  int // number of networks, at least 1
	Seed      uint64
	Gradients bool
	Ranks     bool // whether stable ranks of layers are computed
	// Sequences is the number of sequences of words that pass through each network; 0 stands for 1. The
	// statistics of a layer are means over these sequences of words. More than one sequence is allowed only
	// if Gradients is false.
	Sequences int
	Words     [][]int // words of each sequence, for all networks; nil for random words
	// Zipf says that random words have probabilities proportional to 1/k, where k is the number of the word
	// counted from 1. Without Zipf, all words have the same probability.
	Zipf bool
	// Classes is the number of classes of a loss; a positive number requires Gradients. If Classes is
	// positive, Layer.Whole contains the derivatives of this loss: the cross-entropy between a random class
	// for each token and the softmax of logits, averaged over tokens. The logits come from a random linear
	// map after the last layer; the weights of this map have variance 1/Dim. If Classes is 0, Layer.Whole
	// contains derivatives of the tokens after the last layer.
	Classes int
	Workers int // number of goroutines, each of which computes some networks; 0 for one per processor
}

// Validate returns an error that names the first field of the ensemble that is out of its domain, or the
// memory that the ensemble would need if this memory exceeds sde.LargestMemory.
func (e *Ensemble) Validate() error {
	switch {
	case e.Networks < 1 || int64(e.Networks) > kernels.MaxTrajectories:
		return fmt.Errorf("networks %d: must be from 1 to 2^40", e.Networks)
	case e.Workers < 0:
		return fmt.Errorf("workers %d: must be at least 0", e.Workers)
	}
	if err := e.Network.Validate(); err != nil {
		return err
	}
	if err := e.validateSequences(); err != nil {
		return err
	}
	if e.Classes < 0 || e.Classes == 1 || e.Classes > largestCount || e.Classes > 0 && !e.Gradients {
		return fmt.Errorf("classes %d: must be 0, or from 2 to %d with gradients", e.Classes, largestCount)
	}
	if bytes := e.Memory(); bytes > sde.LargestMemory {
		return fmt.Errorf("networks of this size would need %.3g GiB of memory; must be at most %d GiB",
			bytes/(1<<30), sde.LargestMemory>>30)
	}
	return nil
}

func (e *Ensemble) workers() int {
	if e.Workers == 0 {
		return min(runtime.GOMAXPROCS(0), e.Networks)
	}
	return min(e.Workers, e.Networks)
}

// Run returns the statistics of the layers of each network, starting with the input as layer 0. Run returns
// an error if a parameter is invalid, or if the tokens of a network become 0 or overflow. If several networks
// fail, the error is that of the first failing network. The statistics do not depend on the number of
// workers.
func (e *Ensemble) Run(ctx context.Context) ([][]Layer, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	var (
		runs  = make([][]Layer, e.Networks)
		errs  = make([]error, e.Networks)
		begun atomic.Int64
		group sync.WaitGroup
	)
	for range e.workers() {
		group.Go(func() {
			run := e.Worker()
			for k := begun.Add(1) - 1; k < int64(e.Networks) && ctx.Err() == nil; k = begun.Add(1) - 1 {
				runs[k], errs[k] = run(ctx, k)
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// sequences returns the number of sequences that pass through each network.
func (e *Ensemble) sequences() int { return max(1, e.Sequences) }

// validateSequences returns an error if the networks of the ensemble cannot read its sequences.
func (e *Ensemble) validateSequences() error {
	words := e.Network.Embedding.Vocabulary > 0
	switch {
	case e.Sequences < 0 || e.Sequences > largestCount || e.Sequences > 1 && (!words || e.Gradients):
		return fmt.Errorf("sequences %d: must be from 0 to %d, and at most 1 where tokens are not words "+
			"or there are gradients", e.Sequences, largestCount)
	case e.Zipf && !words:
		return fmt.Errorf("words by Zipf's law: must not be asked for where tokens are not made of words")
	case e.Words != nil && len(e.Words) != e.sequences():
		return fmt.Errorf("words of %d sequences: must be those of %d", len(e.Words), e.sequences())
	}
	for _, words := range e.Words {
		if err := e.validateWords(words); err != nil {
			return err
		}
	}
	return nil
}

// validateWords returns an error if the networks of the ensemble cannot read the given words.
func (e *Ensemble) validateWords(words []int) error {
	n := e.Network
	want := n.Tokens
	if n.Embedding.Class {
		want--
	}
	if n.Embedding.Vocabulary == 0 || len(words) != want {
		return fmt.Errorf("%d words: must be as many as the tokens made of words", len(words))
	}
	for _, word := range words {
		if word < 0 || word >= n.Embedding.Vocabulary {
			return fmt.Errorf("word %d: must be from 0 to %d", word, n.Embedding.Vocabulary-1)
		}
	}
	return nil
}

// Worker returns a function that computes one network of a valid ensemble, given the number of the network.
// The returned function gives the same statistics of layers and the same errors as Run. The returned function
// reuses its memory, so that each goroutine needs its own function.
func (e *Ensemble) Worker() func(ctx context.Context, network int64) ([]Layer, error) {
	return e.Observer(func(int64, int, int, View) error { return nil })
}

// Observer returns a function that computes a network like that of Worker, and also calls show with every
// sequence after every layer of the network. Layer 0 is the input. If show returns an error, the function
// stops and returns this error.
func (e *Ensemble) Observer(
	show func(network int64, sequence, layer int, v View) error,
) func(ctx context.Context, network int64) ([]Layer, error) {
	m, stream := newMachine(e), kernels.NewStream(e.Seed, e.Network.id())
	s := newSource(stream, 0)
	return func(ctx context.Context, network int64) ([]Layer, error) {
		s.network = network
		layers, err := m.run(ctx, s, func(sequence, layer int, v View) error {
			return show(network, sequence, layer, v)
		})
		if err != nil {
			err = fmt.Errorf("network %d: %w", network, err)
		}
		return layers, err
	}
}
