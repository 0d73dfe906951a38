package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/run"
)

// schema is that of the table that is written: a whole one or a shard.
func (r *runner) schema() data.Schema {
	if divisible, ok := r.experiment.(run.Divisible); ok && r.options.Part.Of > 0 {
		return run.ShardSchema(divisible, r.options.Seed, r.options.Part)
	}
	return run.Schema(r.experiment, r.options.Seed)
}

// partialName is the file of the finished part of an incomplete table.
func partialName(path string) string { return path + ".partial" }

// writeTable runs the experiment and writes its table to the file. Along the way
// finished work is kept in a partial file beside it, which stays when the run does not come
// to its end.
func (r *runner) writeTable(ctx context.Context) error {
	schema := r.schema()
	journal, err := r.openJournal(schema)
	if err != nil {
		return err
	}
	if r.past.resume {
		var err error
		if _, err = untilEnd(ctx, func() error {
			r.whole, err = data.IsWhole(r.out, schema)
			return err
		}); err == nil && r.whole {
			err = r.removePast(journal)
		}
		if err != nil || r.whole {
			return errors.Join(err, closeJournal(journal))
		}
	}
	writer, err := data.Create(r.out, schema)
	if err != nil {
		return errors.Join(fileProblem("out", r.tableName(), err), closeJournal(journal))
	}
	r.options.Journal, r.options.Preflight = journal, r.preflight
	r.options.Unfinished = partialName(r.tableName()) + "-"
	stopped, err := untilEnd(ctx, func() error { return r.run(ctx, writer) })
	if err == nil {
		if err := writer.Close(); err != nil {
			return r.unfinished(ctx, err, journal)
		}
		r.log.Info("wrote", "file", r.tableName())
		return r.removePast(journal)
	}
	if stopped { // else it may be writing still
		writer.Abort()
	}
	return r.unfinished(ctx, err, journal)
}

// openJournal opens the partial file of the run, to resume it if asked to.
func (r *runner) openJournal(schema data.Schema) (*data.Journal, error) {
	identity, err := json.Marshal(schema.Metadata)
	if err != nil {
		return nil, err
	}
	path := partialName(r.tableName())
	journal, err := data.OpenJournal(path, string(identity), r.past.kept())
	var other *data.OtherRunError
	switch {
	case errors.As(err, &other):
		var there []data.Entry
		if json.Unmarshal([]byte(other.Run), &there) != nil {
			return nil, usagef("--resume: %v", err)
		}
		return nil, usagef("--resume: %v: %s", err, experiments.Difference(schema.Metadata, there))
	case errors.Is(err, data.ErrUnfinished):
		return nil, usagef("--out %s: %s %v; must be with --resume, to go on with it, or --restart, to give it up",
			quoteIfNeeded(r.tableName()), path, data.ErrUnfinished)
	case err != nil:
		return nil, fileProblem("out", r.tableName(), err)
	}
	if r.past.resume {
		r.log.Info("resume", "file", path, "pieces", journal.Pieces())
		return journal, nil
	}
	if err := removeUnfinished(path + "-"); err != nil { // of a run that is given up
		return nil, errors.Join(err, journal.Remove())
	}
	return journal, nil
}

// removePast removes a journal, and before it the files of unfinished pieces, which without it nobody knows of.
func (r *runner) removePast(journal *data.Journal) error {
	return errors.Join(removeUnfinished(partialName(r.tableName())+"-"), journal.Remove())
}

// removeUnfinished removes the files whose names begin so, also those that were being written.
func removeUnfinished(prefix string) error {
	folder, name := filepath.Split(prefix)
	entries, err := os.ReadDir(filepath.Clean(folder))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if strings.HasPrefix(strings.TrimPrefix(entry.Name(), "."), name) && !entry.IsDir() {
			err = errors.Join(err, os.Remove(filepath.Join(folder, entry.Name())))
		}
	}
	return err
}

// fileProblem is an error of beginning the file that a flag names: another process that
// writes it, and a folder that cannot be written to, are no mistakes in the command.
func fileProblem(flag, path string, err error) error {
	if errors.Is(err, data.ErrLocked) {
		return fmt.Errorf("%s: %w", path, data.ErrLocked)
	}
	for _, failure := range []error{
		fs.ErrPermission, syscall.EROFS, syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG,
		syscall.EMFILE, syscall.ENFILE, syscall.EIO,
	} {
		if errors.Is(err, failure) {
			return fmt.Errorf("--%s %s: %w", flag, quoteIfNeeded(path), err)
		}
	}
	return usagef("--%s %s: %v", flag, quoteIfNeeded(path), err)
}

// closeJournal closes a journal, and removes it if nothing is in it.
func closeJournal(journal *data.Journal) error {
	if journal.Empty() {
		return journal.Remove()
	}
	return journal.Close()
}

// unfinished is the error of a run that has not come to its end. What is finished stays,
// unless this run began it and its parameters have turned out not to fit: then no run with
// them ever ends.
func (r *runner) unfinished(ctx context.Context, err error, journal *data.Journal) error {
	var misfit usageError
	if errors.As(err, &misfit) && !r.past.resume {
		return errors.Join(err, r.removePast(journal))
	}
	kept := ""
	if !journal.Empty() {
		kept = partialName(r.tableName())
	}
	closeErr := closeJournal(journal)
	switch {
	case closeErr != nil && !errors.Is(err, closeErr):
		return fmt.Errorf("%w; %w", err, closeErr)
	case endedBy(ctx, err) && kept == "":
		return interruption{nothingWritten}
	case endedBy(ctx, err):
		return interruption{"what is finished is in " + kept + ", and the same command with --resume goes on"}
	case kept == "":
		return err
	}
	return fmt.Errorf("%w; what is finished is in %s, and --resume goes on", err, kept)
}
