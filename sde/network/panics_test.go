package network

import (
	"fmt"
	"testing"

	"antipode/sphere/must"
)

// A batch that the network does not have, and sequences that do not fit a workspace, are mistakes of the
// programmer, which panic with the numbers.
func TestPanics(t *testing.T) {
	network := small(PostNorm, ReLU)
	transformer := must.Get(New(network, 1, 0))(t)
	var sequence Sequence // its vectors are not read
	two := func() *Workspace { return transformer.Workspace(Batch{Sequences: 2}) }
	for _, c := range []struct {
		run  func()
		want string
	}{
		{func() { transformer.Workspace(Batch{Tokens: 5}) }, "<nil>"},
		{func() { transformer.Workspace(Batch{Tokens: 1}) }, "<nil>"},
		{func() { transformer.Workspace(Batch{Tokens: 6}) },
			"network: a sequence of 6 tokens, must be from 1 to 5"},
		{func() { transformer.Workspace(Batch{Tokens: -1}) },
			"network: a sequence of -1 tokens, must be from 1 to 5"},
		{func() { transformer.Workspace(Batch{Dropout: Dropout{MLP: 1}}) },
			"network: dropout of MLPs 1: must be from 0 to below 1"},
		{func() { two().Forward(sequence) }, "network: 1 sequences, where there should be 2"},
		{func() { two().Forward(sequence, sequence, sequence) },
			"network: 3 sequences, where there should be 2"},
		{func() { two().Drop(3) }, "<nil>"},
		{func() { two().Drop(3, 4, 5) }, "<nil>"},
		{func() { two().Drop(3, 4) }, "network: 1 numbers for 2 sequences"},
		{func() { two().Drop(3, 4, 5, 6) }, "network: 3 numbers for 2 sequences"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != c.want {
					t.Errorf("panic %s, want %s", got, c.want)
				}
			}()
			c.run()
		}()
	}
}
