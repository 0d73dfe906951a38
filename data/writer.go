package data

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"antipode/data/durable"

	"github.com/apache/arrow/go/v15/arrow/ipc"
)

var errFinished = errors.New("data: the writer is closed or aborted")

// target is the destination of the bytes of a table: a Replacement or a stream.
type target interface {
	io.Writer
	Commit() error
	Abort() error
}

// stream is a target that is an io.Writer, to which bytes are written one after another.
type stream struct{ io.Writer }

func (stream) Commit() error { return nil }
func (stream) Abort() error  { return nil }

// Writer writes one table to one Arrow file. A Writer must not be used by several goroutines at once.
type Writer struct {
	path      string
	schema    Schema
	batchRows int

	pending []Values // values of the rows of the batch that is not full yet
	rows    int      // number of the rows in pending

	encoder  *encoder
	arrow    *ipc.FileWriter
	output   *output
	target   target
	finished bool
	err      error // first error of the writer, which every later call returns
}

// Create returns a Writer of a table that will be written to path. Until Writer.Close, the rows are written
// to a temporary file in the same folder, and a file at path stays as it is. The new file has the permissions
// of the file that it replaces.
//
// Create returns an error if a table with the schema cannot be written (see the fields of Column), if the
// folder is missing or cannot be written to, or if something at path is not a regular file. The error of
// Create is durable.ErrLocked if another writer is writing to path.
func Create(path string, schema Schema) (*Writer, error) {
	if err := schema.validate(); err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	replacement, err := durable.NewReplacement(path)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	return newWriter(path, schema, replacement)
}

// Stream returns a Writer of a table that is written to w batch by batch, for example to standard output. The
// name appears in errors. After an error or Writer.Abort, the written bytes are not a table.
func Stream(w io.Writer, name string, schema Schema) (*Writer, error) {
	if err := schema.validate(); err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	return newWriter(name, schema, stream{w})
}

func newWriter(path string, schema Schema, target target) (*Writer, error) {
	w := &Writer{
		path:      path,
		schema:    schema,
		batchRows: schema.batchRows(),
		encoder:   newEncoder(schema),
		output:    &output{buffer: bufio.NewWriterSize(target, 1<<16)},
		target:    target,
	}
	for _, column := range schema.Columns {
		w.pending = append(w.pending, column.empty())
	}
	var err error
	w.arrow, err = ipc.NewFileWriter(w.output, ipc.WithSchema(w.encoder.schema))
	if err != nil {
		return nil, w.fail(err)
	}
	return w, nil
}

// Write implements Sink: it appends rows to the table.
//
// Write returns an error if values have the wrong type or length, if the code of a label is out of range, if
// there is a NaN in a Vector or in a column that is not Nullable, or if the file cannot be written. After an
// error the table is lost: the temporary file is removed, and Write and Close return the same error again.
func (w *Writer) Write(columns ...Values) error {
	if err := w.state(); err != nil {
		return err
	}
	rows, err := w.schema.countRows(columns)
	if err != nil {
		return w.fail(err)
	}
	for i, column := range w.schema.Columns {
		if err := column.check(columns[i]); err != nil {
			return w.fail(err)
		}
	}
	for from := 0; from < rows; {
		to := min(rows, from+w.batchRows-w.rows)
		if err := w.take(w.slice(columns, from, to), to-from); err != nil {
			return w.fail(err)
		}
		from = to
	}
	return nil
}

// slice returns the values of all columns in the rows k with from ≤ k < to.
func (w *Writer) slice(columns []Values, from, to int) []Values {
	parts := make([]Values, len(columns))
	for i, column := range w.schema.Columns {
		parts[i] = columns[i].part(from*column.width(), to*column.width())
	}
	return parts
}

// take adds rows, which must fit into the current batch, to the batch, and writes the batch if it is full.
// Rows that fill an entire batch are written without being copied.
func (w *Writer) take(columns []Values, rows int) error {
	if rows == w.batchRows {
		return w.writeBatch(columns, rows)
	}
	for i := range columns {
		w.pending[i] = w.pending[i].join(columns[i])
	}
	w.rows += rows
	if w.rows < w.batchRows {
		return nil
	}
	return w.flush()
}

func (w *Writer) flush() error {
	err := w.writeBatch(w.pending, w.rows)
	for i, values := range w.pending {
		w.pending[i] = values.part(0, 0)
	}
	w.rows = 0
	return err
}

func (w *Writer) writeBatch(columns []Values, rows int) error {
	if err := w.arrow.Write(w.encoder.record(columns, rows)); err != nil {
		return err
	}
	w.output.endBatch()
	return nil
}

// Close writes the remaining rows, syncs the file, gives the file its final name and syncs the folder. The
// file is complete and stored safely if and only if Close returns nil. After an error, the new file is
// removed and an older file at the path is unchanged, with one exception: if only the folder could not be
// synced or the file could not be closed, the complete new file is at the path. Close after Abort or after
// Close is an error.
func (w *Writer) Close() error {
	if err := w.state(); err != nil {
		return err
	}
	if err := w.finish(); err != nil {
		return w.fail(err)
	}
	w.finished = true
	if err := w.target.Commit(); err != nil {
		w.err = fmt.Errorf("write %s: %w", w.path, err)
	}
	return w.err
}

// finish writes the last batch of rows and the footer of the file.
func (w *Writer) finish() error {
	// A table without rows has a batch without rows, because labels are stored with the first batch.
	if w.rows > 0 || len(w.output.sums) == 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.output.footer = new(bytes.Buffer)
	if err := w.arrow.Close(); err != nil {
		return err
	}
	return w.output.finish()
}

// Abort gives up the table: the temporary file is removed, and a file at the path stays as it is. Abort after
// Close, after an error or after Abort does nothing, so that Abort can be deferred. Abort returns an error if
// the temporary file cannot be removed.
func (w *Writer) Abort() error {
	if w.finished {
		return nil
	}
	w.finished = true
	if err := w.target.Abort(); err != nil {
		return fmt.Errorf("abort %s: %w", w.path, err)
	}
	return nil
}

func (w *Writer) state() error {
	if w.err == nil && w.finished {
		return errFinished
	}
	return w.err
}

// fail stores the first error of the writer and removes the temporary file.
func (w *Writer) fail(err error) error {
	w.err = durable.Join(fmt.Errorf("write %s: %w", w.path, err), w.Abort())
	return w.err
}
