package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"antipode/cmd/antipode/provenance"
	"antipode/data/durable"

	"github.com/urfave/cli/v2"
)

func runCrateCommand(stdout io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "run-crate",
		Usage:     "the provenance of a table as a Process Run Crate",
		ArgsUsage: "FILE",
		Description: `Writes ro-crate-metadata.json beside FILE, which makes its folder a
Process Run Crate (https://w3id.org/ro/wfrun/process/0.5). The crate has the program with its
version, the run with its parameters, seed and input files, and the table as the result. All of it
comes from the metadata of FILE; the date is the date of the file.

Example: antipode run-crate phase.arrow`,
		Action: interruptible(func(c *cli.Context) error {
			path, err := oneFile(c)
			if err != nil {
				return err
			}
			crate, err := provenance.Of(path)
			if err != nil {
				return err
			}
			out := filepath.Join(filepath.Dir(path), provenance.FileName)
			file, err := durable.NewReplacement(out)
			if err != nil {
				return err
			}
			defer file.Abort()
			encoder := json.NewEncoder(file)
			encoder.SetIndent("", "  ")
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(crate); err != nil {
				return err
			}
			if err := file.Commit(); err != nil {
				return err
			}
			_, err = fmt.Fprintf(stdout, "Wrote %s.\n", out)
			return err
		}),
	}
}
