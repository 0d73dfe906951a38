package main

import (
	"io"
	"os"

	"antipode/cmd/antipode/questions"
	"antipode/experiments/parameter"

	"github.com/urfave/cli/v2"
)

func serveCommand(stdout io.Writer) *cli.Command {
	var stdio bool
	workers := 0
	value, workersFlag := newFlag(parameter.Parameter{Name: "workers", Value: workersValue(&workers),
		Meaning: "number of points that are computed at the same time; the answers do not depend on it"})
	return &cli.Command{
		Name:  "serve",
		Usage: "answers questions of other programs about the theory, as lines of JSON",
		Description: `Reads questions from standard input, one JSON object on each line, and
answers each with a line on standard output, until the input ends. The names in columns are columns
of the command overlap with an MLP, and the names in parameters are its parameters, but not those
that add other columns or rows. A list has a value for each point; all lists have the same length:

{"id":1,"columns":["p_antipodal"],"parameters":{"dim":4,"beta":[0.5,1]}}
{"id":1,"columns":{"p_antipodal":[0.0213, 0.1199]}}

An answer has null where the theory gives no value. The answer to a question with a mistake has a
text error instead of columns.

Example: antipode serve --stdio`,
		Flags: []cli.Flag{newSwitch("stdio", "use standard input and output; this is required", &stdio),
			workersFlag},
		Action: interruptible(func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if err := value.apply(); err != nil {
				return err
			}
			if !stdio {
				return usagef("serve: must be with --stdio")
			}
			return questions.Answer(c.Context, workers, os.Stdin, stdout)
		}),
	}
}
