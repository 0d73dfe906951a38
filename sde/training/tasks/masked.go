package tasks

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"antipode/sde/internal/kernels"
	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sphere/elementary"
)

// Masked is the task of predicting the hidden words of a sequence. Every sequence has the same number of
// hidden words, at uniformly distributed positions. The number of examples is unlimited. A hidden word is
// always replaced by the mask, which is an additional word. So the posterior of the hidden words given the
// visible words follows from the law of the sequences.
type Masked struct {
	tokens, masks int
	apart         int // number of visible tokens on both sides of each mask; 0 for masks at any positions
	symbols       int
	source        source
	draws         draws
	scratch       sync.Pool
	best          [2]func() (loss, accuracy float64) // of any predictor, and of causal predictors
	blind         float64
}

// source generates the sequences of words of a Masked task.
type source interface {
	// uniforms returns the number of uniform random numbers that a sequence of the given number of tokens
	// requires.
	uniforms(tokens int) int
	// sequence generates the words of a sequence from uniform random numbers.
	sequence(split training.Split, uniforms []float64, words []int)
}

// MaskedChain returns the task of predicting masked tokens in sequences of a Markov chain. The number of
// masked tokens of each sequence is masks, from 1 to the number of tokens.
func MaskedChain(chain *Chain, tokens, masks int, seed uint64) (*Masked, error) {
	m, err := newMasked(chainSource{chain}, "masked chain", chain.Symbols(), tokens, masks, seed)
	if err != nil {
		return nil, err
	}
	m.best[0] = sync.OnceValues(func() (loss, accuracy float64) { return chain.best(tokens, masks) })
	m.best[1] = sync.OnceValues(func() (loss, accuracy float64) { return chain.bestCausal(tokens, masks) })
	m.blind = chain.Entropy()
	return m, nil
}

// MaskedText returns the task of predicting masked bytes in pieces of a text. The number of masked bytes of
// each piece is masks, from 1 to the number of tokens. A piece may begin at any byte; training uses the first
// nine tenths of the text, and validation the last tenth.
func MaskedText(text []byte, tokens, masks int, seed uint64) (*Masked, error) {
	s := newTextSource(text)
	for _, part := range s.parts {
		if len(part) < tokens {
			return nil, fmt.Errorf("the text has %d bytes: must have at least %d, "+
				"so that its last tenth has a sequence of %d", len(text), shortest(tokens), tokens)
		}
	}
	m, err := newMasked(s, "masked text", 256, tokens, masks, seed)
	if err != nil {
		return nil, err
	}
	unknown := func() (loss, accuracy float64) { return math.NaN(), math.NaN() }
	m.best[0], m.best[1] = unknown, unknown
	m.blind = s.entropy()
	return m, nil
}

const longestSequence = 4096

func newMasked(s source, name string, symbols, tokens, masks int, seed uint64) (*Masked, error) {
	switch {
	case tokens < 2 || tokens > longestSequence:
		return nil, fmt.Errorf("tokens %d: must be from 2 to %d", tokens, longestSequence)
	case masks < 1 || masks > tokens:
		return nil, fmt.Errorf("masked tokens %d: must be from 1 to the number of tokens, %d", masks, tokens)
	}
	m := &Masked{tokens: tokens, masks: masks, symbols: symbols, source: s, draws: drawsOf(name, seed)}
	m.scratch.New = func() any {
		uniforms := make([]float64, s.uniforms(tokens))
		return &maskedScratch{uniforms, make([]float64, masks), make([]int, tokens)}
	}
	return m, nil
}

// maskedScratch is the workspace of one goroutine that generates masked examples.
type maskedScratch struct {
	source, masks []float64 // uniform random numbers for the source and the masks
	places        []int
}

// Fit implements training.Task. The vocabulary of the network includes the mask; embeddings of positions are
// learned, LayerNorm follows the embedding, and the initial variances are those of BERT.
func (m *Masked) Fit(n network.Network) network.Network {
	const deviation = 0.02
	n.Tokens, n.Outputs, n.Input, n.Q, n.P = m.tokens, m.symbols, network.Embedded, 0, 0
	n.Embedding = network.Embedding{Vocabulary: m.symbols + 1, Positions: network.LearnedPositions,
		Norm: true, Variance: deviation * deviation}
	return n
}

// Loss implements training.Task.
func (*Masked) Loss() training.Loss { return training.CrossEntropy }

// Examples implements training.Task.
func (*Masked) Examples(training.Split) int64 { return 0 }

// Example implements training.Task.
func (m *Masked) Example(split training.Split, index int64, into *training.Example) {
	s := m.scratch.Get().(*maskedScratch)
	defer m.scratch.Put(s)
	m.draws.uniforms(s.source, split, index, inputRole)
	m.draws.uniforms(s.masks, split, index, maskRole)
	words := sized(into.Sequence.Words, m.tokens)
	classes := sized(into.Classes, m.tokens)
	m.source.sequence(split, s.source, words)
	for t := range classes {
		classes[t] = training.NotAsked
	}
	for _, t := range m.places(s) {
		classes[t], words[t] = words[t], m.symbols
	}
	into.Sequence.Words, into.Classes = words, classes
}

// places samples the masked positions of a sequence by a random permutation. If visible tokens must separate
// the masks, only the positions that are not separating tokens are permuted; the separating tokens are then
// inserted.
func (m *Masked) places(s *maskedScratch) []int {
	for t := range s.places {
		s.places[t] = t
	}
	free := m.tokens - m.apart*(m.masks+1)
	for k, u := range s.masks {
		other := k + kernels.Integer(u, free-k)
		s.places[k], s.places[other] = s.places[other], s.places[k]
	}
	places := s.places[:m.masks]
	if m.apart > 0 {
		slices.Sort(places)
		for k := range places {
			places[k] += m.apart * (k + 1)
		}
	}
	return places
}

// Best implements training.Task.
func (m *Masked) Best(causal bool) (loss, accuracy float64) {
	if causal {
		return m.best[1]()
	}
	return m.best[0]()
}

// Blind returns the loss of a predictor that knows the frequencies of words but sees no sequence. For a text,
// this loss is the entropy of the bytes in the last tenth of the text.
func (m *Masked) Blind() float64 { return m.blind }

type chainSource struct{ chain *Chain }

func (chainSource) uniforms(tokens int) int { return tokens }

func (s chainSource) sequence(_ training.Split, uniforms []float64, words []int) {
	s.chain.draw(uniforms, words)
}

// best returns the means over hidden symbols of the least loss and of the largest accuracy that a predictor
// can have. The means over hidden symbols are sums over the positions of a hidden symbol, and over the
// numbers of contiguous hidden symbols to its left and to its right.
func (c *Chain) best(tokens, masks int) (loss, accuracy float64) {
	powers, choices := c.powers(masks), newChoices(tokens)
	for left := range masks {
		for right := range masks - left {
			hidden := left + 1 + right
			add := func(places, toLeft, toRight, seen int) {
				rest := choices.log(tokens-hidden-seen, masks-hidden)
				if places < 1 || math.IsInf(rest, -1) {
					return
				}
				h, a := c.between(powers, toLeft, toRight)
				weight := elementary.Exp(rest-choices.log(tokens, masks)) * float64(places) / float64(masks)
				loss = math.FMA(weight, h, loss)
				accuracy = math.FMA(weight, a, accuracy)
			}
			if hidden == tokens {
				add(1, 0, 0, 0)
				continue
			}
			add(1, 0, right+1, 1)
			add(1, left+1, 0, 1)
			add(tokens-hidden-1, left+1, right+1, 2)
		}
	}
	return loss, accuracy
}

// bestCausal returns the results of best for a predictor that sees no symbols to the right of the hidden
// symbol.
func (c *Chain) bestCausal(tokens, masks int) (loss, accuracy float64) {
	powers, choices := c.powers(masks), newChoices(tokens)
	for left := range masks {
		hidden := left + 1
		add := func(places, toLeft, seen int) {
			rest := choices.log(tokens-hidden-seen, masks-hidden)
			if places < 1 || math.IsInf(rest, -1) {
				return
			}
			h, a := c.between(powers, toLeft, 0)
			weight := elementary.Exp(rest-choices.log(tokens, masks)) * float64(places) / float64(masks)
			loss = math.FMA(weight, h, loss)
			accuracy = math.FMA(weight, a, accuracy)
		}
		add(1, 0, 0)
		add(tokens-hidden, hidden, 1)
	}
	return loss, accuracy
}

// choices holds logarithms of factorials, from which it computes logarithms of binomial coefficients.
type choices []float64

func newChoices(largest int) choices {
	c := make(choices, largest+1)
	for n := 1; n <= largest; n++ {
		c[n] = c[n-1] + elementary.Log(float64(n))
	}
	return c
}

// log returns the logarithm of the binomial coefficient n over k, or -Inf if this coefficient is 0.
func (c choices) log(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	return c[n] - c[k] - c[n-k]
}
