package text

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// The FNV-1a hash of "a" is af63dc4c8601ec8c in hexadecimal digits (draft-eastlake-fnv), modulo 1000 it is
// 996.
func TestWords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte("A,b; a\n(Straße 7) straße a"), 0o600); err != nil {
		t.Fatal(err)
	}
	field := None
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
	if err := os.WriteFile(path, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Words(field, 1000); err == nil || !strings.Contains(err.Error(), "text "+path+": ") ||
		!strings.Contains(err.Error(), "have changed") {
		t.Errorf("changed text: %v", err)
	}
	for _, bad := range []string{filepath.Join(t.TempDir(), "nothing"), t.TempDir()} {
		if err := value.Set(bad); err == nil {
			t.Errorf("%s is a text", bad)
		}
	}
	if err := value.Set(None); err != nil || field != None {
		t.Errorf("%q: %v", field, err)
	}
	if words, err := Words(None, 10); !reflect.DeepEqual(words, []int(nil)) || err != nil {
		t.Errorf("%v %v without a text", words, err)
	}
}
