package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"antipode/data"
	"antipode/experiments/parameter"

	"github.com/urfave/cli/v2"
)

func inspectCommand(stdout io.Writer) *cli.Command {
	var asCSV, asJSON, asLines bool
	rows, given := int64(10), false
	value, rowsFlag := newFlag(parameter.Parameter{
		Name: "rows", Meaning: "rows to print",
		Value: rowsValue{&rows, &given},
	})
	rowsFlag.DefaultText = "10; all with --csv, --json or --jsonl"
	return &cli.Command{
		Name:      "inspect",
		Usage:     "a table's columns, the run it came from, and its first rows",
		ArgsUsage: "FILE",
		Description: `Prints what an Arrow file holds: columns with units and meanings, the metadata of
the run, and the first rows; or all rows as CSV, JSON or
JSON lines. FILE may be -, for standard input.

Example: antipode inspect phase.arrow --rows 3`,
		Flags: []cli.Flag{
			rowsFlag,
			newSwitch("csv", "print rows as CSV", &asCSV),
			newSwitch("json", "print a JSON object with a list rows", &asJSON),
			newSwitch("jsonl", "print each row as a JSON object on a line", &asLines),
		},
		Action: interruptible(func(c *cli.Context) (err error) {
			path, err := oneFile(c)
			if err != nil {
				return err
			}
			if err := value.apply(); err != nil {
				return err
			}
			if asCSV && asJSON || asCSV && asLines || asJSON && asLines {
				return usagef("--csv, --json and --jsonl: only one of them is possible")
			}
			if path == standardInput {
				spooled, failure := spool(os.Stdin)
				if failure != nil {
					return fmt.Errorf("standard input: %w", failure)
				}
				defer func() {
					os.Remove(spooled)
					if err != nil && !errors.As(err, new(usageError)) {
						err = errors.New(strings.ReplaceAll(err.Error(), spooled, "standard input"))
					}
				}()
				path = spooled
			}
			reader, err := data.Open(path)
			if err != nil {
				return err
			}
			defer func() {
				if closeErr := reader.Close(); err == nil {
					err = closeErr
				}
			}()
			n := int(rows)
			if !given && (asCSV || asJSON || asLines) {
				n = -1
			}
			switch {
			case asCSV:
				return reader.WriteCSV(stdout, n)
			case asJSON:
				return reader.WriteJSON(stdout, n)
			case asLines:
				return reader.WriteJSONLines(stdout, n)
			}
			return reader.WriteText(stdout, n)
		}),
	}
}

// standardInput is the name of a table that comes on standard input.
const standardInput = "-"

// spool copies a table to a temporary file, because its end says where the rest is.
func spool(r io.Reader) (name string, err error) {
	file, err := os.CreateTemp("", "antipode-*.arrow")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(file, r)
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(file.Name())
	}
	return file.Name(), err
}

// rowsValue is a number of rows, and whether it was given.
type rowsValue struct {
	field *int64
	given *bool
}

const mostRows = 1_000_000_000_000

func (v rowsValue) Set(text string) error {
	n, err := parameter.ParseWithin(text, 0, mostRows)
	if err != nil {
		return parameter.MustBe(v)
	}
	*v.field, *v.given = n, true
	return nil
}
func (v rowsValue) String() string { return strconv.FormatInt(*v.field, 10) }
func (v rowsValue) Allowed() string {
	return fmt.Sprintf("a whole number from 0 to %d", int64(mostRows))
}
func (v rowsValue) Placeholder() string { return "COUNT" }
func (v rowsValue) Check() error        { return nil }
