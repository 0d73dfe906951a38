//go:build long

package experiments

import "testing"

// Real architectures, of which the smallest network has a hundred million weights.
func TestParametersOfModelsHaveAnEffectOrAreIdle(t *testing.T) {
	checkSetting(t, "stable-rank", "model=bert tokens=3 samples=1")
}
