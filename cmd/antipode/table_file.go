package main

import "antipode/data"

// tableFile is the file of a table that stays in memory until it is complete. The zero value writes nothing.
type tableFile struct{ writer *data.Writer }

// createTable begins the file, or no file if the path is empty. It is called before the work, so that a bad
// name is found at once.
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

// save writes the table and completes the file.
func (f tableFile) save(table *data.Table) error {
	if f.writer == nil {
		return nil
	}
	if err := f.writer.Write(table.Columns...); err != nil {
		return err
	}
	return f.writer.Close()
}

// abort removes an unfinished file; after save it has no effect.
func (f tableFile) abort() error {
	if f.writer == nil {
		return nil
	}
	return f.writer.Abort()
}
