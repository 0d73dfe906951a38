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
}

func newAtoms(tokens int) atoms { return atoms{make([]float64, tokens), make([]int32, tokens)} }

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

// merge joins each atom to an earlier one within a distance, and closes the gaps in x.
func (a *atoms) merge(x []float64, d int, distance float64) {
	for i := 0; i < len(a.masses); i++ {
		for j := i + 1; j < len(a.masses); {
			if math.Abs(x[i*d]-x[j*d]) > distance { // nearly always
				j++
			} else if within(distance, x[i*d:(i+1)*d], x[j*d:(j+1)*d]) {
				a.join(i, j)
				copy(x[j*d:], x[(j+1)*d:(len(a.masses)+1)*d])
			} else {
				j++
			}
		}
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

// join joins atom j to atom i < j.
func (a *atoms) join(i, j int) {
	a.masses[i] += a.masses[j]
	a.masses = append(a.masses[:j], a.masses[j+1:]...)
	for token, atom := range a.of {
		switch {
		case int(atom) == j:
			a.of[token] = int32(i)
		case int(atom) > j:
			a.of[token]--
		}
	}
}
