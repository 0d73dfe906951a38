package main

import "antipode/data"

// tableFile is the file of a table that is in memory until all of it is known. The zero value
// writes nothing.
type tableFile struct{ writer *data.Writer }

// createTable begins the file, or none if the path is empty, before the work, so that a bad name
// costs nothing.
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

// save writes the table and gives the file its name.
func (f tableFile) save(table *data.Table) error {
	if f.writer == nil {
		return nil
	}
	if err := f.writer.Write(table.Columns...); err != nil {
		return err
	}
	return f.writer.Close()
}

// abort removes an unfinished file; after save there is nothing to remove.
func (f tableFile) abort() error {
	if f.writer == nil {
		return nil
	}
	return f.writer.Abort()
}
