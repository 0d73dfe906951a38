package overlap

import (
	"strconv"

	"antipode/overlap/internal/line"
)

// A Boundary is the class of an end of the interval (-1, 1) in Feller's
// classification, as Karlin and Taylor (A Second Course in Stochastic Processes,
// chapter 15, section 6) name it.
type Boundary uint8

const (
	// Attracting: the scale function is finite at the end, so the overlap
	// converges to it with positive probability; it gets there in infinite time.
	Attracting Boundary = iota
	// NonAttracting: the scale function is infinite at the end; the overlap
	// almost surely does not converge to it.
	NonAttracting
	// Entrance: the overlap can start from the end but never comes back to it.
	Entrance
	// Reflecting: the overlap reaches the end in finite time and leaves it at once.
	Reflecting
)

// String returns "attracting", "non-attracting", "entrance" or "reflecting", and
// "Boundary(n)" for any other value n.
func (b Boundary) String() string {
	switch b {
	case Attracting:
		return "attracting"
	case NonAttracting:
		return "non-attracting"
	case Entrance:
		return "entrance"
	case Reflecting:
		return "reflecting"
	}
	return "Boundary(" + strconv.Itoa(int(b)) + ")"
}

// PlusOne returns the class of the end z = +1, where the two tokens coincide. Under
// random value matrices it is always Attracting (Lemma 5).
func (d *Diffusion) PlusOne() Boundary { return d.class(d.line.Plus) }

// MinusOne returns the class of the end z = -1, where the two tokens are antipodal.
// Of two clusters of equal mass it is Attracting if dim - 2 < cosh 2β, which is β >
// CriticalBeta(dim) and always so for dim = 2, otherwise NonAttracting (Lemma 5).
// Of unequal masses it is an Entrance, or Reflecting if dim = 2.
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
