package overlap

import (
	"strconv"

	"antipode/overlap/internal/line"
)

// A Boundary is the class of an end of the interval (-1, 1) in Feller's
// classification, as Karlin and Taylor (A Second Course in Stochastic Processes,
// chapter 15, section 6) name it.
type Boundary int8

const (
	// Attracting: the scale function is finite at the end, so the overlap converges to the end with positive
	// probability. The overlap does not reach an attracting end in finite time.
	Attracting Boundary = iota
	// NonAttracting: the scale function is infinite at the end, so the overlap almost surely does not
	// converge to the end.
	NonAttracting
	// Entrance: the overlap can start at the end but never returns to the end.
	Entrance
	// Reflecting: the overlap reaches the end in finite time and leaves the end at once.
	Reflecting
)

// boundaryNames are the names of the boundary classes, in the order of the constants from Attracting on.
var boundaryNames = []string{"attracting", "non-attracting", "entrance", "reflecting"}

// String returns the name of a boundary class, "attracting", "non-attracting", "entrance" or "reflecting",
// and "Boundary(n)" for any other value n.
func (b Boundary) String() string {
	if b < 0 || int(b) >= len(boundaryNames) {
		return "Boundary(" + strconv.Itoa(int(b)) + ")"
	}
	return boundaryNames[b]
}

// Labels returns the names of all boundary classes in the order of the constants, as labels for a table
// column.
func (Boundary) Labels() []string { return boundaryNames }

// PlusOne returns the boundary class of the end z = +1, where the two tokens coincide. Under value matrices
// of independent entries the end +1 is always Attracting (Lemma 5).
func (d *Diffusion) PlusOne() Boundary { return d.class(d.line.Plus) }

// MinusOne returns the boundary class of the end z = -1, where the two tokens are antipodal. For two clusters
// of equal mass, the end -1 is Attracting if dim - 2 < cosh 2β and NonAttracting otherwise (Lemma 5). The
// condition dim - 2 < cosh 2β is β > CriticalBeta(dim), and always holds for dim = 2. For unequal masses, the
// end -1 is an Entrance, or Reflecting if dim = 2.
func (d *Diffusion) MinusOne() Boundary { return d.class(d.line.Minus) }

func (d *Diffusion) class(e line.End) Boundary {
	switch {
	case e.Attracting:
		return Attracting
	case !e.Enterable:
		return NonAttracting
	case d.line.Dim == 2:
		return Reflecting
	}
	return Entrance
}
