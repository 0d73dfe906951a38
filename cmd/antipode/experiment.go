package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/figure"
	"antipode/experiments/overlap"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/verify"
	"antipode/sde"

	"github.com/urfave/cli/v2"
)

// runner runs an experiment for a command: flags to parameters, table, text,
// figure.
type runner struct {
	experiment     run.Experiment
	options        run.Options
	paper          bool
	past           pastFlags
	saved          string // of several tables of one run, the one that is written
	whole          bool   // the table was there already
	export         *export
	shards         shardFlags
	out, plot      string // "" for none
	flags          []cli.Flag
	values         []*valueFlag      // those of the flags that read a value, but for parameters
	given          map[string]string // texts by the names of parameters
	stdout, stderr io.Writer
	reporting
}

var tableExtensions = []string{".arrow", ".parquet", ".csv"}

// experimentCommand is the command of an experiment.
func experimentCommand(e run.Experiment, stdout, stderr io.Writer) *cli.Command {
	return newRunner(e, stdout, stderr).command()
}

// command is that of the runner's experiment.
func (r *runner) command() *cli.Command {
	e := r.experiment
	summary, description := e.Help()
	command := &cli.Command{Name: e.Name(), Usage: summary, Description: description}
	if _, is := argumentOf(e); is {
		command.ArgsUsage = "FILE"
	}
	switch e := e.(type) {
	case *overlap.Experiment:
		command.Action = r.addPrinting()
	case summarizer:
		command.Action = r.addFilesOrJSON(e)
	case *verify.Experiment:
		command.Action = r.addVerdicts(e)
	default:
		r.addFiles()
		command.Action = r.toFilesOfEach
	}
	if experiments.HasPaper(e.Name()) {
		r.addPaper()
	}
	command.Flags = r.flags
	return command
}

// newRunner returns a runner with the flags of the experiment's parameters and
// those of every run.
func newRunner(e run.Experiment, stdout, stderr io.Writer) *runner {
	r := &runner{experiment: e, options: run.Options{Seed: run.DefaultSeed}, stdout: stdout, stderr: stderr,
		reporting: newReporting()}
	for _, p := range run.Parameters(e, &r.options.Seed) {
		if !p.Argument {
			r.flags = append(r.flags, parameterFlag(p))
		}
	}
	r.addReporting()
	return r
}

// addReporting adds the flags of the workers and of what is reported along the way.
func (r *runner) addReporting() {
	r.addFlag(parameter.Parameter{Name: "workers", Value: workersValue{&r.options.Workers},
		Meaning: "goroutines that compute; memory grows with them and the size of a cell, " +
			"not with the rows; changes no result"})
	r.addSwitch("quiet", "no progress on stderr", &r.quiet)
	r.addFlag(parameter.Parameter{Name: "progress", Meaning: "form of the progress on stderr: a bar on a " +
		"terminal and a line each 10 s elsewhere, or always lines, or JSON objects",
		Value: textChoice{&r.style, progressStyles}})
	r.addFlag(parameter.Parameter{Name: "log-level", Meaning: "least level of what is logged on stderr",
		Value: textChoice{&r.level, logLevels}})
}

// argumentOf is the parameter of an experiment that is the command's argument, if there is one.
func argumentOf(e run.Experiment) (p parameter.Parameter, is bool) {
	for _, p := range e.Parameters() {
		if p.Argument {
			return p, true
		}
	}
	return p, false
}

// takeGiven takes the texts of parameters from the flags and the command's argument, or refuses one.
func (r *runner) takeGiven(c *cli.Context) error {
	r.given = map[string]string{}
	for _, p := range run.Parameters(r.experiment, &r.options.Seed) {
		if c.IsSet(p.Name) {
			r.given[p.Name] = fmt.Sprint(c.Value(p.Name))
		}
	}
	argument, is := argumentOf(r.experiment)
	if !is {
		return noArguments(c)
	}
	path, err := oneFile(c)
	r.given[argument.Name] = path
	return err
}

func (r *runner) addFlag(p parameter.Parameter) *cli.GenericFlag {
	value, flag := newFlag(p)
	r.values, r.flags = append(r.values, value), append(r.flags, flag)
	return flag
}

func (r *runner) addSwitch(name, usage string, field *bool) {
	r.flags = append(r.flags, newSwitch(name, usage, field))
}

// addOut adds the flag of the table's file; the text says what happens without it.
func (r *runner) addOut(without string) {
	r.addTable(pathValue{&r.out, tableExtensions}, without)
}

func (r *runner) addTable(value parameter.Value, without string) {
	flag := r.addFlag(parameter.Parameter{Name: "out", Meaning: "the table's file", Value: value})
	flag.DefaultText = without
}

// addFiles adds the flags of an experiment that always writes files.
func (r *runner) addFiles() {
	r.addTable(streamValue{pathValue{&r.out, tableExtensions}}, r.defaultName(tableExtensions))
	r.flags = append(r.flags, r.past.switches(r.resumption())...)
	r.addShards()
	r.addPlot(r.defaultName(figure.Extensions) + " without --out, none with it")
}

// resumption says what --resume does.
func (r *runner) resumption() string {
	if _, ok := r.experiment.(run.Divisible); !ok {
		return "begin again: of a run of seconds nothing is kept"
	}
	return "go on with the unfinished run that is kept beside the table's file, if there is one; where the " +
		"table is whole, check it and compute nothing"
}

// addPaper adds the switch to the scale of the paper's figure.
func (r *runner) addPaper() {
	r.addSwitch("paper", "the parameters of the paper's figure, where no flag says otherwise", &r.paper)
}

// addPlot adds the flag of the figure's file; the text says what happens without it.
func (r *runner) addPlot(without string) {
	flag := r.addFlag(parameter.Parameter{Name: "plot", Meaning: "the figure's file",
		Value: pathValue{&r.plot, figure.Extensions}})
	flag.DefaultText = without
}

func (r *runner) defaultName(extensions []string) string { return r.baseName() + extensions[0] }

// baseName is the beginning of the names of files that no flag names. Two figures of one command have
// two names.
func (r *runner) baseName() string {
	name := r.experiment.Name()
	if figure, is := r.given[run.FigureParameter]; is {
		name += "-" + figure
	}
	if r.saved != "" {
		name += "-" + r.saved
	}
	return name
}

// valueOf is the flag of that name, nil if there is none.
func (r *runner) valueOf(name string) *valueFlag {
	for _, f := range r.values {
		if f.parameter.Name == name {
			return f
		}
	}
	return nil
}

// configure sets and checks parameters and options, and begins the log.
func (r *runner) configure(c *cli.Context) error {
	if err := r.takeParameters(c); err != nil {
		return err
	}
	r.startLog(r.stderr)
	r.logBegin()
	return nil
}

// takeParameters sets and checks parameters and options.
func (r *runner) takeParameters(c *cli.Context) error {
	if err := r.takeGiven(c); err != nil {
		return err
	}
	return r.setParameters()
}

// setParameters sets and checks what was given.
func (r *runner) setParameters() (err error) {
	if err := applyAll(r.values); err != nil {
		return err
	}
	if err := r.past.check(); err != nil {
		return err
	}
	if err := r.configureShard(); err != nil {
		return err
	}
	if r.options.Seed, err = run.Configure(r.experiment, r.given, r.paper); err != nil {
		return r.parameterProblem(err)
	}
	return checkEnvironment()
}

// checkEnvironment refuses an environment in which nothing can be computed.
func checkEnvironment() error {
	if err := sde.CheckInstructions(); err != nil {
		return usageError{err.Error()}
	}
	return nil
}

// toFiles is the action of a command that writes files: it runs the experiment,
// writes its table and figure, and says on stdout what they show. Without --out they
// have the command's name.
func (r *runner) toFiles(c *cli.Context) error {
	configure := func() error { return r.configure(c) } // may read large files
	if _, err := untilEnd(c.Context, configure); err != nil {
		return err
	}
	if r.out == standardOutput {
		return r.toStdout(c.Context)
	}
	return writeFiles(c.Context, []*runner{r})
}

// writeFiles writes the tables of runs along the same trajectories, their figures, and what they show.
func writeFiles(ctx context.Context, runs []*runner) error {
	var begun []*begunFiles
	for _, r := range runs {
		files, err := r.beginFiles()
		if err != nil {
			return err
		}
		if files != nil {
			defer files.end()
			begun = append(begun, files)
		}
	}
	runs = runs[:0:0]
	for _, files := range begun {
		runs = append(runs, files.runner)
	}
	if err := writeTables(ctx, runs); err != nil {
		return err
	}
	for _, files := range begun {
		if err := files.finish(ctx); err != nil {
			return err
		}
	}
	return nil
}

// begunFiles are the files of a run before its table is written.
type begunFiles struct {
	*runner
	picture *figureFile
}

// beginFiles begins the files of a run, none where they are there already.
func (r *runner) beginFiles() (*begunFiles, error) {
	r.nameFiles()
	if err := r.checkOutputs(); err != nil {
		return nil, err
	}
	if whole, err := r.beginExport(r.schema()); err != nil || whole {
		return nil, errors.Join(err, r.sayWholeIf(whole))
	}
	picture, err := r.createFigure()
	if err != nil {
		r.endExport()
		return nil, err
	}
	return &begunFiles{r, picture}, nil
}

// finish gives the whole table its form, draws its figure and says what it shows. The counts of a shard
// say nothing by themselves.
func (f *begunFiles) finish(ctx context.Context) error {
	if part := f.options.Part; part.Of > 0 {
		return f.sayWritten(fmt.Sprintf(", shard %s; antipode merge puts all of them together",
			run.FormatShard(part)),
			f.out)
	}
	if err := f.exportTable(); err != nil {
		return err
	}
	_, err := untilEnd(ctx, func() error {
		defer f.picture.abort()
		return f.show(f.picture)
	})
	if endedBy(ctx, err) {
		return interruption{f.tableName() + " is whole, and nothing else was written or changed"}
	}
	return err
}

// end removes what is not finished.
func (f *begunFiles) end() {
	f.picture.abort()
	f.endExport()
}

// nameFiles gives names to the files for which there is no flag.
func (r *runner) nameFiles() {
	part := r.options.Part
	switch {
	case r.out != "":
	case part.Of > 0:
		r.out = fmt.Sprintf("%s-%d-of-%d%s", r.baseName(), part.Number, part.Of, tableExtensions[0])
	default:
		r.out = r.defaultName(tableExtensions)
		if r.plot == "" {
			r.plot = r.defaultName(figure.Extensions)
		}
	}
}

// show draws the figure of the table that was written, and says on stdout what it shows.
func (r *runner) show(picture *figureFile) error {
	_, table, err := experiments.Read(r.out)
	if err != nil {
		return err
	}
	drawn := picture.draw(r.experiment, table) // before the text, which somebody may not read to its end
	described := r.describe(table)
	files := []string{r.tableName()}
	switch {
	case errors.Is(drawn, figure.ErrNone): // the table is there, and says more
		fmt.Fprintf(r.stdout, "No figure: %v.\n", drawn)
	case drawn != nil:
		return drawn
	case r.plot != "":
		files = append(files, r.plot)
	}
	if described != nil {
		return described
	}
	return r.sayWritten("", files...)
}

// createFigure begins the figure before the work, so that a bad name costs nothing.
func (r *runner) createFigure() (*figureFile, error) {
	figure, err := createFigure(r.plot)
	if err != nil {
		return nil, fileProblem("plot", r.plot, err)
	}
	return figure, nil
}

// run runs the experiment with progress on stderr.
func (r *runner) run(ctx context.Context, table data.Sink) error {
	return r.reported(func(options run.Options) error { return r.experiment.Run(ctx, options, table) })
}

// reported runs something with progress on stderr.
func (r *runner) reported(action func(options run.Options) error) error {
	options := r.options
	options.Notice = r.notice
	if !r.quiet {
		p := newProgress(r.stderr, r.experiment.Name(), r.style)
		defer p.finish()
		options.Progress = p.update
	}
	return r.parameterProblem(action(options))
}

// notice says something in a line that a person should know before a long run.
func (r *runner) notice(text string) {
	if !r.quiet {
		say(r.stderr, text)
	}
}

// sayWholeIf says that the table was there already, if it was.
func (r *runner) sayWholeIf(whole bool) error {
	if !whole {
		return nil
	}
	return r.sayWritten("", r.out)
}

// sayWritten says which files were written, the table first, and more in a text.
func (r *runner) sayWritten(more string, files ...string) error {
	said := "Wrote " + strings.Join(files, " and ") + more
	if r.whole {
		said = fmt.Sprintf("%s was whole already%s; nothing was computed", files[0], more)
		if len(files) > 1 {
			said += ", and " + strings.Join(files[1:], " and ") + " drawn again"
		}
	}
	_, err := fmt.Fprintln(r.stdout, said+".")
	return err
}
