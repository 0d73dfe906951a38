//go:build long

package overlap

import (
	"flag"
	"testing"
)

var cells = flag.Int("cells", 150, "how many random cells are looked at; 2000 take some five minutes")

func TestDerivativesOfManyCells(t *testing.T) {
	compared, largest := checkDerivatives(t, *cells)
	t.Logf("%d cells, largest ratio to the errors %.3g", compared, largest)
}

func TestCertifiedAgainstFloat64AtManyCells(t *testing.T) {
	t.Logf("at most %.2g wide", checkCertified(t, *cells/6))
}
