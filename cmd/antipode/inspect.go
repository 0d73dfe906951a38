package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"antipode/data"
	"antipode/experiments/parameter"

	"github.com/urfave/cli/v2"
)

// inspection says what the command inspect must print.
type inspection struct {
	csv, json, lines bool
	rows             int64 // -1 for all
}

func inspectCommand(stdout io.Writer) *cli.Command {
	i := inspection{rows: 10}
	rows, rowsFlag := newFlag(parameter.Parameter{
		Name: "rows", Meaning: "rows to print",
		Value: wholeValue[int64]{field: &i.rows, high: 1_000_000_000_000},
	})
	rowsFlag.DefaultText = "10; all with --csv, --json or --jsonl"
	return &cli.Command{
		Name:      "inspect",
		Usage:     "the columns of a table, the run that wrote it, and its first rows",
		ArgsUsage: "FILE",
		Description: `Prints the contents of an Arrow file: the columns with units and
meanings, the metadata of the run, and the first rows; or all rows as CSV, JSON or JSON lines. FILE
may be - for standard input.

Example: antipode inspect phase.arrow --rows 3`,
		Flags: []cli.Flag{
			rowsFlag,
			newSwitch("csv", "print rows as CSV", &i.csv),
			newSwitch("json", "print a JSON object with a list rows", &i.json),
			newSwitch("jsonl", "print each row as a JSON object on a line", &i.lines),
		},
		Action: interruptible(func(c *cli.Context) error {
			path, err := oneFile(c)
			if err != nil {
				return err
			}
			if err := rows.apply(); err != nil {
				return err
			}
			if i.csv && i.json || i.csv && i.lines || i.json && i.lines {
				return usagef("--csv, --json and --jsonl: only one of them is possible")
			}
			if rows.text == nil && (i.csv || i.json || i.lines) {
				i.rows = -1
			}
			if path == standardInput {
				return i.printStream(c.Context, os.Stdin, stdout)
			}
			return i.printFile(path, stdout)
		}),
	}
}

// printStream prints a table that it reads from standard input. The errors of printStream name standard
// input, not the temporary file to which the table is copied. When the context ends, the file is removed,
// even if standard input does not end.
func (i *inspection) printStream(ctx context.Context, r io.Reader, w io.Writer) error {
	spooled, err := spool(ctx, r)
	if err != nil {
		return cmp.Or(ctx.Err(), fmt.Errorf("standard input: %w", err))
	}
	defer os.Remove(spooled)
	err = i.printFile(spooled, w)
	if err != nil && !errors.As(err, new(usageError)) {
		err = cmp.Or(ctx.Err(), errors.New(strings.ReplaceAll(err.Error(), spooled, "standard input")))
	}
	return err
}

func (i *inspection) printFile(path string, w io.Writer) (err error) {
	reader, err := data.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, reader.Close()) }()
	rows := int(i.rows)
	switch {
	case i.csv:
		return reader.WriteCSV(w, rows)
	case i.json:
		return reader.WriteJSON(w, rows)
	case i.lines:
		return reader.WriteJSONLines(w, rows)
	}
	return reader.WriteText(w, rows)
}

// standardInput is the name that stands for a table on standard input.
const standardInput = "-"

// spool copies a table from a stream to a temporary file, because Arrow files must be read from their end.
// The file is removed when the context ends.
func spool(ctx context.Context, r io.Reader) (name string, err error) {
	file, err := os.CreateTemp("", "antipode-*.arrow")
	if err != nil {
		return "", err
	}
	context.AfterFunc(ctx, func() {
		file.Close()
		os.Remove(file.Name())
	})
	_, err = io.Copy(file, r)
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(file.Name())
	}
	return file.Name(), err
}
