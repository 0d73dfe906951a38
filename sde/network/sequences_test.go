package network

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"antipode/sphere/must"
)

// wordy returns a network of words for which everything is measured.
func wordy() Network {
	n := small(PostNorm, ReLU)
	n.Input, n.Q, n.P, n.Ends = Embedded, 0, 0, 2
	n.Embedding = Embedding{Vocabulary: 7, Positions: LearnedPositions, Norm: true, Variance: 0.5}
	return n
}

// Layers are means over sequences of the statistics of each by itself in the same network, and all of
// them are shown.
func TestSequencesOfANetwork(t *testing.T) {
	n := wordy()
	words := [][]int{{0, 1, 2, 3, 4}, {6, 6, 5, 6, 2}, {1, 1, 1, 1, 3}}
	var shown [][2]int
	e := Ensemble{Network: n, Networks: 2, Seed: 3, Sequences: 3, Words: words}
	must.Do(t, e.Validate())
	got, err := e.Observer(func(network int64, sequence, layer int, v View) error {
		if network != 1 || v.Tokens.Rows != 5 || (layer > 0) != (len(v.Attention) == n.Heads) {
			t.Errorf("network %d, sequence %d, layer %d: %+v", network, sequence, layer, v)
		}
		shown = append(shown, [2]int{sequence, layer})
		return nil
	})(t.Context(), 1)
	if err != nil || len(shown) != 3*(n.Layers+1) || shown[4] != [2]int{1, 1} {
		t.Fatal(shown, err)
	}
	want := make([]Layer, n.Layers+1)
	for _, sequence := range words {
		one := Ensemble{Network: n, Networks: 2, Seed: 3, Words: [][]int{sequence}}
		runs := must.Get(one.Run(t.Context()))(t)
		for l, layer := range runs[1] {
			for k, v := range numbersOf(&layer) {
				*numbersOf(&want[l])[k] += *v / 3
			}
		}
	}
	for l := range want {
		for k, v := range numbersOf(&want[l]) {
			if x := *numbersOf(&got[l])[k]; !(math.Abs(x-*v) <= 1e-13*(1+math.Abs(*v))) {
				t.Errorf("layer %d, number %d: %v, by itself %v", l, k, x, *v)
			}
		}
	}
}

// numbersOf returns the statistics of a layer without gradients.
func numbersOf(l *Layer) []*float64 {
	return []*float64{&l.Q, &l.P, &l.Cosine, &l.Norm, &l.First, &l.Last, &l.Excess, &l.Jacobian}
}

// For three words, the probabilities are 6/11, 3/11 and 2/11.
func TestZipf(t *testing.T) {
	law := newZipf(3)
	for u, want := range map[float64]int{0: 0, 0.54: 0, 0.55: 1, 0.81: 1, 0.82: 2, 1: 2} {
		if got := law.at(u); got != want {
			t.Errorf("at %v: word %d, want %d", u, got, want)
		}
	}
}

// Without positions the mean cosine of two tokens is the probability that their words are equal: 0.280729
// for five words by Zipf's law, and 0.2 for uniform ones. The sequences of a network are independent. The
// seed is fixed; five standard errors are exceeded for one seed in 10^6.
func TestDrawnWords(t *testing.T) {
	n := Network{Tokens: 12, Dim: 16, Heads: 1, Input: Embedded,
		Embedding: Embedding{Vocabulary: 5, Variance: 1}}
	for _, zipf := range []bool{true, false} {
		want := map[bool]float64{true: 0.280729, false: 0.2}[zipf]
		e := Ensemble{Network: n, Networks: 400, Seed: 8, Sequences: 2, Zipf: zipf}
		var cosines [2][]float64
		compute := e.Observer(func(_ int64, sequence, _ int, v View) error {
			cosines[sequence] = append(cosines[sequence], observe(v.Tokens, 0).Cosine)
			return nil
		})
		for k := range int64(e.Networks) {
			must.Get(compute(t.Context(), k))(t)
		}
		for sequence, values := range cosines {
			mean, deviation := stat.MeanStdDev(values, nil)
			if far := (mean - want) / (deviation / math.Sqrt(float64(e.Networks))); !(math.Abs(far) <= 5) {
				t.Errorf("Zipf %v, sequence %d: mean cosine %v, want %v (%.1f standard errors)", zipf,
					sequence, mean,
					want, far)
			}
		}
		if c := stat.Correlation(cosines[0], cosines[1], nil); !(math.Abs(c) <= 0.9) {
			t.Errorf("Zipf %v: both sequences have the same words, correlation %v", zipf, c)
		}
	}
}
