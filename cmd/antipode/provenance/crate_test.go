package provenance

import "testing"

// A table that was made on Windows can be described elsewhere, and the other way round.
func TestLastName(t *testing.T) {
	for path, want := range map[string]string{
		"states.arrow":            "states.arrow",
		"runs/states.arrow":       "states.arrow",
		`C:\runs\states.arrow`:    "states.arrow",
		`C:/runs\my states.arrow`: "my states.arrow",
		`\\server\share\B.txt`:    "B.txt",
	} {
		if got := lastName(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
