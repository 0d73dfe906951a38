//go:build long

package exactlaw

import (
	"flag"
	"testing"
)

var derived = flag.Int("derivatives", 25, "random cells of derivatives at a depth")

func TestDerivativesOfManyCells(t *testing.T) { scanDerivatives(t, *derived) }
