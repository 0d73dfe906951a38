package main

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"
)

// Lines of help have at most 80 columns, except commands to copy and single words that are longer.
func TestHelpIsNarrow(t *testing.T) {
	app := newApp(&strings.Builder{}, &strings.Builder{})
	for _, command := range app.VisibleCommands() {
		var out, problems strings.Builder
		if code := execute(context.Background(), []string{"antipode", "help", command.Name}, &out,
			&problems); code != exitDone {
			t.Fatalf("%s: code %d: %s", command.Name, code, &problems)
		}
		for line := range strings.SplitSeq(out.String(), "\n") {
			isCommand := strings.Contains(line, " antipode ")
			if utf8.RuneCountInString(line) > helpWidth && strings.Contains(strings.TrimSpace(line), " ") &&
				!isCommand {
				t.Errorf("%s: %q", command.Name, line)
			}
		}
	}
}

// The help of a command shows --shard only if its runs can be divided into shards.
func TestHelpOfShards(t *testing.T) {
	for command, want := range map[string]bool{"field": false, "advise": false, "phase": true} {
		var out strings.Builder
		execute(context.Background(), []string{"antipode", "help", command}, &out, &strings.Builder{})
		if got := strings.Contains(out.String(), "--shard"); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}
