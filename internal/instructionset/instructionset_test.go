package instructionset

import "testing"

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
