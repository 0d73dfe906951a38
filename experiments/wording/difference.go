package wording

import (
	"fmt"
	"math"
)

// Difference is the largest difference of some numbers to their theory. Numbers that have no theory
// are counted, and count neither for nor against it. The zero value has seen none.
type Difference struct {
	largest          float64
	compared, absent int
}

// Add takes the difference of one more number to its theory, at least 0, or NaN where there is no
// theory. It reports whether this is the largest so far.
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

// Largest is the largest difference, NaN if no number has a theory.
func (d *Difference) Largest() float64 {
	if d.compared == 0 {
		return math.NaN()
	}
	return d.largest
}

// Text is a clause on the largest difference, completed by how many of the numbers, whose name in the
// plural is many, have no theory; or in place of it that none has.
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

// Sentence is Text with a capital letter, a full stop and a blank before it.
func (d *Difference) Sentence(clause, many string) string {
	text := d.Text(clause, many)
	return " " + string(text[0]-'a'+'A') + text[1:] + "."
}

// Relative is the difference of a number to its theory relative to the latter; NaN where there is no
// theory or it is 0.
func Relative(measured, theory float64) float64 {
	if theory == 0 {
		return math.NaN()
	}
	return math.Abs(measured/theory - 1)
}
