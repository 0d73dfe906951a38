package wording

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestAbbreviated(t *testing.T) {
	long := strings.Repeat("1,", 100)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"--beta 3: must be at most 2", "--beta 3: must be at most 2"},
		{strings.Repeat("β ", 40), strings.Repeat("β ", 40)},
		{"--beta " + long + ": must be a number",
			"--beta 1,1,1,1,1,1,1,1,1,1,1,1,…1,1,1,1,1,1,1,1,1,1,1,: must be a number"},
		{strings.Repeat("ab ", 100), strings.Repeat("ab ", 13) + "a…" + strings.Repeat(" ab", 13)[1:] + " "},
	} {
		got := Abbreviated(c.text, 80)
		if got != c.want || utf8.RuneCountInString(got) > 80 {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

// A message of many megabytes is abbreviated quickly.
func TestAbbreviatedLongTexts(t *testing.T) {
	start := time.Now()
	for _, text := range []string{strings.Repeat("0.001,", 2e6), strings.Repeat("0.001, ", 2e6)} {
		if got := Abbreviated(text, MessageColumns); utf8.RuneCountInString(got) > MessageColumns {
			t.Errorf("%d characters", utf8.RuneCountInString(got))
		}
	}
	if passed := time.Since(start); passed > 10*time.Second {
		t.Errorf("took %v", passed)
	}
}
