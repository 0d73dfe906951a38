package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"antipode/cmd/antipode/terminal"
	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"

	"github.com/urfave/cli/v2"
)

// runner runs an experiment for a command: a runner sets the parameters of the experiment from flags, and
// writes the rows of results to a destination.
type runner struct {
	experiment run.Experiment
	options    run.Options
	given      map[string]string // texts of the given values, by the names of parameters
	paper      bool
	dry        bool // whether to report what the run would need instead of running
	shards     shardFlags
	stdout     io.Writer
	flagSet
	destination
	*reporting
}

// newRunner returns a runner with the flags that every command with an experiment has, except for --seed.
func newRunner(stdout, stderr io.Writer) *runner {
	r := &runner{options: run.Options{Seed: run.DefaultSeed}, stdout: stdout, reporting: newReporting(stderr)}
	r.addFlag(parameter.Parameter{Name: "workers", Value: workersValue(&r.options.Workers),
		Meaning: "number of goroutines that compute; memory grows with this number and with the size of " +
			"a cell, not with the number of rows; the results do not depend on it"})
	r.reporting.addTo(&r.flagSet)
	return r
}

// experimentRunner returns the runner of the command of an experiment, with flags for all parameters of the
// experiment.
func experimentRunner(e run.Experiment, stdout, stderr io.Writer) *runner {
	r := newRunner(stdout, stderr)
	r.experiment = e
	common := r.flags
	r.flags = nil
	for _, p := range run.Parameters(e, &r.options.Seed) {
		if !p.Argument {
			r.flags = append(r.flags, parameterFlag(p))
		}
	}
	r.flags = append(r.flags, common...)
	return r
}

// experimentCommand returns the command that runs an experiment.
func experimentCommand(e run.Experiment, stdout, stderr io.Writer) *cli.Command {
	return experimentRunner(e, stdout, stderr).command()
}

// command returns the command that runs the experiment of the runner. What the command prints and writes
// depends on the interfaces that the experiment implements.
func (r *runner) command() *cli.Command {
	e := r.experiment
	summary, description := e.Help()
	command := &cli.Command{Name: e.Name(), Usage: summary, Description: description}
	if _, is := argumentOf(e); is {
		command.ArgsUsage = "FILE"
		if _, several := furtherOf(e); several {
			command.ArgsUsage = "FILE [FILE …]"
		}
	}
	follower, follows := e.(run.Follower)
	_, prompt := e.(run.Prompt)
	switch {
	case follows:
		command.Action = r.addFollowing(follower)
	case prompt:
		r.destination.addOut(&r.flagSet, "none")
		r.destination.addPlot(&r.flagSet, "none")
		command.Action = r.addJSON("print JSON", r.print)
	default:
		r.addFiles()
		command.Action = r.toFiles
		if _, is := e.(run.Summarizer); is {
			command.Action = r.addJSON("print JSON, and write files only if --out or --plot names them",
				func(c *cli.Context, _ bool) error { return r.toFiles(c) })
		}
	}
	if run.HasPaper(e) {
		r.addSwitch("paper", "use the parameters of the paper's figure, except those given by "+
			"flags", &r.paper)
	}
	command.Action = r.addDryRun(command.Action)
	command.Flags = r.flags
	return command
}

// addJSON adds the switch --json and returns an action. With the switch the action prints JSON; without the
// switch the action calls the function without.
func (r *runner) addJSON(usage string, without func(c *cli.Context, asJSON bool) error) cli.ActionFunc {
	var asJSON bool
	r.addSwitch("json", usage, &asJSON)
	return func(c *cli.Context) error {
		if asJSON {
			return r.print(c, true)
		}
		return without(c, false)
	}
}

// addFollowing adds the flags of a command whose report is printed during the run, and returns the action of
// the command.
func (r *runner) addFollowing(e run.Follower) cli.ActionFunc {
	r.destination.addOut(&r.flagSet, "none")
	var list bool
	r.addSwitch("list", "list the claims and measure none of them", &list)
	return func(c *cli.Context) error {
		if !list {
			return r.print(c, false)
		}
		if err := r.configure(c); err != nil {
			return err
		}
		return e.List(terminal.Wrapping(r.stdout))
	}
}

// addFiles adds the flags of a command that always writes files.
func (r *runner) addFiles() {
	r.keeps = true
	name := r.experiment.Name()
	r.destination.addStream(&r.flagSet, name+tableExtensions[0])
	r.flags = append(r.flags, r.past.switches(r.resumption())...)
	r.shards.addTo(&r.flagSet, r.experiment)
	r.destination.addPlot(&r.flagSet, name+figure.Extensions[0]+" without --out, none with it")
	if saver, ok := r.experiment.(run.ModelSaver); ok {
		r.addFlag(parameter.Parameter{Name: "models", Value: folderValue(&r.options.Models),
			Meaning: "a folder that gets " + saver.ModelFiles()}).DefaultText = "none"
	}
}

// resumption returns the help text of the flag --resume.
func (r *runner) resumption() string {
	if _, ok := r.experiment.(run.Divisible); !ok {
		return "start from the beginning, because this command keeps no unfinished runs"
	}
	return "continue the unfinished run that is kept beside the table's file, if there is one; if the " +
		"table is complete, check it and compute nothing; never replace the table of another run"
}

// argumentOf returns the parameter of an experiment that is the argument of its command, if the experiment
// has such a parameter.
func argumentOf(e run.Experiment) (p parameter.Parameter, is bool) {
	return firstOf(e.Parameters(), func(p parameter.Parameter) bool { return p.Argument })
}

// furtherOf returns the parameter of an experiment for further files after the argument of its command, if
// the experiment has such a parameter.
func furtherOf(e run.Experiment) (p parameter.Parameter, is bool) {
	return firstOf(e.Parameters(), func(p parameter.Parameter) bool { return p.Further })
}

// firstOf returns the first of the parameters for which is returns true, if there is one.
func firstOf(
	all []parameter.Parameter, is func(parameter.Parameter) bool,
) (p parameter.Parameter, there bool) {
	for _, p := range all {
		if is(p) {
			return p, true
		}
	}
	return p, false
}

// configure sets the parameters and options of the run from flags and arguments, and opens the log.
func (r *runner) configure(c *cli.Context) error {
	if err := r.take(c); err != nil {
		return err
	}
	if err := r.setParameters(); err != nil {
		return err
	}
	r.beginLog(r.experiment.Name(), r.options.Seed)
	return nil
}

// take records the texts that flags and arguments give for parameters of the experiment, and sets the values
// of all other flags.
func (r *runner) take(c *cli.Context) (err error) {
	r.given = map[string]string{}
	for _, p := range run.Parameters(r.experiment, &r.options.Seed) {
		if c.IsSet(p.Name) {
			r.given[p.Name] = fmt.Sprint(c.Value(p.Name))
		}
	}
	if err = r.takeArguments(c); err != nil {
		return err
	}
	if err := r.apply(); err != nil {
		return err
	}
	if err := r.past.check(); err != nil {
		return err
	}
	r.options.Part, err = r.shards.part(r.experiment, r.plot, r.dry)
	return err
}

// takeArguments records the files that the arguments of the command name, as values of parameters of the
// experiment.
func (r *runner) takeArguments(c *cli.Context) (err error) {
	argument, is := argumentOf(r.experiment)
	if !is {
		return noArguments(c)
	}
	files := c.Args().Slice()
	if _, instead := r.given[argument.Instead]; instead && len(files) == 0 {
		return nil
	}
	further, several := furtherOf(r.experiment)
	if !several || len(files) < 2 {
		r.given[argument.Name], err = oneFile(c)
		return err
	}
	for _, file := range files {
		if file == "" || strings.Contains(file, ",") {
			return usagef("%s: FILE %q: of several files none may have an empty name, or one with a comma",
				c.Command.Name, file)
		}
	}
	if _, is := r.given[further.Name]; is {
		return usagef("%s: further files are given twice: as FILE, and by --%s", c.Command.Name, further.Name)
	}
	r.given[argument.Name], r.given[further.Name] = files[0], strings.Join(files[1:], ",")
	return nil
}

// setParameters sets the parameters of the experiment to the given values, and checks these values.
func (r *runner) setParameters() (err error) {
	if r.options.Seed, err = run.Configure(r.experiment, r.given, r.paper); err != nil {
		return parameterProblem(r.experiment, err)
	}
	return checkEnvironment()
}

// checkEnvironment returns an error if the environment variables do not allow the program to compute
// anything.
func checkEnvironment() error {
	if err := sde.CheckInstructions(); err != nil {
		return usageError{err.Error()}
	}
	return nil
}

// schema returns the schema of the table to be written: that of the complete run, or of a shard.
func (r *runner) schema() data.Schema {
	if divisible, ok := r.experiment.(run.Divisible); ok && r.options.Part.Of > 0 {
		return run.ShardSchema(divisible, r.options.Seed, r.options.Part)
	}
	return run.Schema(r.experiment, r.options.Seed)
}

// run runs the experiment with progress on stderr, and writes its rows to the table.
func (r *runner) run(ctx context.Context, table data.Sink) error {
	return r.reported(func(options run.Options) error { return r.experiment.Run(ctx, options, table) })
}

// reported runs an action with progress on stderr. If the report is printed during the run, progress is not
// shown on stderr, because the report shows it.
func (r *runner) reported(action func(options run.Options) error) error {
	options := r.options
	options.Notice = r.notice
	if _, follows := r.experiment.(run.Follower); !follows && !r.quiet {
		p := terminal.NewProgress(r.stderr, r.experiment.Name(), r.style)
		defer p.Finish()
		options.Progress = p.Update
	}
	return parameterProblem(r.experiment, action(options))
}
