package huggingface

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// Numbers may be at the ends of their ranges; beyond, with a fraction where none may be, or as texts they are
// refused. A field that is null is absent.
func TestRangesOfFields(t *testing.T) {
	for value, good := range map[string][2]bool{ // as a whole number from 2 to 5, and as one from 0 to 5
		"1": {false, true}, "2": {true, true}, "5": {true, true}, "5.0": {true, true}, "6": {false, false},
		"2.5": {false, true}, "5.001": {false, false}, "0": {false, true}, "-0.5": {false, false},
		`"3"`: {false, false}, "[3]": {false, false}, "null": {true, true}, "1e400": {false, false}} {
		for k, read := range []func(c *Config) float64{
			func(c *Config) float64 { return float64(c.Whole(2, 5, 4, "n", "m")) },
			func(c *Config) float64 { return c.Real(5, 4, "n", "m") },
		} {
			c := must.Get(Parse([]byte(`{"n":` + value + `}`)))(t)
			got := read(c)
			if (c.Problem == nil) != good[k] {
				t.Errorf("%s, kind %d: %g, %v", value, k, got, c.Problem)
			}
			want := strings.TrimSuffix(value, ".0")
			if value == "null" {
				want = "4"
			}
			if good[k] && fmt.Sprint(got) != want {
				t.Errorf("%s, kind %d: %g", value, k, got)
			}
		}
	}
	c := must.Get(Parse([]byte(`{"m":3,"n":null}`)))(t)
	if got := c.Whole(2, 5, Absent, "n", "m"); got != 3 || c.Problem != nil {
		t.Errorf("the second name: %d, %v", got, c.Problem)
	}
	if c.Whole(2, 5, Absent, "k"); c.Problem == nil || c.Problem.Error() != "there is no field k" {
		t.Errorf("a field that is required: %v", c.Problem)
	}
	if c.Fail("later"); c.Problem.Error() != "there is no field k" {
		t.Errorf("a later problem: %v", c.Problem)
	}
}

// A file may have a mebibyte.
func TestLargestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	for size, good := range map[int]bool{1 << 20: true, 1<<20 + 1: false} {
		must.Do(t, os.WriteFile(path, bytes.Repeat([]byte(" "), size), 0o666))
		content, err := ReadSmall(path)
		if (err == nil) != good || good && len(content) != size {
			t.Errorf("%d bytes: %d read, %v", size, len(content), err)
		}
	}
	if _, err := ReadSmall(path + "missing"); err == nil || strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
}
