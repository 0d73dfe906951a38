package overlap

import (
	"testing"
)

// Functions that are nil lead to errors that name them.
func TestMissingFunctions(t *testing.T) {
	const kernel = "overlap: the kernel is missing: it must be a function"
	for what, c := range map[string]struct {
		call func() error
		want string
	}{
		"NewKernel":       {func() error { _, err := NewKernel(4, Kernel(nil), 0.5); return err }, kernel},
		"Moments":         {func() error { _, err := NewKernel(4, Moments(nil), 0.5); return err }, kernel},
		"newHybridKernel": {func() error { _, err := newHybridKernel(4, nil, 0.5); return err }, kernel},
	} {
		if err := c.call(); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", what, err)
		}
	}
}
