package overlap

import (
	"testing"
)

func TestAttentionString(t *testing.T) {
	for attention, want := range map[Attention]string{Softmax: "softmax", Unnormalized: "unnormalized",
		7: "Attention(7)"} {
		if got := attention.String(); got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
}
