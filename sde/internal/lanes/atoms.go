package lanes

import "math"

// mergeDistance is the distance below which two tokens become one atom. The distance is so small because
// other tokens can push a close pair apart again, so that a bound derived for two tokens alone would not
// hold.
const mergeDistance = 1e-9

// mergeInterval is the number of layers between two searches for tokens that coincide.
const mergeInterval = 32

// atoms describes the tokens of a trajectory after coincident tokens have been merged into one atom. As the
// noise is common to all tokens, coincident tokens stay together. Opposite tokens are not merged, since
// opposite atoms of different masses do not stay opposite.
type atoms struct {
	masses []float64 // number of tokens of each atom: its mass
	of     []int32   // atom to which each token belongs
	joined []int32   // atom into which each atom is merged; working memory
	first  []float64 // first coordinate of each atom; working memory
}

func newAtoms(tokens int) atoms {
	return atoms{
		masses: make([]float64, tokens), of: make([]int32, tokens), joined: make([]int32, tokens),
		first: make([]float64, tokens),
	}
}

// expand writes the position of each token to all (N×d) and returns it, given the positions x of the atoms.
// If each token is an atom of its own, expand returns x.
func (a *atoms) expand(all, x []float64, d int) []float64 {
	if len(a.masses) == len(a.of) {
		return x
	}
	for token, atom := range a.of {
		copy(all[token*d:(token+1)*d], x[int(atom)*d:(int(atom)+1)*d])
	}
	return all
}

// reset makes each token of the trajectory an atom of its own.
func (a *atoms) reset() {
	a.masses = a.masses[:len(a.of)]
	for i := range a.of {
		a.masses[i], a.of[i] = 1, int32(i)
	}
}

// merge merges each atom into the first atom that is within the given distance. The remaining atoms move up
// in x, whose rows begin stride numbers apart.
func (a *atoms) merge(x []float64, d, stride int, distance float64) {
	row := func(i int) []float64 { return x[i*stride : i*stride+d] }
	kept, grid := 0, newGrid(len(a.masses), distance)
	for j, mass := range a.masses {
		i, y := 0, row(j)
		if grid != nil {
			i = grid.first(y, kept, func(i int) bool { return within(distance, row(i), y) })
		}
		for grid == nil && i < kept && (math.Abs(a.first[i]-y[0]) > distance ||
			!within(distance, row(i), y)) {
			i++ // the first coordinate alone nearly always shows that two atoms are apart
		}
		if a.joined[j] = int32(i); i < kept {
			a.masses[i] += mass
			continue
		}
		if j != kept {
			copy(row(kept), y)
			a.masses[kept] = mass
		}
		a.first[kept] = y[0]
		grid.add(y, kept)
		kept++
	}
	if kept == len(a.masses) {
		return
	}
	a.masses = a.masses[:kept]
	for token, atom := range a.of {
		a.of[token] = a.joined[atom]
	}
}

// grid finds nearby atoms: it sorts atoms into the squares of a grid by their first two coordinates.
type grid struct {
	width float64            // width of a square: twice the distance, with a margin for rounding
	last  map[[2]int64]int32 // 1 + the last atom in each square
	next  []int32            // 1 + the previous atom in the square of each atom; 0 for no previous atom
}

// newGrid returns a grid for the given number of atoms, or nil for so few atoms that comparing all pairs is
// as fast.
func newGrid(atoms int, distance float64) *grid {
	const few = 2048
	if atoms <= few {
		return nil
	}
	return &grid{2 * distance, make(map[[2]int64]int32, atoms), make([]int32, atoms)}
}

func (g *grid) square(y []float64) [2]int64 {
	return [2]int64{int64(math.Floor(y[0] / g.width)), int64(math.Floor(y[1] / g.width))}
}

func (g *grid) add(y []float64, atom int) {
	if g != nil {
		square := g.square(y)
		g.next[atom], g.last[square] = g.last[square], int32(atom+1)
	}
}

// first returns the first atom for which near holds, among the atoms in the squares around y. If near holds
// for no such atom, first returns the argument none.
func (g *grid) first(y []float64, none int, near func(i int) bool) int {
	found, middle := none, g.square(y)
	for across := int64(-1); across <= 1; across++ {
		for down := int64(-1); down <= 1; down++ {
			for k := g.last[[2]int64{middle[0] + across, middle[1] + down}]; k > 0; k = g.next[k-1] {
				if i := int(k - 1); i < found && near(i) {
					found = i
				}
			}
		}
	}
	return found
}

func within(distance float64, x, y []float64) bool {
	square := 0.0
	for k, v := range x {
		difference := v - y[k]
		square += float64(difference * difference)
		if !(square <= float64(distance*distance)) {
			return false
		}
	}
	return true
}
