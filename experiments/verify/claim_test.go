package verify

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The names of claims are unique and can be listed in a flag. What a claim states, and what it catches, are
// unique lines of limited length.
func TestClaimsAreNamed(t *testing.T) {
	const widest = 90
	ids, statements := map[string]bool{}, map[string]bool{}
	for _, c := range Claims() {
		if c.ID == "" || c.ID == allClaims || strings.ContainsAny(c.ID, " ,\n") || ids[c.ID] {
			t.Errorf("id %q", c.ID)
		}
		if c.Set == "" || c.Source == "" || c.measure == nil {
			t.Errorf("%+v", c)
		}
		n := utf8.RuneCountInString(c.Statement)
		if n == 0 || n > widest || statements[c.Statement] || strings.Contains(c.Statement, "\n") {
			t.Errorf("%s: statement of %d letters: %q", c.ID, n, c.Statement)
		}
		n = utf8.RuneCountInString(c.Catches)
		if n == 0 || n > 110 || statements[c.Catches] || strings.Contains(c.Catches, "\n") {
			t.Errorf("%s: catches %q, of %d letters", c.ID, c.Catches, n)
		}
		ids[c.ID], statements[c.Statement], statements[c.Catches] = true, true, true
	}
}
