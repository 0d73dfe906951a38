package network

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
)

// The domains of all fields end where the comments say.
func TestDomains(t *testing.T) {
	above, nan, inf := domaintest.Above, math.NaN(), math.Inf(1)
	of := func(change func(n *Network)) error {
		n := small(PostNorm, ReLU)
		change(&n)
		return n.Validate()
	}
	for what, field := range map[string]func(n *Network) *float64{
		"queries and keys": func(n *Network) *float64 { return &n.QueryKey2 },
		"values":           func(n *Network) *float64 { return &n.Value2 },
		"projections":      func(n *Network) *float64 { return &n.Projection2 },
		"hidden":           func(n *Network) *float64 { return &n.Hidden2 },
		"output":           func(n *Network) *float64 { return &n.Output2 },
		"biases":           func(n *Network) *float64 { return &n.Bias2 },
		"skip of SA":       func(n *Network) *float64 { return &n.AlphaSA },
		"skip of MLP":      func(n *Network) *float64 { return &n.AlphaMLP },
		"branch of SA":     func(n *Network) *float64 { return &n.BranchSA },
		"branch of MLP":    func(n *Network) *float64 { return &n.BranchMLP },
		"ε":                func(n *Network) *float64 { return &n.LayerNorm.Epsilon },
	} {
		domaintest.Check(t, what, func(x float64) error { return of(func(n *Network) { *field(n) = x }) },
			[]float64{0, 1e6}, []float64{domaintest.Below(0), above(1e6), nan, inf})
	}
	domaintest.Check(t, "squared norm", func(x float64) error {
		return of(func(n *Network) { n.Q, n.P = x, 0 })
	},
		[]float64{5e-324, 1e6}, []float64{0, above(1e6), nan})
	domaintest.Check(t, "overlap", func(x float64) error { return of(func(n *Network) { n.Q, n.P = 2, x }) },
		[]float64{0, 2}, []float64{domaintest.Below(0), above(2), nan})
	embedded := Embedding{Vocabulary: 3}
	domaintest.Check(t, "variance of embeddings", func(x float64) error {
		return of(func(n *Network) { n.Input, n.Embedding = Embedded, embedded; n.Embedding.Variance = x })
	}, []float64{0, 1e6}, []float64{domaintest.Below(0), above(1e6), nan})
	for _, c := range []struct {
		what              string
		change            func(n *Network, x int)
		accepted, refused []int
	}{
		{"norm", func(n *Network, x int) { n.Norm = Placement(x) }, []int{0, len(PlacementNames) - 1},
			[]int{-1, len(PlacementNames)}},
		{"activation", func(n *Network, x int) { n.Activation = Activation(x) },
			[]int{0, len(ActivationNames) - 1}, []int{-1, len(ActivationNames)}},
		{"law of values", func(n *Network, x int) { n.Values = ValueLaw(x) },
			[]int{0, len(ValueLawNames) - 1}, []int{-1, len(ValueLawNames)}},
		{"law of projections", func(n *Network, x int) { n.Projections = ValueLaw(x) },
			[]int{0, len(ValueLawNames) - 1}, []int{-1, len(ValueLawNames)}},
		{"attention", func(n *Network, x int) { n.Attention, n.KeyDim = Attention(x), 0 },
			[]int{0, len(AttentionNames) - 1}, []int{-1, len(AttentionNames)}},
		{"input", func(n *Network, x int) { n.Input = Input(x) }, nil, []int{-1, len(InputNames)}},
		{"positions", func(n *Network, x int) {
			n.Input, n.Embedding = Embedded, embedded
			n.Embedding.Positions = Positions(x)
		}, []int{0, len(PositionsNames) - 1}, []int{-1, len(PositionsNames)}},
		{"tokens", func(n *Network, x int) { n.Tokens, n.Input = x, Gaussian }, []int{2, 1 << 20},
			[]int{1, 1<<20 + 1}},
		{"tokens of a simplex", func(n *Network, x int) { n.Tokens = x }, []int{2, 7}, []int{8, 9}},
		{"dimension", func(n *Network, x int) { n.Dim, n.Heads, n.Input = x, 1, Gaussian }, []int{1, 1 << 20},
			[]int{0, 1<<20 + 1}},
		{"heads", func(n *Network, x int) { n.Heads = x }, []int{1, 2, 4, 8}, []int{0, 3, 5, 16, -1}},
		{"key dimension", func(n *Network, x int) { n.KeyDim = x }, []int{0, 1, 1 << 19},
			[]int{-1, 1<<19 + 1}},
		{"width", func(n *Network, x int) { n.Width = x }, []int{0, 1, 1 << 20}, []int{-1, 1<<20 + 1}},
		{"gated width", func(n *Network, x int) { n.Width, n.Gated = x, true }, []int{0, 1 << 19},
			[]int{1<<19 + 1}},
		{"layers", func(n *Network, x int) { n.Layers = x }, []int{0, 1 << 20}, []int{-1, 1<<20 + 1}},
		{"vocabulary", func(n *Network, x int) { n.Input, n.Embedding = Embedded, Embedding{Vocabulary: x} },
			[]int{1, 1 << 20}, []int{-1, 0, 1<<20 + 1}},
		{"features", func(n *Network, x int) { n.Input, n.Embedding = Embedded, Embedding{Features: x} },
			[]int{1, 1 << 20}, []int{-1, 0, 1<<20 + 1}},
		{"words and features", func(n *Network, x int) {
			n.Input, n.Embedding = Embedded, Embedding{Vocabulary: 2, Features: x}
		}, []int{0}, []int{1}},
		{"types", func(n *Network, x int) {
			n.Input, n.Embedding = Embedded, Embedding{Vocabulary: 2, Types: x}
		}, []int{0, 1 << 20}, []int{-1, 1<<20 + 1}},
		{"outputs", func(n *Network, x int) { n.Outputs = x }, []int{0, 1 << 20}, []int{-1, 1<<20 + 1}},
		{"late tokens", func(n *Network, x int) { n.Late = x }, []int{0, 2, 5}, []int{-1, 1, 6}},
		{"tokens at the ends", func(n *Network, x int) { n.Ends = x }, []int{0, 2, 5}, []int{-1, 1, 6}},
		{"dimension of centred tokens", func(n *Network, x int) {
			n.Dim, n.Heads, n.Input, n.LayerNorm.Centred = x, 1, Gaussian, true
		}, []int{2}, []int{1}},
		{"embeddings of other inputs", func(n *Network, x int) { n.Embedding.Vocabulary = x }, []int{0},
			[]int{1}},
	} {
		domaintest.Check(t, c.what, func(x int) error { return of(func(n *Network) { c.change(n, x) }) },
			c.accepted, c.refused)
	}
	for what, dropout := range map[string]func(x float64) Dropout{
		"embedding": func(x float64) Dropout { return Dropout{Embedding: x} },
		"attention": func(x float64) Dropout { return Dropout{Attention: x} },
		"MLP":       func(x float64) Dropout { return Dropout{MLP: x} },
		"branch":    func(x float64) Dropout { return Dropout{Branch: x} },
	} {
		domaintest.Check(t, "dropout of "+what, func(x float64) error { return dropout(x).Validate() },
			[]float64{0, domaintest.Below(1)}, []float64{domaintest.Below(0), 1, nan})
	}
}

// Attention that is not by queries and keys allows nothing that belongs to queries and keys, and a limited
// number of free scores.
func TestDomainOfFreeAttention(t *testing.T) {
	for a := range Attention(len(AttentionNames)) {
		if a == QueriesKeys {
			continue
		}
		of := func(change func(n *Network)) error {
			n := small(PostNorm, ReLU)
			n.Attention, n.KeyDim, n.Input = a, 0, Gaussian
			change(&n)
			return n.Validate()
		}
		domaintest.Check(t, "free attention", of, []func(n *Network){func(n *Network) {}}, []func(n *Network){
			func(n *Network) { n.Uniform = true }, func(n *Network) { n.TiedKeys = true },
			func(n *Network) { n.KeyDim = 1 },
		})
		domaintest.Check(t, "tokens of two heads", func(x int) error {
			return of(func(n *Network) { n.Tokens = x })
		},
			[]int{1 << 19}, []int{1<<19 + 1})
	}
}

// The domains of an ensemble end where the comments say.
func TestDomainsOfEnsembles(t *testing.T) {
	of := func(change func(e *Ensemble)) error {
		e := &Ensemble{Network: wordy(), Networks: 1, Workers: 1}
		change(e)
		return e.Validate()
	}
	domaintest.Check(t, "networks", func(x int) error { return of(func(e *Ensemble) { e.Networks = x }) },
		[]int{1, 1 << 40}, []int{0, 1<<40 + 1})
	domaintest.Check(t, "workers", func(x int) error { return of(func(e *Ensemble) { e.Workers = x }) },
		[]int{0, 1}, []int{-1})
	domaintest.Check(t, "classes", func(x int) error {
		return of(func(e *Ensemble) { e.Gradients, e.Classes = true, x })
	}, []int{0, 2, 1 << 20}, []int{-1, 1, 1<<20 + 1})
	domaintest.Check(t, "classes without gradients", func(x int) error {
		return of(func(e *Ensemble) { e.Classes = x })
	}, []int{0}, []int{2})
	domaintest.Check(t, "sequences", func(x int) error { return of(func(e *Ensemble) { e.Sequences = x }) },
		[]int{0, 1, 2, 1000}, []int{-1, 1<<20 + 1})
	domaintest.Check(t, "words of several sequences", func(words int) error {
		return of(func(e *Ensemble) { e.Network.Embedding.Vocabulary, e.Sequences = words, 2 })
	}, []int{1, 2}, nil)
	domaintest.Check(t, "sequences with gradients", func(x int) error {
		return of(func(e *Ensemble) { e.Sequences, e.Gradients = x, true })
	}, []int{0, 1}, []int{2})
	domaintest.Check(t, "sequences without words", func(x int) error {
		return of(func(e *Ensemble) { e.Network, e.Sequences = small(PostNorm, ReLU), x })
	}, []int{0, 1}, []int{2})
	for class, want := range map[bool]int{false: 5, true: 4} {
		domaintest.Check(t, "number of words", func(words int) error {
			return of(func(e *Ensemble) {
				e.Network.Embedding.Class, e.Words = class, [][]int{make([]int, words)}
			})
		}, []int{want}, []int{want - 1, want + 1})
	}
	domaintest.Check(t, "word", func(word int) error {
		return of(func(e *Ensemble) { e.Words = [][]int{{0, 0, 0, 0, word}} })
	}, []int{0, 6}, []int{-1, 7})
	domaintest.Check(t, "Zipf's law without words", func(zipf bool) error {
		return of(func(e *Ensemble) { e.Network, e.Zipf = small(PostNorm, ReLU), zipf })
	}, []bool{false}, []bool{true})
}
