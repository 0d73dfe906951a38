package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"syscall"

	"antipode/cmd/antipode/interruption"
	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// partialName returns the name of the partial file, which stores the finished pieces of an incomplete table.
// The argument path is that of the table itself.
func partialName(path string) string { return path + ".partial" }

// statesFolder returns the folder, next to the partial file of a table, in which some runs store the states
// of the unfinished pieces of their work.
func statesFolder(path string) string { return partialName(path) + "-states" }

// writeTables runs an experiment and writes the tables of runs on the same trajectories to their files.
// During the run, finished pieces of work are stored in a partial file for each table. The partial files
// remain if the run does not finish. Tables that are already complete are not written again.
func writeTables(ctx context.Context, runs []*runner) error {
	var tables []*openTable
	for _, r := range runs {
		table, err := r.openTable(ctx)
		if err != nil {
			for _, open := range tables {
				err = errors.Join(err, open.writer.Abort(), closeJournal(open.journal))
			}
			return err
		}
		if table != nil {
			tables = append(tables, table)
		}
	}
	if len(tables) == 0 {
		return nil
	}
	stopped, err := interruption.UntilEnd(ctx, func() error { return runTables(ctx, tables) })
	for len(tables) > 0 && err == nil {
		if err = tables[0].writer.Close(); err == nil {
			tables[0].log.Info("wrote", "file", tables[0].tableName())
			err, tables = tables[0].removePast(tables[0].journal), tables[1:]
		}
	}
	if err == nil || len(tables) == 0 {
		return err
	}
	if stopped { // otherwise the run may still be writing to the tables
		for _, table := range tables {
			table.writer.Abort()
		}
	}
	return unfinished(ctx, err, tables)
}

// openTable is a table that is being written, with the journal (partial file) of its finished pieces.
type openTable struct {
	*runner
	journal *durable.Journal // nil if finished pieces are not stored
	writer  *data.Writer
}

// openTable opens the table that the runner writes, and its journal if finished pieces are stored. If the run
// is resumed and the table is already complete, openTable returns nil.
func (r *runner) openTable(ctx context.Context) (*openTable, error) {
	schema := r.schema()
	if err := checkShardInPlace(r.out, schema); err != nil {
		return nil, err
	}
	var journal *durable.Journal
	var err error
	if r.keeps {
		if journal, err = r.openJournal(schema, r.log); err != nil {
			return nil, err
		}
	}
	if r.past.resume {
		if _, err = interruption.UntilEnd(ctx, func() error {
			r.whole, err = data.IsWhole(r.out, schema)
			return err
		}); err == nil && r.whole {
			err = r.removePast(journal)
		}
		if err = otherRun(schema, err); err != nil && journal != nil && !journal.Empty() {
			err = nil // an unfinished run can be resumed, whose table is to replace this table
		}
		if err != nil || r.whole {
			return nil, errors.Join(err, closeJournal(journal))
		}
	}
	writer, err := data.Create(r.out, schema)
	if err != nil {
		return nil, errors.Join(r.problem("out", r.tableName(), err), closeJournal(journal))
	}
	return &openTable{runner: r, journal: journal, writer: writer}, nil
}

// orRestart ends the messages that refuse to resume a run, because a file is not known to be of this run.
const orRestart = "; must be used with another --out, or with --restart instead, to replace it"

// otherRun turns the error that a file has the table of another run into a usageError that refuses to resume.
// otherRun returns other errors unchanged.
func otherRun(schema data.Schema, err error) error {
	var other *data.OtherRunError
	if !errors.As(err, &other) {
		return err
	}
	return usagef("--resume: %v: %s%s", err, experiments.Difference(schema.Metadata, other.Metadata),
		orRestart)
}

// runTables runs the experiment whose results the tables store, with progress on stderr.
func runTables(ctx context.Context, tables []*openTable) error {
	first := tables[0]
	first.options.Preflight = func(needs run.Needs) error { return preflight(tables, needs) }
	if len(tables) == 1 {
		if first.journal != nil {
			first.options.Journal = first.journal
			first.options.Unfinished = statesFolder(first.tableName())
		}
		return first.run(ctx, first.writer)
	}
	outputs := make([]run.Output, len(tables))
	for k, table := range tables {
		outputs[k] = run.Output{Save: table.saved, Journal: table.journal, Table: table.writer}
	}
	return first.reported(func(options run.Options) error {
		return first.experiment.(run.Joint).RunTogether(ctx, options, outputs...)
	})
}

// openJournal opens the journal of the run, which is its partial file; with --resume the run continues from
// the journal.
func (d *destination) openJournal(schema data.Schema, log *slog.Logger) (*durable.Journal, error) {
	identity, _ := json.Marshal(schema.Metadata) // texts have a JSON form
	path := partialName(d.tableName())
	journal, err := durable.OpenJournal(path, string(identity), d.past.kept())
	var other *durable.OtherRunError
	switch {
	case errors.As(err, &other):
		var there []data.Entry
		if json.Unmarshal([]byte(other.Run), &there) != nil {
			return nil, usagef("--resume: %v%s", err, orRestart)
		}
		return nil, usagef("--resume: %v: %s%s", err, experiments.Difference(schema.Metadata, there),
			orRestart)
	case errors.Is(err, durable.ErrUnfinished):
		return nil, usagef("--out %s: %s %v; must be used with --resume, to continue it, or --restart, "+
			"to delete it", wording.Quoted(d.tableName()), path, durable.ErrUnfinished)
	case err != nil:
		return nil, d.problem("out", d.tableName(), err)
	}
	if d.past.resume {
		log.Info("resume", "file", path, "pieces", journal.Pieces())
		return journal, nil
	}
	// The states of unfinished pieces belong to a run that is discarded.
	if err := durable.RemoveFolder(statesFolder(d.tableName())); err != nil {
		return nil, errors.Join(err, journal.Remove())
	}
	return journal, nil
}

// removePast removes a journal and the states of unfinished pieces, or nothing if the journal is nil. The
// states are removed first, because only the journal shows that they exist.
func (d *destination) removePast(journal *durable.Journal) error {
	if journal == nil {
		return nil
	}
	return errors.Join(durable.RemoveFolder(statesFolder(d.tableName())), journal.Remove())
}

// fileProblem returns the error of opening the file that a flag names. The returned error is a usageError,
// with two exceptions that are not mistakes in the command line: another process writes the file, or the
// folder cannot be written to.
func fileProblem(flag, path string, err error) error {
	if errors.Is(err, durable.ErrLocked) {
		return fmt.Errorf("%s: %w", path, durable.ErrLocked)
	}
	for _, failure := range []error{
		fs.ErrPermission, syscall.EROFS, syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG,
		syscall.EMFILE, syscall.ENFILE, syscall.EIO,
	} {
		if errors.Is(err, failure) {
			return fmt.Errorf("--%s %s: %w", flag, wording.Quoted(path), err)
		}
	}
	return usagef("--%s %s: %v", flag, wording.Quoted(path), err)
}

// closeJournal closes a journal, and removes the journal if it is empty; for a nil journal it does nothing.
func closeJournal(journal *durable.Journal) error {
	if journal == nil {
		return nil
	}
	if journal.Empty() {
		return journal.Remove()
	}
	return journal.Close()
}

// unfinished closes the journals of a run that did not finish, and returns the error of the run. Finished
// pieces of work stay in the journals. If the run was new and the error is in its parameters, the journals
// are removed, because no run with these parameters can finish.
func unfinished(ctx context.Context, err error, tables []*openTable) error {
	var misfit usageError
	drop := errors.As(err, &misfit) && !tables[0].past.resume
	var names []string
	var closing error
	for _, table := range tables {
		switch {
		case drop:
			closing = errors.Join(closing, table.removePast(table.journal))
			continue
		case table.journal != nil && !table.journal.Empty():
			names = append(names, partialName(table.tableName()))
		}
		if closeErr := closeJournal(table.journal); closeErr != nil && !errors.Is(err, closeErr) {
			closing = errors.Join(closing, closeErr)
		}
	}
	kept := strings.Join(names, " and ")
	switch {
	case drop:
		return errors.Join(err, closing)
	case closing != nil:
		return fmt.Errorf("%w; %w", err, closing)
	case interruption.EndedBy(ctx, err) && kept == "":
		return interruption.Error{Remains: interruption.NothingWritten}
	case interruption.EndedBy(ctx, err):
		return interruption.Error{
			Remains: "the finished part is in " + kept + ", and the same command with --resume continues it"}
	case kept == "":
		return err
	}
	return fmt.Errorf("%w; the finished part is in %s, and --resume continues it", err, kept)
}
