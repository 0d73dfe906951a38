package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"

	"github.com/urfave/cli/v2"
)

func plotCommand(stdout io.Writer) *cli.Command {
	var out string
	value, outFlag := newFlag(parameter.Parameter{
		Name: "out", Meaning: "the figure's file", Value: pathValue(&out, figure.Extensions),
	})
	outFlag.DefaultText = "FILE with the ending .png"
	return &cli.Command{
		Name:      "plot",
		Usage:     "draws the figure of a table again",
		ArgsUsage: "FILE",
		Description: `Draws the figure of the run that wrote FILE.

Example: antipode plot phase.arrow --out phase.pdf`,
		Flags: []cli.Flag{outFlag},
		Action: interruptible(func(c *cli.Context) error {
			path, err := oneFile(c)
			if err != nil {
				return err
			}
			if err := value.apply(); err != nil {
				return err
			}
			if out == "" {
				out = strings.TrimSuffix(path, filepath.Ext(path)) + ".png"
			}
			if err := checkOutput("out", out, path); err != nil {
				return err
			}
			if err := plotFile(path, out); err != nil {
				return err
			}
			from := ""
			if rewritten, err := isRewritten(path); err != nil {
				return err
			} else if rewritten {
				from = fmt.Sprintf(", of a table that was rewritten by another program: %s", path)
			}
			_, err = fmt.Fprintf(stdout, "Wrote %s%s.\n", out, from)
			return err
		}),
	}
}

// isRewritten reports whether the table at path was saved again by another program.
func isRewritten(path string) (bool, error) {
	reader, err := data.Open(path)
	if err != nil {
		return false, err
	}
	return reader.Rewritten(), reader.Close()
}

// plotFile draws the figure of the table at path, and writes it to out.
func plotFile(path, out string) error {
	experiment, table, err := experiments.Read(path)
	if err != nil {
		return err
	}
	picture, err := durable.NewReplacement(out)
	if err != nil {
		return fileProblem("out", out, err)
	}
	defer picture.Abort()
	if err := writeFigure(picture, out, experiment, table); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
