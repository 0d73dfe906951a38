package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// helpTemplate is the help of a command in the manner of a manual page.
const helpTemplate = `NAME
   {{.HelpName}} - {{.Usage}}

SYNOPSIS
   {{.HelpName}} [flags]{{if .ArgsUsage}} {{.ArgsUsage}}{{end}}

DESCRIPTION
{{indent 3 .Description}}

FLAGS
{{range .VisibleFlags}}{{.}}
{{end}}
EXIT STATUS
   0 done, 1 failed, 2 bad usage or bad value (no file was created or changed),
   130 interrupted, 143 by SIGTERM, 129 by SIGHUP (a table is whole or was not created
   or changed; what is finished of a run is kept, and --resume goes on with it), 141
   standard output was closed by its reader, as head does (nothing is said).
`

const helpWidth = 80

func init() {
	cli.FlagStringer = describeFlag
}

// describeFlag is a flag's entry in the help: its form, and below it the meaning,
// unit, bounds and default.
func describeFlag(f cli.Flag) string {
	var form, text string
	switch f := f.(type) {
	case *cli.GenericFlag:
		p := f.Value.(*valueFlag).parameter
		form, text = " "+p.Value.Placeholder(), p.Meaning
		if p.Unit != "" {
			text += ", in " + p.Unit
		}
		text += "; " + p.Value.Allowed()
		if f.DefaultText != "" {
			text += ". Default: " + f.DefaultText
		}
	case *cli.BoolFlag:
		text = f.Usage
	}
	var names []string
	for _, name := range f.Names() {
		names = append(names, dashed(name))
	}
	return fmt.Sprintf("   %s%s\n%s", strings.Join(names, ", "), form, wrap(text+".", strings.Repeat(" ", 7), helpWidth))
}
