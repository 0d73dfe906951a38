package main

import (
	"slices"
	"strings"
	"testing"

	"antipode/cmd/antipode/terminal"
	"antipode/experiments"
	"antipode/experiments/parameter"
	"antipode/experiments/wording"
	"antipode/internal/longtest"
)

// If a flag is given to an experiment that does not have it, the error names a command that has it, in one
// line of at most wording.MessageColumns. Of all such flags, every third is tried.
func TestEveryFlagElsewhereIsNamed(t *testing.T) {
	longtest.Only(t)
	app := newApp(new(strings.Builder), new(strings.Builder))
	for turn, e := range experiments.All() {
		tried := map[string]bool{} // flags that this loop has seen in another experiment
		for _, other := range experiments.All() {
			for _, p := range other.Parameters() {
				if tried[p.Name] {
					continue
				}
				tried[p.Name] = true
				if turn++; turn%3 != 0 {
					continue
				}
				if _, is := parameterOf(e.Name(), synonyms[p.Name]); is {
					continue
				}
				if p.Argument || flagOf(app.Command(e.Name()), p.Name) != nil ||
					isParameter(e.Name(), p.Name) {
					continue
				}
				err := elsewhere(app, []string{"antipode", e.Name(), "--" + p.Name + "=" + p.Value.String()})
				if err == nil {
					t.Errorf("%s --%s is answered by no command", e.Name(), p.Name)
					continue
				}
				words := strings.Fields(err.Error())
				at := slices.Index(words, "antipode")
				if at < 0 || !isParameter(words[at+1], p.Name) {
					t.Errorf("%s --%s: %v", e.Name(), p.Name, err)
				}
				if line := terminal.Message(err.Error()); len(line) >= wording.MessageColumns {
					t.Errorf("%s --%s is too long: %s", e.Name(), p.Name, line)
				}
			}
		}
	}
}

// Every command line among the counterparts exists: its flags and values are accepted.
func TestCounterpartsAreAllowed(t *testing.T) {
	for command, all := range counterparts {
		if _, err := experiments.ByName(command); err != nil {
			t.Error(err)
		}
		for _, c := range all {
			if words, allowed := (line{}).with(c, nil); !allowed || words != "antipode "+c {
				t.Errorf("%s: %q is not allowed: %q", command, c, words)
			}
		}
	}
}

// A command that takes no random queries and keys says what it takes, and does not name a command that takes
// several numbers.
func TestNoSeveralNumbersInAnInteraction(t *testing.T) {
	problem := &parameter.Error{Parameter: "interaction", Value: "resampled:1", Problem: "must be identity"}
	if hint := valueElsewhere("weak", problem); hint != "" {
		t.Errorf("hint %q", hint)
	}
}
