package text

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"antipode/experiments/internal/namedfile"
	"antipode/sphere/must"
)

// Words are hashed modulo the size of the vocabulary: the FNV-1a hash of "a" is af63dc4c8601ec8c in
// hexadecimal digits (draft-eastlake-fnv), which modulo 1000 is 996.
func TestWords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	must.Do(t, os.WriteFile(path, []byte("A,b; a\n(Straße 7) straße a"), 0o600))
	field := namedfile.None
	value := Parameter(&field, "").Value
	if err := value.Set(path); err != nil || !strings.HasPrefix(field, path+"#sha256:") {
		t.Fatalf("%q: %v", field, err)
	}
	words, err := Words(field, 1000)
	if err != nil || len(words) != 7 || words[0] != 996 || words[2] != 996 || words[6] != 996 ||
		words[3] != words[5] || words[1] == 996 || words[3] == words[4] {
		t.Errorf("%v: %v", words, err)
	}
	if bytes, err := Bytes(field); string(bytes) != "A,b; a\n(Straße 7) straße a" || err != nil {
		t.Errorf("%q: %v", bytes, err)
	}
	if again := value.Set(field); again != nil {
		t.Error(again)
	}
	must.Do(t, os.WriteFile(path, []byte("another"), 0o600))
	if _, err := Words(field, 1000); err == nil || !strings.Contains(err.Error(), "text "+path+": ") ||
		!strings.Contains(err.Error(), "have changed") {
		t.Errorf("changed text: %v", err)
	}
	for _, bad := range []string{filepath.Join(t.TempDir(), "nothing"), t.TempDir()} {
		if err := value.Set(bad); err == nil {
			t.Errorf("%s is a text", bad)
		}
	}
	if err := value.Set(namedfile.None); err != nil || field != namedfile.None {
		t.Errorf("%q: %v", field, err)
	}
	if words, err := Words(namedfile.None, 10); !reflect.DeepEqual(words, []int(nil)) || err != nil {
		t.Errorf("%v %v without a text", words, err)
	}
}

// Excerpts are consecutive parts of a text. A text that is too short is refused, with the number of words
// that it must have.
func TestExcerpts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	must.Do(t, os.WriteFile(path, []byte("a b a c b b b"), 0o600))
	words := must.Get(Words(path, 1000))(t)
	a, b, c := words[0], words[1], words[3]
	got, err := Excerpts(path, 1000, 2, 3)
	if err != nil || !reflect.DeepEqual(got, [][]int{{a, b, a}, {c, b, b}}) {
		t.Errorf("%v: %v", got, err)
	}
	if share := Repeats(got); share != 2./6 {
		t.Errorf("repeats: %v", share)
	}
	if share := Repeats([][]int{words}); share != (1+6)/21. {
		t.Errorf("repeats of all: %v", share)
	}
	_, err = Excerpts(path, 1000, 2, 4)
	if err == nil || !strings.Contains(err.Error(), "has 7 words; must have 8") {
		t.Errorf("too short: %v", err)
	}
	if got, err := Excerpts(namedfile.None, 1000, 2, 4); got != nil || err != nil {
		t.Errorf("no text: %v, %v", got, err)
	}
}

// For five words Σ1/k² = 5269/3600 and Σ1/k = 137/60.
func TestZipfRepeats(t *testing.T) {
	if got, want := ZipfRepeats(5), 5269./3600/(137./60)/(137./60); !(math.Abs(got-want) <= 1e-15) {
		t.Errorf("%v, want %v", got, want)
	}
}
