package terminal

import (
	"errors"
	"testing"
)

// Sentences are broken between words, with their indentation, at a width that counts letters and not bytes;
// tables and words that are too long stay as they are.
func TestWrapped(t *testing.T) {
	const text = "  β  antipodal  in the limit\n\nεεεε ε² > 2e^-β, a single one.\n" +
		"  overlap +1: attracting\na verylongword_without_blanks b\n"
	for columns, want := range map[int]string{
		80: text,
		12: "  β  antipodal  in the limit\n\nεεεε ε² >\n2e^-β, a\nsingle one.\n" +
			"  overlap\n  +1:\n  attracting\na\nverylongword_without_blanks\nb\n",
	} {
		if got := wrapped(text, columns); got != want {
			t.Errorf("%d columns: %q, want %q", columns, got, want)
		}
	}
}

// failing is the errors of writes.
type failing []error

func (f *failing) Write(p []byte) (int, error) {
	err := (*f)[0]
	*f = (*f)[1:]
	return len(p), err
}

// Output keeps the first error, not what comes after it.
func TestOutputKeepsTheFirstError(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	o := Output{Writer: &failing{nil, first, second, nil}}
	for k, want := range []error{nil, first, first, first} {
		if _, _ = o.Write([]byte("a")); o.Err() != want {
			t.Errorf("after %d writes %v, want %v", k+1, o.Err(), want)
		}
	}
}
