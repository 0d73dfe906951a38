package wording

import (
	"fmt"
	"math"
)

// Difference is the largest difference of some numbers from their theory. Numbers without a theory are
// counted, but ignored otherwise. The zero value contains no numbers.
type Difference struct {
	largest          float64
	compared, absent int
}

// Add adds the difference of another number from its theory: at least 0, or NaN if there is no theory. It
// reports whether this is the largest difference so far.
func (d *Difference) Add(difference float64) bool {
	if math.IsNaN(difference) {
		d.absent++
		return false
	}
	d.compared++
	if d.compared > 1 && difference <= d.largest {
		return false
	}
	d.largest = difference
	return true
}

// Largest returns the largest difference, NaN if no number has a theory.
func (d *Difference) Largest() float64 {
	if d.compared == 0 {
		return math.NaN()
	}
	return d.largest
}

// Text returns a clause about the largest difference, followed by how many of the numbers, whose name in the
// plural is many, have no theory. If none has one, it says so instead.
func (d *Difference) Text(clause, many string) string {
	switch {
	case d.compared == 0:
		return fmt.Sprintf("there is no theory to compare these %s with", many)
	case d.absent > 0:
		return fmt.Sprintf("%s, but for %d of %d %s, of which there is no theory", clause, d.absent,
			d.absent+d.compared, many)
	}
	return clause
}

// Sentence returns Text with a capital letter, a full stop, and a blank before it.
func (d *Difference) Sentence(clause, many string) string {
	text := d.Text(clause, many)
	return " " + string(text[0]-'a'+'A') + text[1:] + "."
}

// Relative returns the difference of a number from its theory as a fraction of the theory; NaN if there is no
// theory, or if it is 0.
func Relative(measured, theory float64) float64 {
	if theory == 0 {
		return math.NaN()
	}
	return math.Abs(measured/theory - 1)
}
