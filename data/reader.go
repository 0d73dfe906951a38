package data

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"antipode/data/durable"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
)

// Reader reads the table in one Arrow file, batch by batch. A Reader must not be used by several goroutines
// at once.
type Reader struct {
	path      string
	file      *durable.File
	size      int64
	structure *structure
	arrow     source
	schema    Schema
	rewritten bool
	batchRows int

	next   int          // index of the batch that is read next
	record arrow.Record // current batch of rows, nil before the first batch
	taken  int          // number of rows of the current batch that Next has returned
	err    error        // first error of the reader, which every later call returns
}

// source returns the batches of rows of an Arrow file or stream in order.
type source interface {
	Schema() *arrow.Schema
	// RecordAt returns a batch of rows; it is called for one batch after another, in order.
	RecordAt(batch int) (arrow.Record, error)
}

// streamSource is the source of the batches of an Arrow stream.
type streamSource struct{ *ipc.Reader }

func (s streamSource) RecordAt(int) (arrow.Record, error) {
	record, err := s.Read()
	if err == nil {
		record.Retain() // the record stays valid until the next one is read
	}
	return record, err
}

func (r *Reader) newSource() (source, error) {
	if r.structure.stream {
		reader, err := ipc.NewReader(io.NewSectionReader(r.file, 0, r.size))
		return streamSource{reader}, err
	}
	return ipc.NewFileReader(r.file)
}

// Open opens the Arrow file at path and checks the entire structure of the file, but not the values. An error
// of one line says what is wrong: the file is missing, empty, a folder, not an Arrow file, cut short or
// damaged, or has a column of a type that has no counterpart in package data.
func Open(path string) (*Reader, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a folder", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is not a regular file", path)
	}
	file, err := durable.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err != nil { // another file may be at path by now
		return nil, durable.Join(err, file.Close())
	}
	r := &Reader{path: path, file: file, size: info.Size()}
	if err := r.guard(r.open); err != nil {
		return nil, durable.Join(err, file.Close())
	}
	return r, nil
}

func (r *Reader) open() (err error) {
	if r.structure, err = readStructure(r.file, r.size); err != nil {
		return err
	}
	if r.arrow, err = r.newSource(); err != nil {
		return fromArrow(err)
	}
	// The labels of a column are known only after the first batch has been read.
	if len(r.structure.ends) > 0 {
		if err := r.load(); err != nil {
			return err
		}
	}
	r.schema = r.readSchema()
	r.batchRows = r.schema.batchRows()
	return nil
}

// guard runs an action that calls Arrow, adds the name of the file to the error of the action, and turns a
// panic into an error. Although the structure of the file has been checked, wrong values can make Arrow
// panic.
func (r *Reader) guard(action func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = damaged("%s", Printable(fmt.Sprint(cause)))
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", r.path, err)
		}
	}()
	return action()
}

// load reads the next batch of the file, which becomes the current batch.
func (r *Reader) load() (err error) {
	if err := r.structure.verify(r.next); err != nil {
		return err
	}
	r.record, err = r.arrow.RecordAt(r.next)
	r.next++
	r.taken = 0
	return fromArrow(err)
}

// fromArrow returns an error whose text is that of err, an error of Arrow, on one line, whatever text the
// file contains.
func fromArrow(err error) error {
	if err == nil {
		return nil
	}
	var failure *fs.PathError
	if errors.As(err, &failure) {
		return failure
	}
	return fmt.Errorf("cannot be read: %s", Printable(err.Error()))
}

func (r *Reader) readSchema() Schema {
	var schema Schema
	for i, field := range r.arrow.Schema().Fields() {
		schema.Columns = append(schema.Columns, r.readColumn(i, field))
	}
	var library string
	metadata := r.arrow.Schema().Metadata()
	for i, key := range metadata.Keys() {
		if key == pandasKey {
			schema.Attributes = readAttributes(metadata.Values()[i])
			library = writtenBy(metadata.Values()[i])
			continue
		}
		schema.Metadata = append(schema.Metadata, Entry{key, metadata.Values()[i]})
	}
	_, ours := schema.Value(KeyCommand)
	if entries := restored(schema.Attributes); !ours && entries != nil {
		schema.Metadata, ours = append(schema.Metadata, entries...), true
	}
	r.rewritten = ours && (r.structure.copied || library != ownLibrary)
	return schema
}

// Rewritten reports whether the file is a table of package data that another program has written again. A
// rewritten file has no checksums, and its values may not be the values that the metadata describe.
func (r *Reader) Rewritten() bool { return r.rewritten }

// readColumn returns the description of a column, with the kind for the values of the column. Integers with
// nulls become floating-point numbers with NaN, as in pandas.
func (r *Reader) readColumn(i int, field arrow.Field) Column {
	stored, nulls := r.structure.columns[i], r.structure.nulls[i] > 0
	column := Column{Name: field.Name, Unit: value(field, unitKey), Meaning: value(field, meaningKey)}
	switch {
	case stored.encoded && r.structure.dictionaries[stored.dictionary] <= maxLabels:
		column.Kind, column.Labels = Label, r.labels(i)
	case stored.encoded, stored.code == typeText, stored.code == typeLongText:
		column.Kind = Text
	case stored.code == typeBoolean:
		column.Kind, column.Labels = Label, []string{"false", "true"}
	case stored.isList():
		shape := r.shape(i, stored)
		column.Kind, column.Length = Vector, product(shape)
		if len(shape) > 1 {
			column.Shape = shape
		}
	case stored.code == typeFloating, nulls:
		column.Kind, column.Nullable = Float64, field.Nullable || nulls
	case stored.bits < 32, stored.bits == 32 && stored.signed:
		column.Kind = Int32
	default:
		column.Kind = Int64
	}
	return column
}

// shape returns the number of items of the lists of a column, and of the lists inside these lists, in the
// first row. Without a first row, lists of any size count as lists of one item.
func (r *Reader) shape(column int, stored storage) (shape []int) {
	var values arrow.Array
	if r.record != nil {
		values = r.record.Column(column)
	}
	for s := &stored; s != nil && s.isList(); s = s.items {
		n, first := s.length, int64(0)
		lists, ok := values.(array.ListLike)
		if ok {
			for row := range lists.Len() {
				if lists.IsValid(row) {
					from, to := lists.ValueOffsets(row)
					n, first = int(to-from), from
					break
				}
			}
		}
		shape = append(shape, max(n, 1))
		values = nil
		if ok {
			values = array.NewSlice(lists.ListValues(), min(first, int64(lists.ListValues().Len())),
				int64(lists.ListValues().Len()))
		}
	}
	return shape
}

func product(factors []int) int {
	p := 1
	for _, n := range factors {
		p *= n
	}
	return p
}

func value(field arrow.Field, key string) string {
	if i := field.Metadata.FindKey(key); i >= 0 {
		return field.Metadata.Values()[i]
	}
	return ""
}

// labels returns the labels in the dictionary of a column, or nil if the file has no batch of rows.
func (r *Reader) labels(column int) []string {
	if r.record == nil {
		return nil
	}
	return plainTexts(r.record.Column(column).(*array.Dictionary).Dictionary())
}

// Schema returns the columns and the metadata of the file, without the metadata key "pandas". In files of
// other programs, texts may contain any bytes, also bytes that are not UTF-8.
func (r *Reader) Schema() Schema { return r.schema }

// Rows returns the number of rows in the file.
func (r *Reader) Rows() int64 { return r.structure.rows }

// Next returns the next rows of the file as a table with the reader's schema: at least one row, and at most
// 65,536 rows of about 16 MiB together. After the last row Next returns io.EOF. The table stays valid after
// further calls of Next. Next returns an error if the values are damaged, or cannot be converted without
// loss.
func (r *Reader) Next() (*Table, error) { return r.take(r.batchRows) }

// Parts iterates over the tables that a function such as Next returns, until the function returns io.EOF. Any
// other error is yielded and ends the iteration.
func Parts(next func() (*Table, error)) iter.Seq2[*Table, error] {
	return func(yield func(*Table, error) bool) {
		for {
			part, err := next()
			if err == io.EOF || !yield(part, err) || err != nil {
				return
			}
		}
	}
}

// take returns, like Next, the next rows of the file, but at most the given number of rows.
func (r *Reader) take(rows int) (*Table, error) {
	if r.err != nil {
		return nil, r.err
	}
	var table *Table
	err := r.guard(func() (err error) {
		table, err = r.read(min(rows, r.batchRows))
		return err
	})
	if table == nil && err == nil {
		err = io.EOF
	}
	r.err = err
	return table, err
}

// read returns at most the given number of next rows of the file, or nil after the last row.
func (r *Reader) read(rows int) (*Table, error) {
	for r.record == nil || r.taken == int(r.record.NumRows()) {
		if r.next >= len(r.structure.ends) {
			return nil, nil
		}
		if err := r.load(); err != nil {
			return nil, err
		}
	}
	from, to := r.taken, min(r.taken+rows, int(r.record.NumRows()))
	table := &Table{Schema: r.schema, Columns: make([]Values, len(r.schema.Columns))}
	for i, column := range r.schema.Columns {
		values, err := column.decode(array.NewSlice(r.record.Column(i), int64(from), int64(to)))
		if err != nil {
			return nil, err
		}
		table.Columns[i] = values
	}
	r.taken = to
	return table, nil
}

// Close closes the file. Tables that Next returned stay valid.
func (r *Reader) Close() error { return r.file.Close() }
