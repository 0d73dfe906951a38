//go:build long

package experiments

import "testing"

// Parameters of real architectures, the smallest of which has a hundred million weights, and of networks of
// several sizes.
func TestParametersOfModelsHaveAnEffectOrAreInapplicable(t *testing.T) {
	checkSetting(t, "gradients", "figure=3c", map[string]bool{}, nil)
	checkSetting(t, "stable-rank", "model=bert tokens=3 samples=1", map[string]bool{}, nil)
}
