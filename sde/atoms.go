package sde

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

// massStepper is a Stepper that advances atoms.
type massStepper interface {
	Stepper
	setMasses(masses []float64)
}

// atomLanes are tokenLanes whose tokens merge. Observers see all N tokens.
type atomLanes struct {
	*tokenLanes
	stepper  massStepper
	atoms    []atoms
	distance float64
	all      []float64 // N×d
}

func newAtomLanes(l *tokenLanes, stepper massStepper, count int) *atomLanes {
	n := l.cell.Tokens
	merging := &atomLanes{l, stepper, make([]atoms, count), mergeDistance, make([]float64, n*l.cell.Dim)}
	for k := range merging.atoms {
		merging.atoms[k] = newAtoms(n)
	}
	return merging
}

func (l *atomLanes) start(k int, trajectory int64) error {
	l.atoms[k].reset()
	return l.tokenLanes.start(k, trajectory)
}

func (l *atomLanes) move(k, from int) {
	l.tokenLanes.move(k, from)
	l.atoms[k], l.atoms[from] = l.atoms[from], l.atoms[k]
}

func (l *atomLanes) see(k int) []float64 {
	return l.atoms[k].expand(l.all, l.tokenLanes.see(k), l.cell.Dim)
}

func (l *atomLanes) advance(all []lane, layers int64) {
	d := l.cell.Dim
	for k := range all {
		at, x, a := &all[k], l.tokenLanes.see(k), &l.atoms[k]
		l.stepper.setMasses(a.masses)
		for end := at.layer + layers; at.layer < end && at.err == nil; {
			l.step(at, x[:len(a.masses)*d])
			if at.layer%mergeInterval == 0 && len(a.masses) > 1 {
				a.merge(x[:len(a.masses)*d], d, l.distance)
				l.stepper.setMasses(a.masses)
			}
		}
	}
}
