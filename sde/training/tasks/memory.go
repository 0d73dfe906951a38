package tasks

import (
	"fmt"
	"math"
	"sync"

	"antipode/sde/training"
	"antipode/sphere/elementary"
)

// LongWalk is a random walk on a ring of symbols with memory. With probability Noise the next symbol is
// uniform; with probability 1-Noise it is one of the last Memory symbols, chosen uniformly, plus or minus 1.
// The prediction of a hidden symbol improves with the number of neighbouring symbols that the predictor
// reads, up to Memory symbols on either side.
type LongWalk struct {
	Symbols int     // number of symbols, at least 2
	Memory  int     // number of symbols, at least 1; Symbols^(2·Memory) is at most 10 million
	Noise   float64 // probability of a uniform next symbol, in (0, 1]
}

const mostContexts = 1e7 // largest number of contexts of a hidden symbol over which the best loss is summed

func (w LongWalk) validate() error {
	switch {
	case w.Symbols < 2 || w.Symbols > largestChain:
		return fmt.Errorf("symbols %d: must be from 2 to %d", w.Symbols, largestChain)
	case !(w.Noise > 0 && w.Noise <= 1):
		return fmt.Errorf("noise %v: must be above 0, to 1", w.Noise)
	case w.Memory < 1 || !(math.Pow(float64(w.Symbols), 2*float64(w.Memory)) <= mostContexts):
		return fmt.Errorf("memory %d: must be from 1 to %d for %d symbols", w.Memory,
			int(math.Log(mostContexts)/(2*math.Log(float64(w.Symbols)))), w.Symbols)
	}
	return nil
}

// MaskedLongWalk returns the task of predicting masked tokens in sequences of a LongWalk. At least Memory
// visible tokens lie between any two masked tokens, before the first, and after the last.
func MaskedLongWalk(w LongWalk, tokens, masks int, seed uint64) (*Masked, error) {
	if err := w.validate(); err != nil {
		return nil, err
	}
	if least := masks + w.Memory*(masks+1); tokens < least {
		return nil, fmt.Errorf("tokens %d: must be at least %d, so that %d masked ones stand %d apart",
			tokens, least, masks, w.Memory)
	}
	source := newLongSource(w)
	name := fmt.Sprintf("masked walk of memory %d", w.Memory)
	m, err := newMasked(source, name, w.Symbols, tokens, masks, seed)
	if err != nil {
		return nil, err
	}
	m.apart, m.blind = w.Memory, elementary.Log(float64(w.Symbols))
	m.best[0], m.best[1] = sync.OnceValues(source.best), source.bestCausal
	return m, nil
}

// longSource generates sequences of a LongWalk: the first symbols, as many as the field Memory says, from
// their joint law, and each further symbol given the symbols before it. A state of the walk consists of
// Memory successive symbols. The index of a state is the number that has these symbols as digits, the oldest
// first.
type longSource struct {
	LongWalk
	starts, cumulative []float64
}

func newLongSource(w LongWalk) *longSource {
	s := &longSource{LongWalk: w}
	s.starts = s.stationary()
	s.cumulative = cumulative(s.starts)
	return s
}

// law writes the probabilities of the next symbol of the walk, given the last Memory symbols.
func (w LongWalk) law(last []int, into []float64) {
	for x := range into {
		into[x] = w.Noise / float64(w.Symbols)
	}
	share := (1 - w.Noise) / float64(2*w.Memory)
	for _, x := range last {
		into[(x+1)%w.Symbols] += share
		into[(x+w.Symbols-1)%w.Symbols] += share
	}
}

// digits writes the symbols of a state, given by its index, to into.
func (w LongWalk) digits(state int, into []int) {
	for k := len(into) - 1; k >= 0; k-- {
		into[k] = state % w.Symbols
		state /= w.Symbols
	}
}

// stationary returns the stationary law of Memory successive symbols of the walk. With positive noise the
// Markov chain of states is ergodic, so that iterating its transition converges to this law; the iteration
// stops at rounding error.
func (w LongWalk) stationary() []float64 {
	count := 1
	for range w.Memory {
		count *= w.Symbols
	}
	last, next := make([]int, w.Memory), make([]float64, w.Symbols)
	law := make([]float64, count)
	for k := range law {
		law[k] = 1 / float64(count)
	}
	for change, before := 1.0, 2.0; change > 1e-15 && (change > 1e-12 || change < before); {
		before = change
		more := make([]float64, count)
		for state, p := range law {
			w.digits(state, last)
			w.law(last, next)
			for x, q := range next {
				to := state*w.Symbols%count + x
				more[to] = math.FMA(p, q, more[to])
			}
		}
		change = 0
		for k, p := range more {
			change = max(change, math.Abs(p-law[k]))
		}
		law = more
	}
	return law
}

func (s *longSource) uniforms(tokens int) int { return tokens }

func (s *longSource) sequence(_ training.Split, uniforms []float64, words []int) {
	s.digits(pick(s.cumulative, uniforms[0]), words[:s.Memory])
	law := make([]float64, s.Symbols)
	for t := s.Memory; t < len(words); t++ {
		s.law(words[t-s.Memory:t], law)
		words[t] = pick(cumulative(law), uniforms[t])
	}
}

// best returns the mean loss and the accuracy of the best predictor, by a sum over all contexts of a hidden
// symbol. As a rotation of the ring of symbols does not change the terms of the sum, only contexts with first
// symbol 0 are summed.
func (s *longSource) best() (loss, accuracy float64) {
	window := make([]int, 2*s.Memory+1)
	weights := make([]float64, s.Symbols)
	states := len(s.starts) / s.Symbols
	for state := range states {
		s.digits(state, window[:s.Memory])
		s.law(window[:s.Memory], weights)
		for x := range weights {
			weights[x] *= s.starts[state] * float64(s.Symbols)
		}
		h, a := s.after(window, s.Memory+1, weights)
		loss += h
		accuracy += a
	}
	return loss, accuracy
}

// bestCausal returns the mean loss and the accuracy of the best predictor that sees no symbols after the
// hidden symbol.
func (s *longSource) bestCausal() (loss, accuracy float64) {
	last, weights := make([]int, s.Memory), make([]float64, s.Symbols)
	for state, p := range s.starts {
		s.digits(state, last)
		s.law(last, weights)
		h, a := posterior(weights)
		loss = math.FMA(p, h, loss)
		accuracy = math.FMA(p, a, accuracy)
	}
	return loss, accuracy
}

// after sums over all symbols of a window from position place on. For each value of the hidden symbol in the
// middle, weights holds the joint probability of this value and of the symbols before place.
func (s *longSource) after(window []int, place int, weights []float64) (loss, accuracy float64) {
	if place == len(window) {
		return posterior(weights)
	}
	more := make([][]float64, s.Symbols) // weights for each value of the symbol at the place
	for x := range more {
		more[x] = make([]float64, s.Symbols)
	}
	law := make([]float64, s.Symbols)
	for hidden, weight := range weights {
		window[s.Memory] = hidden
		s.law(window[place-s.Memory:place], law)
		for x, p := range law {
			more[x][hidden] = weight * p
		}
	}
	for x := range more {
		window[place] = x
		h, a := s.after(window, place+1, more[x])
		loss += h
		accuracy += a
	}
	return loss, accuracy
}
