package main

import (
	"os"
	"testing"

	"antipode/sphere/must"
)

// A run refuses to write its output to one of its own inputs, under whatever name the file is given.
func TestOutputsAreNoInputs(t *testing.T) {
	badFolder(t)
	small := []string{"simulate", "--trajectories", "4", "--depth", "10", "--horizon", "1", "--quiet"}
	succeed(t, append(small, "--save", "states", "--out", "a.arrow")...)
	succeed(t, "tokens", "--tokens", "2", "--beta", "1", "--trajectories", "10", "--depth", "10", "--horizon",
		"1", "--quiet", "--shard", "0/1", "--out", "s.arrow")
	content := must.Get(os.ReadFile("a.arrow"))(t)
	for name, text := range map[string]string{"a.png": string(content), "B.txt": "1 0 0\n0 1 0\n0 0 1\n"} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
	must.Do(t, os.Symlink("a.arrow", "link.arrow"))
	must.Do(t, os.Link("B.txt", "B.png"))
	must.Do(t, os.Link("a.arrow", "simulate.arrow"))
	refuse(t, []string{"--out a.arrow", "is read by the run"},
		append(small, "--start", "a.arrow", "--out", "a.arrow")...)
	refuse(t, []string{"--out link.arrow"}, append(small, "--start", "a.arrow", "--out", "link.arrow")...)
	refuse(t, []string{"--out simulate.arrow"}, append(small, "--start", "a.arrow")...)
	refuse(t, []string{"--plot B.png"}, append(small, "--interaction", "B.txt", "--out", "b.arrow", "--plot",
		"B.png")...)
	both := append(small, "--start", "a.arrow", "--interaction", "B.txt") // both are inputs
	refuse(t, []string{"--out a.arrow"}, append(both, "--out", "a.arrow")...)
	refuse(t, []string{"--plot B.png"}, append(both, "--out", "b.arrow", "--plot", "B.png")...)
	for _, name := range []string{"b.arrow", "c.arrow"} {
		must.Do(t, os.WriteFile(name, content, 0o666))
	}
	for _, out := range []string{"a.arrow", "b.arrow", "c.arrow"} {
		refuse(t, []string{"--out " + out}, "measure", "a.arrow", "b.arrow", "c.arrow", "--quiet", "--out",
			out)
	}
	refuse(t, []string{"--out ./a.arrow"}, "rerun", "a.arrow", "--out", "./a.arrow")
	refuse(t, []string{"--out s.arrow"}, "merge", "s.arrow", "--out", "s.arrow")
	refuse(t, []string{"--out a.png"}, "plot", "a.png")
	// s.arrow is not an input of this run
	succeed(t, append(small, "--start", "a.arrow", "--out", "s.arrow")...)
}
