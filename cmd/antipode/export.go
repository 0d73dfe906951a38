package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"antipode/data"
	"antipode/data/durable"
)

// export is a table's file of another form than Arrow's. The table is written as Arrow to a hidden file
// beside it, from which text and figure are made as well, and gets its form at the end.
type export struct {
	path   string
	file   *durable.Replacement
	format exportFormat
	done   bool
}

// exportFormat is one of these forms.
type exportFormat struct {
	ending string
	write  func(r *data.Reader, w io.Writer) error
	// whole reports whether a file is the table of the schema; nil if a file does not say what it is.
	whole func(path string, schema data.Schema) (bool, error)
}

var exportFormats = []exportFormat{
	{".parquet", (*data.Reader).WriteParquet, data.IsWholeParquet},
	{".csv", func(r *data.Reader, w io.Writer) error { return r.WriteCSV(w, -1) }, nil},
}

// beginExport begins the file that --out names if it has another form than Arrow's. The table's file is
// the hidden one from then on. There is nothing to do where the run is resumed and the file is whole.
func (r *runner) beginExport(schema data.Schema) (whole bool, err error) {
	for _, format := range exportFormats {
		if !strings.EqualFold(filepath.Ext(r.out), format.ending) {
			continue
		}
		if r.options.Part.Of > 0 {
			return false, usagef("--out %s: antipode merge reads shards in Arrow's form; must end in %s",
				quoteIfNeeded(r.out),
				tableExtensions[0])
		}
		if _, err := os.Stat(r.out); r.past.resume && err == nil {
			if format.whole == nil {
				return false, usagef("--resume: %s does not say which run it is of; "+
					"must be with --out of another name", r.out)
			}
			if r.whole, err = format.whole(r.out, schema); err != nil || r.whole {
				return r.whole, err
			}
		}
		file, err := durable.NewReplacement(r.out)
		if err != nil {
			return false, fileProblem("out", r.out, err)
		}
		r.export = &export{path: r.out, file: file, format: format}
		r.out = filepath.Join(filepath.Dir(r.out), "."+filepath.Base(r.out)+tableExtensions[0])
	}
	return false, nil
}

// tableName is the name of the table's file for people.
func (r *runner) tableName() string {
	if r.export != nil {
		return r.export.path
	}
	return r.out
}

// exportTable gives the whole table its form.
func (r *runner) exportTable() error {
	if r.export == nil {
		return nil
	}
	reader, err := data.Open(r.out)
	if err != nil {
		return err
	}
	err = r.export.format.write(reader, r.export.file)
	if closeErr := reader.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = r.export.file.Commit()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w; --resume tries it again", r.export.path, err)
	}
	r.export.done = true
	return nil
}

// endExport removes what is not needed any more. The hidden file stays where it could not get its form.
func (r *runner) endExport() {
	if r.export == nil {
		return
	}
	r.export.file.Abort() // after Commit there is nothing to remove
	if r.export.done {
		os.Remove(r.out)
	}
}
