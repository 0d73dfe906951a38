package tasks

import (
	"math"
	"testing"

	"antipode/sde/training"
)

// A walk with memory one agrees with Walk: a single masked symbol between its neighbours.
func TestLongWalkOfMemoryOneIsAWalk(t *testing.T) {
	chain, err := Walk(7, []int{-1, 1}, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	wantLoss, wantAccuracy := chain.between(chain.powers(1), 1, 1)
	loss, accuracy := newLongSource(LongWalk{7, 1, 0.05}).best()
	if !(math.Abs(loss-wantLoss) <= 1e-14) || !(math.Abs(accuracy-wantAccuracy) <= 1e-14) {
		t.Errorf("%v and %v, want %v and %v", loss, accuracy, wantLoss, wantAccuracy)
	}
}

// The best causal predictor of a walk knows the symbols before the hidden one. With memory one it agrees
// with the best predictor of a single masked symbol of Walk; with longer memory its loss is the mean entropy
// of the next symbol.
func TestCausalBestOfLongWalks(t *testing.T) {
	chain, err := Walk(7, []int{-1, 1}, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	wantLoss, wantAccuracy := chain.between(chain.powers(1), 1, 0)
	loss, accuracy := newLongSource(LongWalk{7, 1, 0.05}).bestCausal()
	if !(math.Abs(loss-wantLoss) <= 1e-14) || !(math.Abs(accuracy-wantAccuracy) <= 1e-14) {
		t.Errorf("%v and %v, want %v and %v", loss, accuracy, wantLoss, wantAccuracy)
	}
	m, err := MaskedLongWalk(LongWalk{Symbols: 5, Memory: 3, Noise: 0.1}, 19, 3, 8)
	if err != nil {
		t.Fatal(err)
	}
	both, _ := m.Best(false)
	if before, _ := m.Best(true); !(both < before && before < m.Blind()) {
		t.Errorf("losses %v, %v and %v", both, before, m.Blind())
	}
}

// bayes returns the posterior of one symbol, marked -1, in a complete sequence, from the product of all
// conditional probabilities and the law of the first state.
func bayes(s *longSource, seen []int, hidden int) []float64 {
	weights, law := make([]float64, s.Symbols), make([]float64, s.Symbols)
	words := append([]int(nil), seen...)
	for x := range weights {
		words[hidden] = x
		state := 0
		for _, w := range words[:s.Memory] {
			state = state*s.Symbols + w
		}
		weights[x] = s.starts[state]
		for t := s.Memory; t < len(words); t++ {
			s.law(words[t-s.Memory:t], law)
			weights[x] *= law[words[t]]
		}
	}
	return weights
}

// On examples, Bayes' rule over complete sequences with all other symbols known has the loss stated as
// the best, within 5 standard errors (false-alarm rate 6e-7 each). Masked tokens keep their distance and
// may be at any position.
func TestExamplesOfMaskedLongWalk(t *testing.T) {
	const tokens, masks, count = 19, 3, 2500
	walk := LongWalk{Symbols: 5, Memory: 3, Noise: 0.1}
	m, err := MaskedLongWalk(walk, tokens, masks, 8)
	if err != nil {
		t.Fatal(err)
	}
	s := newLongSource(walk)
	var e training.Example
	var loss, square, right, places float64
	seen := make([]bool, tokens)
	for index := range int64(count) {
		m.Example(training.Train, index, &e)
		words := append([]int(nil), e.Sequence.Words...)
		last := -1
		for k, class := range e.Classes {
			if class == training.NotAsked {
				continue
			}
			if k-last <= walk.Memory || words[k] != walk.Symbols {
				t.Fatalf("example %d: token %d is masked after %d", index, k, last)
			}
			last, words[k], seen[k] = k, class, true
			places++
		}
		if tokens-last <= walk.Memory {
			t.Fatalf("example %d: token %d is masked", index, last)
		}
		l := 0.0
		for k, class := range e.Classes {
			if class == training.NotAsked {
				continue
			}
			weights := bayes(s, words, k)
			total, largest, ties := 0.0, 0.0, 0.0
			for _, w := range weights {
				total, largest = total+w, max(largest, w)
			}
			for _, w := range weights {
				if w >= largest*(1-1e-12) {
					ties++
				}
			}
			l += math.Log(total/weights[class]) / masks
			if weights[class] >= largest*(1-1e-12) {
				right += 1 / ties / masks / count
			}
		}
		loss, square = loss+l/count, square+l*l/count
	}
	wantLoss, wantRight := m.Best(false)
	if !(math.Abs(loss-wantLoss) <= 5*math.Sqrt((square-loss*loss)/count)) {
		t.Errorf("loss %v, said to be %v", loss, wantLoss)
	}
	if !(math.Abs(right-wantRight) <= 5*math.Sqrt(0.25/count)) {
		t.Errorf("accuracy %v, said to be %v", right, wantRight)
	}
	for k := 3; k < tokens-3; k++ {
		if places != masks*count || !seen[k] {
			t.Errorf("token %d is never masked, of %v", k, places)
		}
	}
}

func TestLongWalksRefuse(t *testing.T) {
	for want, f := range map[string]func() (*Masked, error){
		"memory 5: must be from 1 to 4 for 7 symbols": func() (*Masked, error) {
			return MaskedLongWalk(LongWalk{7, 5, 0.1}, 99, 3, 1)
		},
		"tokens 13: must be at least 14, so that 4 masked ones stand 2 apart": func() (*Masked, error) {
			return MaskedLongWalk(LongWalk{7, 2, 0.1}, 13, 4, 1)
		},
		"noise 0: must be above 0, to 1": func() (*Masked, error) {
			return MaskedLongWalk(LongWalk{7, 2, 0}, 16, 4, 1)
		},
	} {
		if _, err := f(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The law of the first symbols is invariant, for even and odd numbers of symbols.
func TestStationaryLawsOfLongWalks(t *testing.T) {
	for _, w := range []LongWalk{{2, 3, 0.05}, {3, 2, 0.05}, {4, 3, 0.01}, {7, 4, 0.05}, {5, 1, 1}} {
		law := w.stationary()
		last, next := make([]int, w.Memory), make([]float64, w.Symbols)
		after, total := make([]float64, len(law)), 0.0
		for state, p := range law {
			w.digits(state, last)
			w.law(last, next)
			for x, q := range next {
				after[state*w.Symbols%len(law)+x] += p * q
			}
			total += p
		}
		for state, p := range law {
			if !(math.Abs(after[state]-p) <= 1e-12) {
				t.Errorf("%+v, state %d: %v, then %v", w, state, p, after[state])
				break
			}
		}
		if !(math.Abs(total-1) <= 1e-12) {
			t.Errorf("%+v: sum %v", w, total)
		}
	}
}

// The best loss and accuracy are sums over all sequences of Memory symbols on both sides of a hidden symbol.
func TestBestOfLongWalksByEnumeration(t *testing.T) {
	for _, w := range []LongWalk{{3, 2, 0.1}, {4, 2, 0.3}, {3, 3, 0.2}} {
		s := newLongSource(w)
		loss, accuracy := 0.0, 0.0
		seen := make([]int, 2*w.Memory+1)
		for code := range int(math.Pow(float64(w.Symbols), float64(2*w.Memory))) {
			for k := range seen {
				if k != w.Memory {
					seen[k], code = code%w.Symbols, code/w.Symbols
				}
			}
			total, largest := 0.0, 0.0
			weights := bayes(s, seen, w.Memory)
			for _, p := range weights {
				total, largest = total+p, max(largest, p)
			}
			for _, p := range weights {
				loss -= p * math.Log(p/total)
			}
			accuracy += largest
		}
		gotLoss, gotAccuracy := s.best()
		if !(math.Abs(gotLoss-loss) <= 1e-13) || !(math.Abs(gotAccuracy-accuracy) <= 1e-13) {
			t.Errorf("%+v: %v and %v, want %v and %v", w, gotLoss, gotAccuracy, loss, accuracy)
		}
	}
}
