package matrices

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
)

// The domains of all fields end where the constants say.
func TestDomains(t *testing.T) {
	good := Network{Attention: Softmax, Tokens: 4, Dim: 6, Layers: 2, Heads: 2}
	domain := func(what string, change func(n *Network, x int), accepted, refused []int) {
		t.Helper()
		domaintest.Check(t, what, func(x int) error {
			n := good
			change(&n, x)
			return n.Validate()
		}, accepted, refused)
	}
	domain("attention", func(n *Network, x int) { n.Attention = Attention(x) },
		[]int{0, len(AttentionNames) - 1}, []int{-1, len(AttentionNames)})
	domain("law", func(n *Network, x int) { n.Law = Law(x) }, []int{0, len(LawNames) - 1},
		[]int{-1, len(LawNames)})
	domain("gap", func(n *Network, x int) { n.Gap = Gap(x) }, []int{0, len(GapNames) - 1},
		[]int{-1, len(GapNames)})
	domain("values", func(n *Network, x int) { n.Values = Values(x) }, []int{0, len(ValuesNames) - 1},
		[]int{-1, len(ValuesNames)})
	domain("tokens", func(n *Network, x int) { n.Tokens = x }, []int{2, 1 << 24}, []int{1, 1<<24 + 1})
	domain("dimension", func(n *Network, x int) { n.Dim, n.Heads = x, 1 }, []int{1, 1 << 24},
		[]int{0, 1<<24 + 1})
	domain("layers", func(n *Network, x int) { n.Layers = x }, []int{1, 1 << 10}, []int{0, 1<<10 + 1})
	domain("heads", func(n *Network, x int) { n.Dim, n.Heads = x, x }, []int{1, 1 << 8}, []int{0, 1<<8 + 1})
	domain("heads of six dimensions", func(n *Network, x int) { n.Heads = x }, []int{1, 2, 3, 6},
		[]int{4, 5, 12})
	domain("dimension with LayerNorm", func(n *Network, x int) { n.Dim, n.Heads, n.LayerNorm = x, 1, true },
		[]int{2}, []int{1})
	domain("dimension beside a skip", func(n *Network, x int) { n.Dim, n.Heads, n.Skip = x, 1, true },
		[]int{4}, []int{3})
	domaintest.Check(t, "scale of keys", func(x float64) error {
		n := good
		n.KeyScale = x
		return n.Validate()
	}, []float64{0, 1000}, []float64{domaintest.Below(0), domaintest.Above(1000), math.NaN()})
}
