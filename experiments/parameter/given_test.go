package parameter

import (
	"strings"
	"testing"
)

// file is a value that is written as the name of a file with a checksum.
type file struct{ Choice }

func (file) String() string { return "words.txt#sha256:00ff" }
func (file) NamesFile(text string) (name string, is bool) {
	name, _, _ = strings.Cut(text, "#")
	return name, true
}

// The error of a parameter without effect has the value that was given; for a file this is its name, without
// the checksum.
func TestCheckGiven(t *testing.T) {
	inapplicable := []Parameter{{Name: "text", Value: file{}, Inapplicable: "must be left out"}}
	err := CheckGiven(inapplicable, func(Parameter) bool { return true })
	if err == nil || err.Error() != "text words.txt: must be left out" {
		t.Errorf("%v", err)
	}
	if err := CheckGiven(inapplicable, func(Parameter) bool { return false }); err != nil {
		t.Errorf("%v", err)
	}
}
