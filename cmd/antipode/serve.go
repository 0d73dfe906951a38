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
	value, workersFlag := newFlag(parameter.Parameter{Name: "workers", Value: workersValue{&workers},
		Meaning: "points that are computed at once; changes no answer"})
	return &cli.Command{
		Name:  "serve",
		Usage: "answers to questions on the theory, lines of JSON, for programs",
		Description: `Reads questions on standard input, a JSON object in each line, and answers each by a
line on standard output, until its input ends. columns are those of the command overlap
with an MLP, and parameters its own; lists, all of one length, have a value for each point:

{"id":1,"columns":["p_antipodal"],"parameters":{"dim":4,"beta":[0.5,1]}}
{"id":1,"columns":{"p_antipodal":[0.0213, 0.1199]}}

An answer has null where the theory says nothing; to a question with a mistake it has a
text error in place of columns.

Example: antipode serve --stdio`,
		Flags: []cli.Flag{newSwitch("stdio", "standard input and output; there is no other way yet", &stdio),
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
