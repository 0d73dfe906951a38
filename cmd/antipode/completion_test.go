package main

import (
	"bytes"
	"strings"
	"testing"
)

// The words that may follow depend on the command and on the flag before them; where nothing may follow,
// nothing is offered.
func TestWordsThatMayFollow(t *testing.T) {
	for line, want := range map[string]string{
		"nosuch ":                  "",
		"overlap --trajectories ":  "", // another command has this flag
		"completion ":              "bash\nzsh\nfish\n",
		"completion b":             "bash\n",
		"completion --h":           "--help\tshow help\n",
		"field ":                   "--points --seed --out --resume --restart",
		"phase --dim 4 --plo":      "--plot\tthe figure's file\n",
		"explore --export ":        "",
		"phase --method ":          "tokens\nchain\n",
		"simulate --attention sof": "softmax\n",
		"inspect x.arrow":          ":files\n",
	} {
		var stdout, stderr bytes.Buffer
		words := append([]string{"antipode", completeWord}, strings.Split(line, " ")...)
		if code := execute(t.Context(), words, &stdout, &stderr); code != exitDone || stderr.Len() > 0 {
			t.Errorf("%q: exit code %d, %s", line, code, &stderr)
		}
		if flags := strings.Fields(want); strings.HasPrefix(want, "--points") { // each with its meaning
			for _, flag := range flags {
				if !strings.Contains("\n"+stdout.String(), "\n"+flag+"\t") {
					t.Errorf("%q: %s is not in %q", line, flag, &stdout)
				}
			}
		} else if stdout.String() != want {
			t.Errorf("%q: %q, want %q", line, &stdout, want)
		}
	}
}
