package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"antipode/cmd/antipode/interruption"
	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// export is the file of a table in a format other than Arrow. The table is first written in the Arrow format
// to a hidden file in the same folder. The report and the figure are made from the hidden file, which is
// converted to the other format at the end.
type export struct {
	path   string
	file   *durable.Replacement
	format exportFormat
	done   bool
}

// exportFormat is a format of tables other than Arrow.
type exportFormat struct {
	ending string
	write  func(r *data.Reader, w io.Writer) error
	// whole reports whether a file is the complete table of the schema. For a format without metadata, whole
	// is nil.
	whole func(path string, schema data.Schema) (bool, error)
}

var exportFormats = []exportFormat{
	{".parquet", (*data.Reader).WriteParquet, data.IsWholeParquet},
	{".csv", func(r *data.Reader, w io.Writer) error { return r.WriteCSV(w, -1) }, nil},
}

// isWhole reports whether the file at path is already the complete table. If the file is the table of another
// run, isWhole returns an error, unless unfinished work of the new run exists, whose table is to replace the
// file.
func (f exportFormat) isWhole(path string, schema data.Schema) (whole bool, err error) {
	if _, missing := os.Stat(path); missing != nil {
		return false, nil
	}
	if f.whole != nil {
		whole, err = f.whole(path, schema)
		err = otherRun(schema, err)
	} else {
		err = usagef("--resume: %s does not say which run it is of%s", path, orRestart)
	}
	if _, none := os.Stat(partialName(path)); errors.As(err, new(usageError)) && none == nil {
		err = nil
	}
	return whole, err
}

// beginExport begins the file that --out names, if the file has a format other than Arrow. beginExport then
// sets d.out to the hidden file. If the run is resumed and the file is already complete, beginExport only
// sets d.whole. A hidden file is there if an earlier run has ended before its table was converted, or before
// the hidden file was removed. Without consent beginExport does not let a run replace it.
func (d *destination) beginExport(schema data.Schema) (err error) {
	for _, format := range exportFormats {
		if !strings.EqualFold(filepath.Ext(d.out), format.ending) {
			continue
		}
		if _, isShard := schema.Value(run.KeyShard); isShard {
			return usagef("--out %s: antipode merge reads shards in Arrow's form; must end in %s",
				wording.Quoted(d.out), tableExtensions[0])
		}
		hidden := filepath.Join(filepath.Dir(d.out), "."+filepath.Base(d.out)+tableExtensions[0])
		_, missing := os.Stat(hidden)
		switch unconverted := d.keeps && missing == nil; {
		case unconverted && d.past.given() == "":
			return usagef("--out %s: %s has the whole table of an earlier run, which may already be "+
				"converted; must be used with --resume, to convert it, or --restart, to replace it",
				wording.Quoted(d.out), hidden)
		case !unconverted && d.past.resume:
			if d.whole, err = format.isWhole(d.out, schema); err != nil || d.whole {
				return err
			}
		}
		file, err := durable.NewReplacement(d.out)
		if err != nil {
			return fileProblem("out", d.out, err)
		}
		d.export = &export{path: d.out, file: file, format: format}
		d.out = hidden
	}
	return nil
}

// tableName returns the name of the file of the table, as messages should show it.
func (d *destination) tableName() string {
	if d.export != nil {
		return d.export.path
	}
	return d.out
}

// exportTable converts the complete table to the format of the file that --out names, if this format is not
// Arrow. If the context ends before, the error is an interruption.Error.
func (d *destination) exportTable(ctx context.Context) error {
	if d.export == nil {
		return nil
	}
	reader, err := data.Open(d.out)
	if err != nil {
		return err
	}
	err = cmp.Or(d.export.format.write(reader, endingWriter{ctx, d.export.file}), reader.Close())
	if err == nil {
		err = d.export.file.Commit()
	}
	if err == nil {
		d.export.done = true
		return nil
	}
	if interruption.EndedBy(ctx, err) {
		return interruption.Error{Remains: d.remains()}
	}
	return fmt.Errorf("write %s: %w; %s", d.export.path, err, d.remains())
}

// remains says which file has the complete table, and how the table is converted if it still must be.
func (d *destination) remains() string {
	switch {
	case d.export == nil || d.export.done:
		return d.tableName() + " is whole"
	case d.keeps:
		return d.out + " has the whole table, and the same command with --resume converts it"
	}
	return d.out + " has the whole table"
}

// endingWriter is a writer that returns an error once its context has ended.
type endingWriter struct {
	ctx context.Context
	io.Writer
}

// Write implements io.Writer.
func (w endingWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Writer.Write(p)
}

// endExport removes the files that are no longer needed after a table was converted from Arrow to another
// format. A hidden file that could not be converted stays. If a converted hidden file cannot be removed,
// beginExport refuses the next run, and with consent that run removes the file.
func (d *destination) endExport() {
	if d.export == nil {
		return
	}
	d.export.file.Abort() // Abort has no effect after Commit
	if d.export.done {
		durable.Remove(d.out)
	}
}
