package sde

import (
	"strings"
	"testing"
)

func TestMemoryIsRefusedBeforeItIsTaken(t *testing.T) {
	for _, change := range []func(c *Cell){
		func(c *Cell) { c.Dim = 1_000_000 },
		func(c *Cell) { c.Tokens, c.Dim, c.Model = 1_000_000, 8, TransformerSDE{Sigma: 1, Scheme: Heun} },
		func(c *Cell) { c.Tokens, c.Dim = largestCount, largestCount },
	} {
		c := pairCell()
		change(&c)
		e := recording([]Cell{pairCell(), c}, 1, 1, new([]record))
		if err := e.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "GiB of memory") {
			t.Errorf("N=%d, d=%d: error %v", c.Tokens, c.Dim, err)
		}
	}
	if bytes := recording([]Cell{pairCell()}, 1, 1, new([]record)).Memory(); bytes > 1e6 {
		t.Errorf("two tokens of dimension 4 need %g bytes", bytes)
	}
}

// A prediction is a positive time. The long tests check whether it is right.
func TestSecondsArePositive(t *testing.T) {
	var rows []record
	seconds := recording([]Cell{pairCell()}, 64, 50_000, &rows).Seconds()
	if !(seconds > 0 && seconds < 1e6) {
		t.Errorf("predicted %v s", seconds)
	}
}
