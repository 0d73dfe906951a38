//go:build long

package inference

import (
	"maps"
	"slices"
	"testing"
)

// In 203 ensembles of all sizes, the parameters are within two standard errors of the true ones in about 95.4
// % of cases; with some 460 numbers, fewer than 428 (92 %) have probability below 1e-3.
func TestEstimatesCoverInAllEnsembles(t *testing.T) {
	within, all := 0, 0
	for k, name := range slices.Sorted(maps.Keys(chains)) {
		counts, failed := coverage(t, chains[name], 29, uint64(100+k))
		t.Logf("%s: %v of 29", name, counts)
		for _, n := range counts {
			within, all = within+n, all+29
		}
		if failed > 0 {
			t.Errorf("%s: %d ensembles of 29 have no estimate", name, failed)
		}
	}
	t.Logf("%d of %d numbers are within two standard errors", within, all)
	if 100*within < 92*all {
		t.Errorf("%d of %d numbers are within two standard errors", within, all)
	}
}
