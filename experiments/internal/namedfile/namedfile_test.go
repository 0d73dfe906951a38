package namedfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// The last mark separates a name from its checksum.
func TestSplit(t *testing.T) {
	for text, want := range map[string][2]string{"a.txt": {"a.txt", ""}, "a.txt#sha256:12": {"a.txt", "12"},
		"a#sha256:b#sha256:12": {"a#sha256:b", "12"}, "#sha256:12": {"", "12"}, "a#sha256:": {"a", ""},
		"": {"", ""}} {
		file, sum := Split(text)
		if file != want[0] || sum != want[1] || Name(text) != want[0] {
			t.Errorf("%q: %q and %q", text, file, sum)
		}
	}
	for pair, good := range map[[2]string]bool{{"", "a"}: true, {"a", "a"}: true, {"a", "b"}: false,
		{"a", ""}: false} {
		if err := Compare(pair[0], pair[1]); (err == nil) != good {
			t.Errorf("wanted %q, got %q: %v", pair[0], pair[1], err)
		}
	}
}

// A file of the greatest size is read, and one byte more is too large. Errors do not name the path, which the
// message around them does.
func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	must.Do(t, os.WriteFile(path, []byte("12345"), 0o666))
	tooLarge := errors.New("is too large")
	for most, want := range map[int64]error{4: tooLarge, 5: nil, 6: nil} {
		content, err := Read(path, most, tooLarge)
		if err != want || err == nil && string(content) != "12345" {
			t.Errorf("at most %d bytes: %q, %v", most, content, err)
		}
	}
	for _, bad := range []string{filepath.Dir(path), path + "missing", filepath.Join(path, "in"),
		os.DevNull} {
		if content, err := Read(bad, 5, tooLarge); err == nil || strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %q, %v", bad, content, err)
		}
	}
	if err := MustBeRegular(path + "missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	broken := errors.New("broken")
	if err := WithoutPath(&fs.PathError{Op: "open", Path: "x", Err: broken}); err != broken {
		t.Errorf("%v", err)
	}
	if err := WithoutPath(broken); err != broken {
		t.Errorf("%v", err)
	}
}

// A parameter that may name a file stores the name with the checksum of the content, and nothing if the file
// is refused.
func TestOptional(t *testing.T) {
	broken := errors.New("is broken")
	field := ""
	v := Optional{Field: &field, What: "a file of text", Else: "random words", Holder: "FILE",
		Sum: func(text string) (string, error) {
			if Name(text) == "broken" {
				return "", broken
			}
			return "12ab", nil
		}}
	for _, test := range []struct{ text, field string }{{"a.txt", "a.txt#sha256:12ab"},
		{"a.txt#sha256:old", "a.txt#sha256:12ab"}, {"none", "none"}} {
		if err := v.Set(test.text); err != nil || field != test.field || v.String() != test.field {
			t.Errorf("%s: %q, %v", test.text, field, err)
		}
	}
	err := v.Set("broken")
	if !errors.Is(err, broken) || field != "none" ||
		err.Error() != "is broken; must be a file of text, or none for random words" {
		t.Errorf("%q, %v", field, err)
	}
	if name, is := v.NamesFile("a.txt#sha256:1"); name != "a.txt" || !is {
		t.Errorf("%q, %v", name, is)
	}
	if _, is := v.NamesFile("none"); is || v.Check() != nil || v.Placeholder() != "FILE" {
		t.Error("none names a file")
	}
}
