package main

import (
	"io"

	"github.com/urfave/cli/v2"
)

// bashCompletion asks the program itself what may follow. Zsh reads it too, after
// bashcompinit.
const bashCompletion = `_antipode() {
  local IFS=$'\n' word=${COMP_WORDS[COMP_CWORD]}
  local asked=${word/#--/-} # to the program a bare -- ends the flags
  local candidates=$("${COMP_WORDS[@]:0:COMP_CWORD}" "$asked" --generate-bash-completion 2>/dev/null)
  COMPREPLY=($(compgen -W "$candidates" -- "$word"))
}
complete -o default -F _antipode antipode
`

func completionCommand(stdout io.Writer) *cli.Command {
	return &cli.Command{
		Name:  "completion",
		Usage: "a script that completes commands and flags in bash and zsh",
		Description: `Prints a script for the shell to read. In zsh, run 'autoload bashcompinit;
bashcompinit' before.

Example: source <(antipode completion)`,
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			_, err := io.WriteString(stdout, bashCompletion)
			return err
		},
	}
}
