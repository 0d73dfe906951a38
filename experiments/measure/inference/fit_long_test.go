//go:build long

package inference

import (
	"maps"
	"slices"
	"testing"
)

// In 98 ensembles of all sizes, the parameters are within two standard errors of the true ones in about 95.4
// % of cases; with 224 numbers, fewer than 203 have probability below 1e-3.
func TestEstimatesCoverInAllEnsembles(t *testing.T) {
	within, all := 0, 0
	for k, name := range slices.Sorted(maps.Keys(chains)) {
		counts, failed := coverage(t, chains[name], 14, uint64(100+k))
		t.Logf("%s: %v of 14", name, counts)
		for _, n := range counts {
			within, all = within+n, all+14
		}
		if failed > 0 {
			t.Errorf("%s: %d ensembles of 14 have no estimate", name, failed)
		}
	}
	t.Logf("%d of %d numbers are within two standard errors", within, all)
	if within < 203 {
		t.Errorf("%d of %d numbers are within two standard errors", within, all)
	}
}
