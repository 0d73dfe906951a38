package lanes

import "math"

// mergeDistance is the distance at which two tokens become one atom. It is near
// rounding: within a configuration of other tokens a close pair can be pushed apart for
// a while, so that a bound for two tokens alone says nothing.
const mergeDistance = 1e-9

// mergeInterval is the number of layers between two searches for tokens that coincide.
const mergeInterval = 32

// atoms are the tokens of a trajectory of which those that have come together are one:
// the noise is common to all, so they would stay together. Opposite tokens never merge,
// as opposite atoms of different masses come apart again.
type atoms struct {
	masses []float64 // number of tokens of each atom
	of     []int32   // the atom of each token
}

func newAtoms(tokens int) atoms { return atoms{make([]float64, tokens), make([]int32, tokens)} }

// expand writes the atoms x to all tokens, unless each is its own: then it returns x.
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

// merge gives atoms within a distance of an earlier one to that, and closes the gaps in x.
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

// join gives atom j, which is the later one, to atom i.
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
