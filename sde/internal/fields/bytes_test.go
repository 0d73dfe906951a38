package fields

import "testing"

// The numbers are counted by hand: the tokens and their keys in rows with up to 16 more numbers; for each
// goroutine three tiles of 128 tokens and 64 rows of weights; and for a series the moments, and 7000
// harmonics of 256 tokens for each goroutine.
func TestBytes(t *testing.T) {
	const tiles = 2*128*136 + 128*128
	for _, c := range []struct{ tokens, dim, workers, want float64 }{
		{99, 4, 1, 2*99*20 + tiles + 64*115},
		{99, 4, 2, 2*99*20 + 2*(tiles+64*115)},
		{100, 5, 1, 2*100*21 + tiles + 64*116},
		{100, 4, 1, 2*100*20 + tiles + 64*116 + 4*400 + 300 + 7000*256},
		{200, 2, 3, 2*200*18 + 3*(tiles+64*216) + 4*400 + 600 + 3*7000*256},
	} {
		if got := Bytes(c.tokens, c.dim, c.workers); got != 8*c.want {
			t.Errorf("%+v: %v bytes, want %v", c, got, 8*c.want)
		}
	}
}

// A series is for two to four dimensions and β up to 50, with the identity as interaction matrix; unless it
// is asked for, it is for more tokens than it costs terms.
func TestHasSeries(t *testing.T) {
	plain := Attention{Beta: 0.75, Softmax: true, Dim: 3, Sum: Harmonics}
	with := func(change func(a *Attention)) Attention {
		a := plain
		change(&a)
		return a
	}
	const count = 538 // 250, and 0.32 for each of the 900 moments for this β
	for what, c := range map[string]struct {
		of   Attention
		want bool
	}{
		"plain":           {plain, true},
		"circle":          {with(func(a *Attention) { a.Dim = 2 }), true},
		"four dimensions": {with(func(a *Attention) { a.Dim = 4 }), true},
		"one dimension":   {with(func(a *Attention) { a.Dim = 1 }), false},
		"five dimensions": {with(func(a *Attention) { a.Dim = 5 }), false},
		"largest β":       {with(func(a *Attention) { a.Beta = 50 }), true},
		"too large β":     {with(func(a *Attention) { a.Beta = 50.00001 }), false},
		"a matrix":        {with(func(a *Attention) { a.Interaction = make([]float64, 9) }), false},
		"direct":          {with(func(a *Attention) { a.Sum, a.Count = Direct, 1<<20 }), false},
		"few, fastest":    {with(func(a *Attention) { a.Sum, a.Count = Fastest, count }), false},
		"many, fastest":   {with(func(a *Attention) { a.Sum, a.Count = Fastest, count+1 }), true},
		"many with matrix": {with(func(a *Attention) {
			a.Count, a.Interaction = 1<<20, make([]float64, 9)
		}), false},
	} {
		if got := c.of.HasSeries(); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
	if got := plain.SeriesTerms(); got != count {
		t.Errorf("%v terms, want %v", got, count)
	}
	// 250 terms for a token, and 0.32 for each moment.
	if got := terms(3, 100); got != 250+32 {
		t.Errorf("100 moments in three dimensions take as long as %v terms", got)
	}
	if got, want := terms(2, 10), 55+4.5; got != want {
		t.Errorf("10 moments on the circle take as long as %v terms", got)
	}
	if got, want := terms(4, 1000), 850+170.; got != want {
		t.Errorf("1000 moments in four dimensions take as long as %v terms", got)
	}
}
