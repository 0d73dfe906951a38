package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"antipode/cmd/antipode/terminal"
	"antipode/experiments/description"

	"github.com/urfave/cli/v2"
)

func describeCommand(stdout io.Writer) *cli.Command {
	var asJSON bool
	return &cli.Command{
		Name:      "describe",
		Usage:     "the columns of all tables; with --json all commands, parameters and columns",
		ArgsUsage: "[COMMAND ...]",
		Description: `Prints the columns of the tables of each COMMAND, or of all commands,
with units and meanings. With --json it prints what a program needs to call the commands: an object
with the version and a list of commands, each with name, summary, parameters and tables. A parameter
has its type (switch, name, names, number, numbers, count, counts, or another word for a text of its
own form), unit, bounds low and high, options, default and meaning. A table has its columns with
type, unit and meaning, the value of --save that writes it, and with, a parameter that adds columns.

Examples: antipode describe phase
          antipode describe --json`,
		Flags: []cli.Flag{newSwitch("json", "print JSON", &asJSON)},
		Action: func(c *cli.Context) error {
			program, err := described(c)
			if err != nil {
				return err
			}
			if !asJSON {
				_, err = io.WriteString(terminal.Wrapping(stdout), columnsInWords(program))
				return err
			}
			encoder := json.NewEncoder(stdout)
			encoder.SetIndent("", " ")
			encoder.SetEscapeHTML(false)
			return encoder.Encode(program)
		},
	}
}

// described returns the description of the program for the command describe, with only the commands that the
// arguments name, or with all commands if there are no arguments.
func described(c *cli.Context) (description.Program, error) {
	program := description.All()
	if !c.Args().Present() {
		return program, nil
	}
	var commands []description.Command
	for _, name := range c.Args().Slice() {
		k := slices.IndexFunc(program.Commands, func(d description.Command) bool { return d.Name == name })
		switch {
		case k >= 0:
			commands = append(commands, program.Commands[k])
		case c.App.Command(name) != nil:
			return program, usagef("describe: %s has no table; antipode %s --help says what it does", name,
				name)
		default:
			return program, unknownCommand(c, name)
		}
	}
	program.Commands = commands
	return program, nil
}

// columnsInWords describes the columns of the tables that the commands write.
func columnsInWords(program description.Program) string {
	var text strings.Builder
	for _, command := range program.Commands {
		for _, table := range command.Tables {
			heading := command.Name
			if table.Save != "" {
				heading += " --save " + table.Save
			}
			if table.With != "" {
				heading += " with --" + table.With
			}
			fmt.Fprintln(&text, heading)
			for _, c := range table.Columns {
				unit := ""
				if c.Unit != "" {
					unit = ", in " + c.Unit
				}
				fmt.Fprintf(&text, "   %s: %s%s\n", c.Name, c.Meaning, unit)
			}
		}
	}
	return text.String()
}
