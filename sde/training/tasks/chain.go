package tasks

import (
	"fmt"
	"math"

	"antipode/sphere/elementary"
)

// Chain is a stationary Markov chain of symbols; the symbols are numbered from 0.
type Chain struct {
	transition [][]float64 // transition probabilities, a row for each symbol
	cumulative [][]float64 // cumulative sums of each row of transition
	stationary []float64
	starts     []float64 // cumulative sums of the stationary probabilities
}

const largestChain = 256 // largest number of symbols, so that a product of transition matrices is cheap

// NewChain returns the Markov chain with the given transition probabilities, a row for each symbol. If the
// chain does not have a unique stationary law in which all probabilities are positive, NewChain returns an
// error that names the reason.
func NewChain(transition [][]float64) (*Chain, error) {
	size := len(transition)
	if size < 2 || size > largestChain {
		return nil, fmt.Errorf("symbols %d: must be from 2 to %d", size, largestChain)
	}
	c := &Chain{transition: transition}
	for from, row := range transition {
		if len(row) != size {
			return nil, fmt.Errorf("row %d: has %d probabilities, must have %d", from, len(row), size)
		}
		sums := cumulative(row)
		for _, p := range row {
			if !(p >= 0) {
				return nil, fmt.Errorf("row %d: the probability %v must be at least 0", from, p)
			}
		}
		if total := sums[size-1]; !(math.Abs(total-1) <= 1e-9) {
			return nil, fmt.Errorf("row %d: the sum of probabilities is %v, must be 1", from, total)
		}
		c.cumulative = append(c.cumulative, sums)
	}
	if c.stationary = stationary(transition); c.stationary == nil {
		return nil, fmt.Errorf("some symbol is left for ever: every symbol must be reached from every other")
	}
	c.starts = cumulative(c.stationary)
	return c, nil
}

// Walk returns a random walk on a ring of symbols. With probability noise the next symbol is uniform; with
// probability 1-noise it is the last symbol plus one of the steps, chosen uniformly. The stationary law of
// the walk is uniform.
func Walk(symbols int, steps []int, noise float64) (*Chain, error) {
	switch {
	case symbols < 2 || symbols > largestChain:
		return nil, fmt.Errorf("symbols %d: must be from 2 to %d", symbols, largestChain)
	case len(steps) == 0:
		return nil, fmt.Errorf("steps: must be at least one")
	case !(noise > 0 && noise <= 1):
		return nil, fmt.Errorf("noise %v: must be above 0, to 1", noise)
	}
	transition := make([][]float64, symbols)
	for from := range transition {
		row := make([]float64, symbols)
		for to := range row {
			row[to] = noise / float64(symbols)
		}
		for _, s := range steps {
			row[((from+s)%symbols+symbols)%symbols] += (1 - noise) / float64(len(steps))
		}
		transition[from] = row
	}
	return NewChain(transition)
}

// Symbols returns the number of symbols of the chain.
func (c *Chain) Symbols() int { return len(c.transition) }

// Entropy returns the entropy of a single symbol under the stationary law, in nats.
func (c *Chain) Entropy() float64 {
	h, _ := posterior(c.stationary)
	return h
}

// draw generates a sequence of the chain, one symbol for each uniform random number.
func (c *Chain) draw(uniforms []float64, symbols []int) {
	sums := c.starts
	for t, u := range uniforms {
		symbols[t] = pick(sums, u)
		sums = c.cumulative[symbols[t]]
	}
}

// pick returns the index of the first of the cumulative sums of probabilities above u. If no cumulative sum
// is above u, pick returns the last index of positive probability.
func pick(sums []float64, u float64) int {
	last := 0
	for k, s := range sums {
		if u < s {
			return k
		}
		if k > 0 && s > sums[k-1] {
			last = k
		}
	}
	return last
}

func cumulative(row []float64) []float64 {
	sums, total := make([]float64, len(row)), 0.0
	for k, p := range row {
		total += p
		sums[k] = total
	}
	return sums
}

// stationary returns the stationary law of a chain, or nil if the chain is reducible. The algorithm of
// Grassmann, Taksar and Heyman eliminates states one after another without subtraction.
func stationary(transition [][]float64) []float64 {
	size := len(transition)
	p := make([][]float64, size)
	for k, row := range transition {
		p[k] = append([]float64(nil), row...)
	}
	for n := size - 1; n > 0; n-- {
		leaves := 0.0
		for to := range n {
			leaves += p[n][to]
		}
		if !(leaves > 0) {
			return nil
		}
		for from := range n {
			p[from][n] /= leaves
			for to := range n {
				p[from][to] = math.FMA(p[from][n], p[n][to], p[from][to])
			}
		}
	}
	law, total := make([]float64, size), 1.0
	law[0] = 1
	for n := 1; n < size; n++ {
		for from := range n {
			law[n] = math.FMA(law[from], p[from][n], law[n])
		}
		if !(law[n] > 0) {
			return nil
		}
		total += law[n]
	}
	for k := range law {
		law[k] /= total
	}
	return law
}

// posterior returns two numbers for a law that is not normalised: the entropy of the normalised law times the
// sum of the entries, and the largest entry. The two numbers are contributions to the mean loss and to the
// accuracy of the best predictor of a symbol with this posterior law.
func posterior(law []float64) (entropy, largest float64) {
	total := 0.0
	for _, w := range law {
		total += w
		largest = max(largest, w)
	}
	for _, w := range law {
		if w > 0 {
			entropy = math.FMA(-w, elementary.Log(w/total), entropy)
		}
	}
	return entropy, largest
}

// powers returns the matrices of transition probabilities of the chain in 0, 1, …, count steps.
func (c *Chain) powers(count int) [][][]float64 {
	size := c.Symbols()
	powers := make([][][]float64, 1, count+1)
	for k := range size {
		row := make([]float64, size)
		row[k] = 1
		powers[0] = append(powers[0], row)
	}
	for n := range count {
		next := make([][]float64, size)
		for i := range next {
			next[i] = make([]float64, size)
			for k, p := range powers[n][i] {
				for j, q := range c.transition[k] {
					next[i][j] = math.FMA(p, q, next[i][j])
				}
			}
		}
		powers = append(powers, next)
	}
	return powers
}

// between returns the mean loss and the accuracy of the best predictor of a hidden symbol of a sequence. The
// nearest visible symbols are left steps before and right steps after the hidden symbol; left or right is 0
// if no visible symbol is on this side. By the Markov property the posterior of the hidden symbol depends
// only on the two nearest visible symbols, and is a product of a forward and a backward message.
func (c *Chain) between(powers [][][]float64, left, right int) (loss, accuracy float64) {
	backward := c.backward(powers, right)
	law := make([]float64, c.Symbols())
	for _, f := range c.forward(powers, left) {
		for _, b := range backward {
			for x := range law {
				law[x] = f[x] * b[x]
			}
			h, a := posterior(law)
			loss += h
			accuracy += a
		}
	}
	return loss, accuracy
}

// forward returns the joint probabilities of the symbol left steps before the hidden symbol (rows) and of the
// hidden symbol (columns).
func (c *Chain) forward(powers [][][]float64, left int) [][]float64 {
	if left == 0 {
		return [][]float64{c.stationary}
	}
	messages := make([][]float64, c.Symbols())
	for from, p := range c.stationary {
		for _, q := range powers[left][from] {
			messages[from] = append(messages[from], p*q)
		}
	}
	return messages
}

// backward returns the probabilities of the symbol right steps after the hidden symbol (rows), given the
// hidden symbol (columns).
func (c *Chain) backward(powers [][][]float64, right int) [][]float64 {
	messages := make([][]float64, c.Symbols())
	if right == 0 {
		messages = messages[:1]
	}
	for to := range messages {
		for x := range c.transition {
			p := 1.0
			if right > 0 {
				p = powers[right][x][to]
			}
			messages[to] = append(messages[to], p)
		}
	}
	return messages
}
