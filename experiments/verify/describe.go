package verify

import (
	"fmt"
	"strings"

	"antipode/sde"
)

// describe names a cell by its parameters, for a comparison.
func describe(c sde.Cell) string {
	var b strings.Builder
	fmt.Fprintf(&b, "d=%d β=%g", c.Dim, c.Beta)
	if m, hybrid := c.Model.(sde.Hybrid); hybrid {
		fmt.Fprintf(&b, " ε=%.3g", m.Epsilon)
	}
	if c.Attention == sde.Unnormalized {
		b.WriteString(" unnormalized")
	}
	switch start := c.Start.(type) {
	case sde.PairStart:
		fmt.Fprintf(&b, " from %.2g", start.Overlap)
	case sde.OppositeStart:
		fmt.Fprintf(&b, " masses %d,%d", start.First, start.Second)
	default:
		if c.Tokens > 2 {
			fmt.Fprintf(&b, " N=%d", c.Tokens)
		}
	}
	return b.String()
}

func dimension(d int) string { return fmt.Sprintf("d=%d", d) }

func number(x float64) string { return fmt.Sprintf("%g", x) }
