package main

import (
	"io"

	"github.com/urfave/cli/v2"
)

// manCommand prints the manual page, for the one who packs the program.
func manCommand(stdout io.Writer) *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "the manual page, in troff", Hidden: true,
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			page, err := c.App.ToManWithSection(1)
			if err != nil {
				return err
			}
			_, err = io.WriteString(stdout, page)
			return err
		},
	}
}
