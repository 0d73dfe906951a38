package instructionset

import "testing"

func TestAlternatives(t *testing.T) {
	for n, want := range map[int]string{1: "generic", 2: "generic or avx2", 3: "generic, avx2 or avx512"} {
		if got := alternatives([]string{"generic", "avx2", "avx512"}[:n]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSelectRefusesUnknownNames(t *testing.T) {
	defer Select(Active())
	for k, name := range Available() {
		if err := Select(name); err != nil || Active() != name || Level() != k {
			t.Errorf("%s: %v, %s of level %d is active", name, err, Active(), Level())
		}
	}
	if err := Select("sse"); err == nil || Active() != Available()[len(Available())-1] {
		t.Errorf("sse: %v, %s is active", err, Active())
	}
}
