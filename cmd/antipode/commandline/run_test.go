package commandline_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"antipode/cmd/antipode/commandline"

	"github.com/urfave/cli/v2"
)

// text is the value of a flag that accepts any text.
type text string

func (t *text) Set(given string) error { *t = text(given); return nil }
func (t *text) String() string         { return string(*t) }

// program returns a program with one command; its actions append to log how they were called.
func program(log *[]string, out *bytes.Buffer) (app *cli.App, help cli.ActionFunc) {
	note := func(c *cli.Context, what string) error {
		words := append([]string{what, c.Command.Name}, c.Args().Slice()...)
		for _, name := range []string{"out", "file"} {
			if c.IsSet(name) {
				words = append(words, name+"="+c.Generic(name).(*text).String())
			}
		}
		*log = append(*log, strings.Join(words, " "))
		return nil
	}
	refuse := func(c *cli.Context, err error, _ bool) error {
		return errors.New(c.Command.HelpName + ": " + err.Error())
	}
	value := text("none")
	command := &cli.Command{Name: "draw", HelpName: "artist draw", OnUsageError: refuse,
		Flags: []cli.Flag{&cli.GenericFlag{Name: "out", Aliases: []string{"file"}, Value: &value},
			cli.HelpFlag},
		Action: func(c *cli.Context) error { return note(c, "runs") }}
	app = &cli.App{Name: "artist", Version: "1.5", Writer: out, OnUsageError: refuse,
		Flags: []cli.Flag{cli.HelpFlag, cli.VersionFlag}, Commands: []*cli.Command{command},
		Action: func(c *cli.Context) error { return note(c, "without command") }}
	return app, func(c *cli.Context) error { return note(c, "help") }
}

func TestRun(t *testing.T) {
	for line, want := range map[string]string{
		"artist":                     "without command artist",
		"artist paint red":           "without command artist paint red",
		"artist --help":              "help artist",
		"artist -h draw":             "help artist draw",
		"artist --help=false draw a": "runs draw a",
		"artist draw":                "runs draw",
		"artist draw --out x y z":    "runs draw y z out=x file=x",
		"artist draw --file=x":       "runs draw out=x file=x",
		"artist draw -- --out":       "runs draw --out",
		"artist draw --help y":       "help draw y",
		"artist draw y --help":       "runs draw y --help",
		"artist draw --out":          "artist draw: flag needs an argument: -out",
		"artist draw --version":      "artist draw: flag provided but not defined: -version",
		"artist --out x draw":        "artist: flag provided but not defined: -out",
		"artist --version draw":      "artist version 1.5\n",
		"artist -v --help":           "help artist",
	} {
		var log []string
		var out bytes.Buffer
		app, help := program(&log, &out)
		words := strings.Fields(line)
		if err := commandline.Run(context.Background(), app, words, help); err != nil {
			log = append(log, err.Error())
		}
		if out.Len() > 0 {
			log = append(log, out.String())
		}
		if !slices.Equal(log, []string{want}) {
			t.Errorf("%s: %q, want %q", line, log, want)
		}
	}
}

// A version that cannot be printed is an error, and so is a bad value of a flag in the environment.
func TestErrorsBesideTheCommandLine(t *testing.T) {
	var log []string
	app, help := program(&log, &bytes.Buffer{})
	words := []string{"artist", "--version"}
	broken := errors.New("broken")
	app.Writer = writerFunc(func([]byte) (int, error) { return 0, broken })
	if err := commandline.Run(context.Background(), app, words, help); err != broken {
		t.Errorf("a version that cannot be printed: %v", err)
	}
	t.Setenv("ARTIST_LOUD", "very")
	draw := app.Commands[0]
	draw.Flags = append(draw.Flags, &cli.BoolFlag{Name: "loud", EnvVars: []string{"ARTIST_LOUD"}})
	err := commandline.Run(context.Background(), app, []string{"artist", "draw"}, help)
	if err == nil || !strings.Contains(err.Error(), `"very"`) || len(log) > 0 {
		t.Errorf("a bad value in the environment: %v, %q", err, log)
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
