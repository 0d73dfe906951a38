package main

import "antipode/data"

// tableFile is the file of a table that stays in memory until it is complete. The zero value of tableFile
// writes nothing.
type tableFile struct{ writer *data.Writer }

// createTable begins the file of a table, or no file if the path is empty. createTable must be called before
// the work of a run, so that a bad file name is found at once.
func createTable(path string, schema data.Schema) (tableFile, error) {
	if path == "" {
		return tableFile{}, nil
	}
	writer, err := data.Create(path, schema)
	if err != nil {
		return tableFile{}, fileProblem("out", path, err)
	}
	return tableFile{writer}, nil
}

// save writes the table to its file and completes the file.
func (f tableFile) save(table *data.Table) error {
	if f.writer == nil {
		return nil
	}
	if err := f.writer.Write(table.Columns...); err != nil {
		return err
	}
	return f.writer.Close()
}

// abort removes the unfinished file of a table; after save, abort has no effect.
func (f tableFile) abort() error {
	if f.writer == nil {
		return nil
	}
	return f.writer.Abort()
}
