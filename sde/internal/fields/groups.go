package fields

import (
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/selfattention"
)

// groups computes attention sums over tokens of small dimension, in vectors of eight tokens.
type groups struct {
	*Field
	tokens   selfattention.Groups
	weighted []kernels.Vector // tokens multiplied by their masses, in groups
	add      func(i, j int, turn team.Turn)
	dst      *kernels.Matrix // result of the current sum
	ones     bool            // whether all masses are 1
}

// groupsTogether is the number of groups of eight tokens whose pairs a goroutine processes at a time.
const groupsTogether = 8

func newGroups(f *Field) *groups {
	d, count := f.of.Dim, kernels.Width(f.of.Count)
	blank := func(n int) []kernels.Vector { return make([]kernels.Vector, n) }
	g := &groups{Field: f, tokens: selfattention.Groups{
		X: blank(count * d), Masses: f.masses, Field: blank(count * d), Totals: blank(count), Dim: d,
	}, weighted: blank(count * d)}
	g.add = func(i, j int, turn team.Turn) {
		turn.Wait()
		all := kernels.Width(g.n)
		g.kernel.AddPairs(&g.tokens, groupsTogether*i, min(groupsTogether*(i+1), all),
			groupsTogether*j, min(groupsTogether*(j+1), all))
	}
	return g
}

func (g *groups) sum(dst *kernels.Matrix, masses []float64) {
	g.dst, g.ones = dst, allOnes(masses)
	if g.tokens.Heavy = g.tokens.X; !g.ones {
		g.tokens.Heavy = g.weighted
	}
	g.takeTokens()
	g.team.Triangle((kernels.Width(g.n)+groupsTogether-1)/groupsTogether, g.add)
	g.giveSums()
}

// takeTokens copies the tokens into groups of eight, and initialises the sums of the tokens.
func (g *groups) takeTokens() {
	d := g.of.Dim
	for group := range kernels.Width(g.n) {
		from, to := group*d, (group+1)*d
		x := g.tokens.X[from:to]
		first, last := 8*group, min(8*(group+1), g.n)
		if last < first+8 {
			clear(x)
		}
		products.Transpose(coordinates(x, last-first), g.x.Part(first, last, d))
		if !g.ones {
			for c := range x {
				for lane, mass := range g.masses[group] {
					g.weighted[from+c][lane] = float64(x[c][lane] * mass)
				}
			}
		}
		clear(g.tokens.Field[from:to])
		g.tokens.Totals[group] = kernels.Vector{}
	}
}

// giveSums writes the sums of the tokens to dst, and sets the factors of these sums.
func (g *groups) giveSums() {
	d := g.of.Dim
	for group := range kernels.Width(g.n) {
		first, last := 8*group, min(8*(group+1), g.n)
		field := coordinates(g.tokens.Field[group*d:(group+1)*d], last-first)
		products.Transpose(g.dst.Part(first, last, d), field)
		for i := first; i < last; i++ {
			g.factors[i] = g.kernel.Factor(g.tokens.Totals[group][i-first])
		}
	}
}

// coordinates returns the coordinates of the first tokens of a group, in rows.
func coordinates(v []kernels.Vector, tokens int) blas64.General {
	return blas64.General{Rows: len(v), Cols: tokens, Stride: 8, Data: kernels.Numbers(v)}
}
