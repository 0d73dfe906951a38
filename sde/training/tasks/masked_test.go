package tasks

import (
	"bytes"
	"math"
	"math/bits"
	"testing"

	"antipode/sde/training"
)

// uneven returns a chain whose probabilities all differ.
func uneven(t *testing.T) *Chain {
	t.Helper()
	c, err := NewChain([][]float64{{0.5, 0.3, 0.2}, {0.1, 0.25, 0.65}, {0.7, 0.18, 0.12}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The stationary law is invariant under a step.
func TestStationaryLaw(t *testing.T) {
	c := uneven(t)
	total := 0.0
	for to, want := range c.stationary {
		got := 0.0
		for from, p := range c.stationary {
			got += p * c.transition[from][to]
		}
		if total += want; !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("symbol %d: %v, then %v", to, want, got)
		}
	}
	if !(math.Abs(total-1) <= 1e-15) {
		t.Errorf("sum %v", total)
	}
}

// messages computes the forward and backward passes over a complete sequence, with -1 for hidden symbols.
// It returns the posteriors of all tokens, and the probability of the visible symbols.
func messages(c *Chain, seen []int) (posteriors [][]float64, probability float64) {
	size := c.Symbols()
	emits := func(t, x int) float64 {
		if seen[t] >= 0 && seen[t] != x {
			return 0
		}
		return 1
	}
	forward, backward := make([][]float64, len(seen)), make([][]float64, len(seen))
	for t := range seen {
		forward[t], backward[t] = make([]float64, size), make([]float64, size)
	}
	for t := range seen {
		for x := range size {
			if t == 0 {
				forward[t][x] = c.stationary[x] * emits(t, x)
				continue
			}
			for y := range size {
				forward[t][x] += forward[t-1][y] * c.transition[y][x] * emits(t, x)
			}
		}
	}
	for t := len(seen) - 1; t >= 0; t-- {
		for x := range size {
			if t == len(seen)-1 {
				backward[t][x] = 1
				continue
			}
			for y := range size {
				backward[t][x] += c.transition[x][y] * emits(t+1, y) * backward[t+1][y]
			}
		}
	}
	for t := range seen {
		posterior, total := make([]float64, size), 0.0
		for x := range size {
			posterior[x] = forward[t][x] * backward[t][x]
			total += posterior[x]
		}
		for x := range posterior {
			posterior[x] /= total
		}
		posteriors, probability = append(posteriors, posterior), total
	}
	return posteriors, probability
}

// The sums over gaps agree with the means, over all sequences and all choices of hidden tokens, of the
// results of forward-backward for each.
func TestBestOfMaskedChainByEnumeration(t *testing.T) {
	c := uneven(t)
	for _, size := range []struct{ tokens, masks int }{
		{2, 1}, {2, 2}, {5, 1}, {5, 2}, {5, 4}, {5, 5}, {6, 3},
	} {
		loss, accuracy, patterns := 0.0, 0.0, 0.0
		for hidden := range 1 << size.tokens {
			if bits.OnesCount(uint(hidden)) != size.masks {
				continue
			}
			patterns++
			shown := size.tokens - size.masks
			for code := range int(math.Pow(3, float64(shown))) { // code: visible symbols as digits to base 3
				seen, rest := make([]int, size.tokens), code
				for k := range seen {
					if seen[k] = -1; hidden>>k&1 == 0 {
						seen[k], rest = rest%3, rest/3
					}
				}
				posteriors, probability := messages(c, seen)
				for k, p := range posteriors {
					if seen[k] >= 0 {
						continue
					}
					largest := 0.0
					for _, q := range p {
						loss -= probability * q * math.Log(q) / float64(size.masks)
						largest = max(largest, q)
					}
					accuracy += probability * largest / float64(size.masks)
				}
			}
		}
		m, err := MaskedChain(c, size.tokens, size.masks, 1)
		if err != nil {
			t.Fatal(err)
		}
		gotLoss, gotAccuracy := m.Best(false)
		loss, accuracy = loss/patterns, accuracy/patterns
		if !(math.Abs(gotLoss-loss) <= 1e-13) || !(math.Abs(gotAccuracy-accuracy) <= 1e-13) {
			t.Errorf("%+v: %v and %v, want %v and %v", size, gotLoss, gotAccuracy, loss, accuracy)
		}
	}
}

// The sums over gaps agree with the means, over all sequences and all choices of hidden tokens, of the
// results of a predictor that sees only earlier tokens.
func TestBestOfCausalPredictorsByEnumeration(t *testing.T) {
	c := uneven(t)
	for _, size := range []struct{ tokens, masks int }{{2, 1}, {2, 2}, {5, 1}, {5, 2}, {5, 4}, {5, 5}} {
		loss, accuracy, patterns := 0.0, 0.0, 0.0
		for hidden := range 1 << size.tokens {
			if bits.OnesCount(uint(hidden)) != size.masks {
				continue
			}
			patterns++
			for last := range size.tokens { // the hidden token
				if hidden>>last&1 == 0 {
					continue
				}
				before := hidden & (1<<last - 1)
				shown := last - bits.OnesCount(uint(before))
				for code := range int(math.Pow(3, float64(shown))) {
					seen, rest := make([]int, last+1), code
					for k := range seen {
						if seen[k] = -1; hidden>>k&1 == 0 {
							seen[k], rest = rest%3, rest/3
						}
					}
					posteriors, probability := messages(c, seen)
					p := posteriors[last]
					for _, q := range p {
						loss -= probability * q * math.Log(q) / float64(size.masks)
					}
					accuracy += probability * max(p[0], p[1], p[2]) / float64(size.masks)
				}
			}
		}
		m, err := MaskedChain(c, size.tokens, size.masks, 1)
		if err != nil {
			t.Fatal(err)
		}
		gotLoss, gotAccuracy := m.Best(true)
		loss, accuracy = loss/patterns, accuracy/patterns
		if !(math.Abs(gotLoss-loss) <= 1e-13) || !(math.Abs(gotAccuracy-accuracy) <= 1e-13) {
			t.Errorf("%+v: %v and %v, want %v and %v", size, gotLoss, gotAccuracy, loss, accuracy)
		}
	}
}

// On examples, forward-backward has the loss and the accuracy stated as the best, within 5 standard
// errors (false-alarm rate 6e-7 each). The right number of tokens is hidden, as indicated by the
// examples, at all positions.
func TestExamplesOfMaskedChain(t *testing.T) {
	const tokens, masks, count = 12, 3, 3000
	c := uneven(t)
	m, err := MaskedChain(c, tokens, masks, 5)
	if err != nil {
		t.Fatal(err)
	}
	var e training.Example
	var loss, square, right, rightSquare float64
	var places, symbols [tokens]float64
	for index := range int64(count) {
		m.Example(training.Train, index, &e)
		hidden := 0
		shown := make([]int, tokens)
		for k, class := range e.Classes {
			if shown[k] = e.Sequence.Words[k]; class == training.NotAsked {
				continue
			}
			if shown[k] != c.Symbols() {
				t.Fatalf("example %d: token %d is asked for, and seen", index, k)
			}
			shown[k] = -1
			hidden++
			places[k]++
			symbols[class]++
		}
		if hidden != masks {
			t.Fatalf("example %d: %d hidden", index, hidden)
		}
		posteriors, _ := messages(c, shown)
		l, r := 0.0, 0.0
		for k, class := range e.Classes {
			if class == training.NotAsked {
				continue
			}
			p := posteriors[k]
			l -= math.Log(p[class]) / masks
			if p[class] >= max(p[0], p[1], p[2]) {
				r += 1. / masks
			}
		}
		loss, square = loss+l/count, square+l*l/count
		right, rightSquare = right+r/count, rightSquare+r*r/count
	}
	wantLoss, wantRight := m.Best(false)
	if !(math.Abs(loss-wantLoss) <= 5*math.Sqrt((square-loss*loss)/count)) {
		t.Errorf("loss %v, said to be %v", loss, wantLoss)
	}
	if !(math.Abs(right-wantRight) <= 5*math.Sqrt((rightSquare-right*right)/count)) {
		t.Errorf("accuracy %v, said to be %v", right, wantRight)
	}
	for k, got := range places {
		if p := float64(masks) / tokens; !(math.Abs(got-count*p) <= 5*math.Sqrt(count*p*(1-p))) {
			t.Errorf("token %d hidden %v times", k, got)
		}
	}
	for x, p := range c.stationary { // the hidden tokens of an example are dependent
		if !(math.Abs(symbols[x]-count*masks*p) <= 5*math.Sqrt(masks*masks*count*p*(1-p))) {
			t.Errorf("symbol %d hidden %v times of %v", x, symbols[x], count*masks*p)
		}
	}
}

// Examples are functions of seed, split and index, whatever their memory contained before, and allocate
// no memory.
func TestExamplesAreAddressed(t *testing.T) {
	c := uneven(t)
	task := func(seed uint64) *Masked {
		m, err := MaskedChain(c, 9, 2, seed)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	words := func(m *Masked, split training.Split, index int64) [9]int {
		var e training.Example
		m.Example(split, index, &e)
		return [9]int(e.Sequence.Words)
	}
	m := task(3)
	want := words(m, training.Train, 1)
	for name, got := range map[string][9]int{
		"other seed": words(task(4), training.Train, 1), "other split": words(m, training.Validation, 1),
		"other index": words(m, training.Train, 2),
	} {
		if got == want {
			t.Errorf("%s: the same words", name)
		}
	}
	var e training.Example
	m.Example(training.Train, 7, &e)
	m.Example(training.Train, 1, &e)
	if [9]int(e.Sequence.Words) != want {
		t.Errorf("%v, want %v", e.Sequence.Words, want)
	}
	if n := testing.AllocsPerRun(100, func() { m.Example(training.Train, 1, &e) }); n > 0.5 {
		t.Errorf("%v allocations", n)
	}
}

// Pieces of a text come from its right part, and visible bytes are those of the text.
func TestMaskedText(t *testing.T) {
	text := make([]byte, 400)
	for k := range text {
		text[k] = byte(k / 2)
	}
	m, err := MaskedText(text, 8, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	firsts := map[int]bool{}
	var e training.Example
	for split, part := range [][]byte{text[:360], text[360:]} {
		for index := range int64(300) {
			m.Example(training.Split(split), index, &e)
			piece := make([]byte, 8)
			for k, w := range e.Sequence.Words {
				if piece[k] = byte(w); w == 256 {
					piece[k] = byte(e.Classes[k])
				} else if e.Classes[k] != training.NotAsked {
					t.Fatal("a byte that is seen is asked for")
				}
			}
			at := bytes.Index(part, piece)
			if at < 0 {
				t.Fatalf("%v is not in the text's part", piece)
			}
			if training.Split(split) == training.Validation {
				firsts[at] = true
			}
		}
	}
	if len(firsts) != 33 {
		t.Errorf("pieces begin at %d places of 33", len(firsts))
	}
	if loss, accuracy := m.Best(false); !math.IsNaN(loss) || !math.IsNaN(accuracy) {
		t.Error("a best loss of a text")
	}
	if got, want := m.Blind(), math.Log(20); !(math.Abs(got-want) <= 1e-14) {
		t.Errorf("entropy %v, want %v", got, want)
	}
}

func TestMaskedRefuses(t *testing.T) {
	c := uneven(t)
	for want, size := range map[string][2]int{
		"tokens 1: must be from 2 to 4096":                           {1, 1},
		"masked tokens 6: must be from 1 to the number of tokens, 5": {5, 6},
	} {
		if _, err := MaskedChain(c, size[0], size[1], 1); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	want := "the text has 79 bytes: must have at least 80, so that its last tenth has a sequence of 8"
	if _, err := MaskedText(make([]byte, 79), 8, 1, 1); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := MaskedText(make([]byte, 80), 8, 1, 1); err != nil {
		t.Error(err)
	}
}

func TestChainsRefuse(t *testing.T) {
	for want, transition := range map[string][][]float64{
		"row 1: the sum of probabilities is 0.9, must be 1": {{0.5, 0.5}, {0.4, 0.5}},
		"some symbol is left for ever: every symbol must be reached from every other": {
			{1, 0}, {0.5, 0.5},
		},
		"row 0: the probability NaN must be at least 0": {{math.NaN(), 0}, {0.5, 0.5}},
		"symbols 1: must be from 2 to 256":              {{1}},
		"row 1: has 1 probabilities, must have 2":       {{1, 0}, {1}},
	} {
		if _, err := NewChain(transition); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for want, c := range map[string]struct {
		symbols int
		steps   []int
		noise   float64
	}{
		"noise 0: must be above 0, to 1":   {4, []int{1}, 0},
		"steps: must be at least one":      {4, nil, 1},
		"symbols 0: must be from 2 to 256": {0, []int{1}, 1},
	} {
		if _, err := Walk(c.symbols, c.steps, c.noise); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A walk takes each of its steps equally often, around the ring, and is uniform with the given
// probability.
func TestWalk(t *testing.T) {
	c, err := Walk(5, []int{-6, 0, 1}, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	for to, want := range []float64{0.3, 0.3, 0.05, 0.05, 0.3} {
		if got := c.transition[0][to]; !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("from 0 to %d: %v, want %v", to, got, want)
		}
	}
	if got, want := c.Entropy(), math.Log(5); !(math.Abs(got-want) <= 1e-14) {
		t.Errorf("entropy %v, want %v", got, want)
	}
}
