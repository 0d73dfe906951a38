package wording

import (
	"fmt"
	"math"
)

// Difference collects the differences between measured numbers and their theory, and holds the largest of
// them. Numbers without a theory are counted, but have no other effect. The zero value has no numbers.
type Difference struct {
	largest          float64
	compared, absent int
}

// Add adds the difference between one more number and its theory. The difference is at least 0, or NaN if
// there is no theory. Add reports whether this difference is the largest so far.
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

// Largest returns the largest difference between a number and its theory, or NaN if no number has a theory.
func (d *Difference) Largest() float64 {
	if d.compared == 0 {
		return math.NaN()
	}
	return d.largest
}

// Text returns the clause about the largest difference, followed by how many numbers have no theory. The
// argument many is the plural of what the numbers are, such as cells. If no number has a theory, Text says so
// instead of the clause.
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

// Sentence returns Text as a sentence with a capital letter and a full stop, and with a blank before it.
func (d *Difference) Sentence(clause, many string) string {
	text := d.Text(clause, many)
	return " " + string(text[0]-'a'+'A') + text[1:] + "."
}

// Relative returns the difference between a measured number and its theory as a fraction of the theory. The
// result is infinite if only the theory is 0, and NaN if there is no theory.
func Relative(measured, theory float64) float64 {
	if measured == theory {
		return 0
	}
	return math.Abs(measured/theory - 1)
}
