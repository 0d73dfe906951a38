package lanes

import "math"

// mergeDistance is the distance at which two tokens become one atom. It is near
// rounding: other tokens can push a close pair apart for some time, so that a bound for two
// tokens alone says nothing.
const mergeDistance = 1e-9

// mergeInterval is the number of layers between two searches for tokens that coincide.
const mergeInterval = 32

// atoms are the tokens of a trajectory, where tokens that have come together count as one: as
// the noise is common to all, they stay together. Opposite tokens never merge, since opposite
// atoms of different masses separate again.
type atoms struct {
	masses []float64 // number of tokens of each atom
	of     []int32   // the atom of each token
	joined []int32   // what each atom becomes; working memory
	first  []float64 // the first coordinate of each atom; working memory
}

func newAtoms(tokens int) atoms {
	return atoms{
		masses: make([]float64, tokens), of: make([]int32, tokens), joined: make([]int32, tokens),
		first: make([]float64, tokens),
	}
}

// expand writes the positions x of the atoms to all tokens and returns them; if each token is
// an atom, it returns x.
func (a *atoms) expand(all, x []float64, d int) []float64 {
	if len(a.masses) == len(a.of) {
		return x
	}
	for token, atom := range a.of {
		copy(all[token*d:(token+1)*d], x[int(atom)*d:(int(atom)+1)*d])
	}
	return all
}

// reset makes each token an atom.
func (a *atoms) reset() {
	a.masses = a.masses[:len(a.of)]
	for i := range a.of {
		a.masses[i], a.of[i] = 1, int32(i)
	}
}

// merge joins each atom to the first one that is within a distance, and closes the gaps in x, whose
// rows begin stride numbers after one another.
func (a *atoms) merge(x []float64, d, stride int, distance float64) {
	row := func(i int) []float64 { return x[i*stride : i*stride+d] }
	kept := 0
	for j, mass := range a.masses {
		i, y := 0, row(j)
		for i < kept && (math.Abs(a.first[i]-y[0]) > distance || !within(distance, row(i), y)) {
			i++ // nearly always by the first coordinate
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
