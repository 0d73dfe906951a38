package overlap

import "testing"

// Functions that are nil are errors that say so.
func TestMissingFunctions(t *testing.T) {
	d, err := New(4, 1, Softmax, 1)
	if err != nil {
		t.Fatal(err)
	}
	const (
		kernel  = "overlap: the kernel is missing: it must be a function"
		density = "overlap: the density of the start is missing: it must be a function"
	)
	for what, c := range map[string]struct {
		call func() error
		want string
	}{
		"NewKernel":        {func() error { _, err := NewKernel(4, nil, 0.5); return err }, kernel},
		"NewHybridKernel":  {func() error { _, err := NewHybridKernel(4, nil, 0.5); return err }, kernel},
		"AntipodalDensity": {func() error { _, err := d.AntipodalDensity(nil); return err }, density},
		"SingleDensity":    {func() error { _, err := d.SingleDensity(nil); return err }, density},
		"EvolveDensity":    {func() error { _, err := d.EvolveDensity(nil, []float64{1}, 1e-3); return err }, density},
	} {
		if err := c.call(); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", what, err)
		}
	}
}
