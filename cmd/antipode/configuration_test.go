package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"antipode/cmd/antipode/commandline"
	"antipode/experiments"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sphere/must"

	"github.com/urfave/cli/v2"
	"pgregory.net/rapid"
)

// configuredBy returns the runner of a command line that the page shows, after the command has read its
// parameters.
func configuredBy(line string) (*runner, error) {
	var null bytes.Buffer
	words := strings.Fields(line)
	e, err := experiments.ByName(words[1])
	if err != nil {
		return nil, err
	}
	r := experimentRunner(e, &null, &null)
	command := r.command()
	command.Action = func(c *cli.Context) error {
		if err := r.take(c); err != nil {
			return err
		}
		return r.setParameters()
	}
	app := &cli.App{Commands: []*cli.Command{command}, Writer: &null, ErrWriter: &null}
	return r, commandline.Run(context.Background(), app, flagsFirst(app, words), printHelp)
}

// drawSetting draws a random setting of an experiment. It gives some of the parameters a value that is valid
// by itself.
func drawSetting(t *rapid.T, command string) commandline.Setting {
	e := must.Get(experiments.ByName(command))(t)
	s := commandline.Setting{Command: e.Name(), Given: map[string]string{},
		Paper: run.HasPaper(e) && rapid.Bool().Draw(t, "paper")}
	seed := uint64(run.DefaultSeed)
	parameters := run.Parameters(e, &seed)
	rare := max(7, len(parameters)/4) // few parameters at a time, as many values are not allowed together
	for _, p := range parameters {
		if p.Argument || rapid.IntRange(0, rare).Draw(t, p.Name+" is given") > 0 {
			continue
		}
		texts := []string{p.Value.String()}
		if chooser, is := p.Value.(parameter.Chooser); is {
			texts = chooser.Options()
		}
		for _, text := range []string{"0.5", "1", "2", "3", "4", "12", "0.5,2", "3,4", "1:3:0.5", "none",
			"inf",
			"true", "false", "uniform", "hybrid", "flow", "softmax", "linear", "tanh", "relu", "all",
			"8", "9"} {
			if p.Set(text) == nil {
				texts = append(texts, text)
			}
		}
		s.Given[p.Name] = rapid.SampledFrom(texts).Draw(t, p.Name)
	}
	return s
}

// form is the page's answer to a setting.
type form struct {
	Fields []struct{ Name, Value, Default, Problem string }
	Line   string
}

// For every setting, the values in the page's form are those of the command line that the page shows, and
// both runs have the same metadata; and if one of the two refuses the setting, so does the other.
func TestPageAndCommandConfigureTheSameRun(t *testing.T) {
	longtest.Only(t)
	ask := explored(t)
	least := 5 // allowed settings of the 60 that are tried, or of the 12 in a short test
	if testing.Short() {
		least = 1
	}
	for _, e := range experiments.All() {
		allowed := 0
		rapid.Check(t, func(t *rapid.T) {
			if compareConfigured(t, ask, drawSetting(t, e.Name())) {
				allowed++
			}
		})
		if _, is := argumentOf(e); !is && allowed < least {
			t.Errorf("%s: %d settings are allowed", e.Name(), allowed)
		}
	}
}

// compareConfigured compares the page's form for a setting with the command line that the page shows, and
// reports whether both allow the setting.
func compareConfigured(
	t *rapid.T, ask func(path, question string) (*http.Response, []byte), setting commandline.Setting,
) bool {
	question := must.Get(json.Marshal(setting))(t)
	var page form
	if _, said := ask("form", string(question)); json.Unmarshal(said, &page) != nil {
		t.Fatalf("the page answers %s", said)
	}
	there := must.Get(experiments.ByName(setting.Command))(t)
	seed, refused := run.Configure(there, setting.Given, setting.Paper)
	r, err := configuredBy(page.Line)
	problem := ""
	for _, f := range page.Fields {
		problem += f.Problem
	}
	if (err != nil) != (refused != nil) || (err != nil) != (problem != "") {
		t.Fatalf("%s: the command says %v, the page %q, the run %v", page.Line, err, problem, refused)
	}
	if err != nil {
		return false
	}
	command, metadata := run.Schema(r.experiment, r.options.Seed), run.Schema(there, seed)
	if !slices.Equal(command.Metadata, metadata.Metadata) {
		t.Fatalf("%s: the command runs\n%v, the page\n%v", page.Line, command.Metadata, metadata.Metadata)
	}
	for k, p := range run.Parameters(r.experiment, &r.options.Seed) {
		field := page.Fields[k]
		if _, is := setting.Given[p.Name]; !is && field.Value != p.Value.String() {
			t.Fatalf("%s: %s is %s on the page, %s in the command", page.Line, p.Name, field.Value, p.Value)
		}
	}
	return true
}

// Figure 3c has the size and the number of networks of the paper. (The page once ran it with others than in
// the command line that it showed.)
func TestFigureOfGradientsIsThePapers(t *testing.T) {
	e := must.Get(experiments.ByName("gradients"))(t)
	must.Get(run.Configure(e, map[string]string{"figure": "3c"}, true))(t)
	for name, want := range map[string]string{"figure": "3c", "size": "paper", "networks": "2"} {
		if got := fmt.Sprint(parameter.ByName(e.Parameters(), name).Value); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
