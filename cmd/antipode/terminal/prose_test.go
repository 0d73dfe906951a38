package terminal

import "testing"

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
