package longtest

import "testing"

// Only skips a test without the tag, and only then.
func TestOnlySkipsWithoutTheTag(t *testing.T) {
	ran := false
	t.Run("long", func(t *testing.T) {
		Only(t)
		ran = true
	})
	if ran != Enabled {
		t.Errorf("ran: %v, compiled with the tag: %v", ran, Enabled)
	}
}

func TestChoose(t *testing.T) {
	want := 2
	if Enabled {
		want = 5
	}
	if got := Choose(2, 5); got != want {
		t.Errorf("%d, want %d", got, want)
	}
}
