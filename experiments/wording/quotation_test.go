package wording

import (
	"strings"
	"testing"
)

func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"phase.arrow": "phase.arrow", "": `""`, "a b": `"a b"`, "ε": `"ε"`, `a"`: `"a\""`, "a\x00": `"a\x00"`,
		strings.Repeat("x", 200): strings.Repeat("x", 200),
		strings.Repeat("x", 201): `"` + strings.Repeat("x", 200) + `…"`,
	} {
		if got := Quoted(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
