package selfattention

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sde/internal/runtest"
)

// The places of pairs are all numbers once, those of a number of tokens are the same for more of them where
// columns are full, and a pair's place is after those of pairs before its columns.
func TestPairPlaces(t *testing.T) {
	for n := 1; n < 20; n++ {
		seen := make([]bool, pairsOf(n))
		for j := range n {
			for i := range j + 1 {
				place := pairPlace(n, i, j)
				if seen[place] {
					t.Fatalf("N = %d: pair (%d, %d) has the place %d of another", n, i, j, place)
				}
				seen[place] = true
			}
		}
	}
	if got := pairPlace(7, 5, 6); got != pairsOf(6)+5 {
		t.Errorf("place %d of the pair (5, 6) of 7 tokens", got)
	}
}

// decay is a user's function of the score alone.
func decay(scores []float64) {
	for k, s := range scores {
		scores[k] = 1 / (1.25 - s)
	}
}

func TestOwnAttentionHasTheSameBitsEverywhere(t *testing.T) {
	for _, shape := range tokenShapes {
		for k := range 4 {
			normalized, heavy := k%2 == 0, k/2 == 1
			run := func() []Vector {
				x := NewTokens(shape[0], shape[1], 0.3, NewOwnAttention(decay, shape[0], normalized), false)
				startTokens(rand.New(rand.NewPCG(33, 5)), x)
				x.Masses[shape[0]-1][3] = 1
				if heavy {
					for i := range x.Masses {
						for lane := range x.Masses[i] {
							x.Masses[i][lane] = float64((3*i + lane) % 5)
						}
					}
				}
				x.attention.Field(x.field, x.work, x.X, x.Masses, x.d)
				return slices.Clone(x.field)
			}
			want := inGeneric(run)
			what := fmt.Sprint(shape, normalized, heavy)
			withEach(t, func(t *testing.T) { runtest.SameBits(t, what, run(), want) })
		}
	}
}

// With exponentials for a function, the field is that of softmax, and with these over N that of unnormalised
// attention, within rounding; also of tokens with masses.
func TestOwnAttentionIsTheAttention(t *testing.T) {
	const beta = 1.75
	tolerance := 1e-13 * math.Exp(beta)
	for _, shape := range tokenShapes {
		n, d := shape[0], shape[1]
		for _, softmax := range []bool{true, false} {
			own := NewOwnAttention(func(scores []float64) {
				for k, s := range scores {
					if scores[k] = math.Exp(beta * s); !softmax {
						scores[k] /= float64(n)
					}
				}
			}, n, softmax)
			x := NewTokens(n, d, 0.3, NewAttention(beta, n, softmax), false)
			startTokens(rand.New(rand.NewPCG(33, 6)), x)
			for i := range x.Masses {
				x.Masses[i][1], x.Masses[i][2] = float64(1+i%3), 2
			}
			x.attention.Field(x.field, x.work, x.X, x.Masses, d)
			want := slices.Clone(x.field)
			own.Field(x.field, x.work, x.X, x.Masses, d)
			for k := range want {
				for lane := range 8 {
					if n == 1 && lane == 3 { // of no mass
						continue
					}
					if got, want := x.field[k][lane], want[k][lane]; !(math.Abs(got-want) < tolerance) {
						t.Fatalf("%v, softmax %v: lane %d of %d is %v, want %v", shape, softmax, lane, k,
							got, want)
					}
				}
			}
		}
	}
}

// A kernel gets the scores of each token with all, in whichever block its row is, and its weights are those
// of the sums: here of the tokens up to the second next alone, against the definition.
func TestRowAttentionIsItsDefinition(t *testing.T) {
	kernel := func(weights []float64, i int) {
		for j, s := range weights {
			if weights[j] = 0; j <= i+2 {
				weights[j] = s / float64(i+1)
			}
		}
	}
	for _, shape := range append([][2]int{{70, 3}, {33, 2}}, tokenShapes...) {
		n, d := shape[0], shape[1]
		run := func() []Vector {
			x := NewTokens(n, d, 0.3, NewRowAttention(kernel, n, d), false)
			startTokens(rand.New(rand.NewPCG(33, 8)), x)
			x.attention.Field(x.field, x.work, x.X, x.Masses, d)
			return x.field
		}
		want, x := inGeneric(run), NewTokens(n, d, 0.3, nil, false)
		startTokens(rand.New(rand.NewPCG(33, 8)), x)
		for place, got := range want {
			for lane := range got {
				i, k, sum := place/d, place%d, 0.0
				for j := range min(n, i+3) {
					sum += dot(x.X[i*d:(i+1)*d], x.X[j*d:(j+1)*d], lane) / float64(i+1) * x.X[j*d+k][lane]
				}
				if !(math.Abs(got[lane]-sum) < 1e-13) {
					t.Fatalf("%v: lane %d of coordinate %d of token %d is %v, want %v", shape, lane, k, i,
						got[lane], sum)
				}
			}
		}
		withEach(t, func(t *testing.T) { runtest.SameBits(t, fmt.Sprint(shape), run(), want) })
	}
}

// About 1024 scores are weighed together: those of all tokens, of several, or of one if there are more.
func TestScoresWeighedTogether(t *testing.T) {
	for tokens, rows := range map[int]int{1: 1, 3: 3, 32: 32, 33: 31, 512: 2, 513: 1, 1024: 1, 3000: 1} {
		a := NewRowAttention(nil, tokens, 2)
		if len(a.rows.scores) != rows*tokens || len(a.rows.byLane) != 8*rows*tokens ||
			len(a.rows.columns) != 2*tokens {
			t.Errorf("%d tokens: %d scores, want those of %d", tokens, len(a.rows.scores), rows)
		}
	}
}
