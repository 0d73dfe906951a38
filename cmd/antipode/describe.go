package main

import (
	"encoding/json"
	"fmt"
	"io"

	"antipode/experiments/description"

	"github.com/urfave/cli/v2"
)

func describeCommand(stdout io.Writer) *cli.Command {
	var asJSON bool
	return &cli.Command{
		Name:  "describe",
		Usage: "the columns of all tables; or all commands, parameters and columns as JSON",
		Description: `Prints which columns the tables of each command have, with units and meanings. With
--json it prints what a program needs to call the commands: an object with the version
and a list commands, each with name, summary, parameters and tables. A parameter has its
type (switch, name, names, number, numbers, count, counts, or another word for a text of
its own form), unit, bounds low and high, options, default and meaning; a table has what
--save is for it, with, a parameter that adds columns, and columns with type, unit and
meaning.

Example: antipode describe --json`,
		Flags: []cli.Flag{newSwitch("json", "print JSON", &asJSON)},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if !asJSON {
				return describeTables(stdout, description.All())
			}
			encoder := json.NewEncoder(stdout)
			encoder.SetIndent("", " ")
			encoder.SetEscapeHTML(false)
			return encoder.Encode(description.All())
		},
	}
}

// describeTables prints the columns of all tables.
func describeTables(w io.Writer, program description.Program) error {
	for _, command := range program.Commands {
		for _, table := range command.Tables {
			heading := command.Name
			if table.Save != "" {
				heading += " --save " + table.Save
			}
			if table.With != "" {
				heading += " with --" + table.With
			}
			if _, err := fmt.Fprintln(w, heading); err != nil {
				return err
			}
			for _, c := range table.Columns {
				unit := ""
				if c.Unit != "" {
					unit = ", in " + c.Unit
				}
				if _, err := fmt.Fprintf(w, "   %s: %s%s\n", c.Name, c.Meaning, unit); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
