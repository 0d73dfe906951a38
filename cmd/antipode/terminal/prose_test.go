package terminal

import (
	"errors"
	"testing"
)

// Sentences are broken between words, their indentation is kept, and the width counts letters and not bytes;
// a word that is longer than the width stays whole.
func TestWrapped(t *testing.T) {
	const text = "  β  z\n\nεεεε ε² > 2e^-β, a single one.\n" +
		"  overlap +1: attracting\na verylongword_without_blanks b\n"
	for columns, want := range map[int]string{
		80: text,
		12: "  β  z\n\nεεεε ε² >\n2e^-β, a\nsingle one.\n" +
			"  overlap\n  +1:\n  attracting\na\nverylongword_without_blanks\nb\n",
	} {
		if got := wrapped(text, columns); got != want {
			t.Errorf("%d columns: %q, want %q", columns, got, want)
		}
	}
}

// A table that is too wide is split between columns, at the same columns in all rows, whether their texts are
// aligned left or right; a single column that is too wide is broken between words.
func TestWideTables(t *testing.T) {
	const text = "A table.\n" +
		"  layer     β  antipodal  in the limit\n" +
		"      0  0.25     0.1000       0.12345\n" +
		"     10     1     0.2000\n\n" +
		"  id  claim\n" +
		"  a   as long as this one\n" +
		"  b   short\n"
	const narrow = "A table.\n" +
		"  layer     β\n      antipodal\n            in\n            the\n            limit\n" +
		"      0  0.25\n         0.1000\n                 0.12345\n" +
		"     10     1\n         0.2000\n\n" +
		"  id\n      claim\n" +
		"  a\n      as long as\n      this one\n" +
		"  b\n      short\n"
	const middle = "A table.\n" +
		"  layer     β  antipodal\n      in the limit\n" +
		"      0  0.25     0.1000\n           0.12345\n" +
		"     10     1     0.2000\n\n" +
		"  id  claim\n" +
		"  a   as long as this one\n" +
		"  b   short\n"
	for columns, want := range map[int]string{40: text, 26: middle, 16: narrow} {
		if got := wrapped(text, columns); got != want {
			t.Errorf("%d columns:\n%s\nwant\n%s", columns, got, want)
		}
	}
	const below = "eq5       a source        a claim that\n                        goes on\n"
	if got := wrapped(below, 24); got != "eq5       a source\n      a claim that\n      goes on\n" {
		t.Errorf("a line below the last column:\n%s", got)
	}
}

// failing is a writer whose writes return these errors, one after the other.
type failing []error

func (f *failing) Write(p []byte) (int, error) {
	err := (*f)[0]
	*f = (*f)[1:]
	return len(p), err
}

// Output keeps the first error that a write returned, whatever later writes return.
func TestOutputKeepsTheFirstError(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	o := Output{Writer: &failing{nil, first, second, nil}}
	for k, want := range []error{nil, first, first, first} {
		if _, _ = o.Write([]byte("a")); o.Err() != want {
			t.Errorf("after %d writes %v, want %v", k+1, o.Err(), want)
		}
	}
}
