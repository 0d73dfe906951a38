package data

import (
	"errors"
	"io"
	"io/fs"
	"slices"

	"antipode/data/durable"
)

// IsWhole reports whether the file at path is a whole table with the columns and the metadata of the
// schema: all its rows are read, and have their checksums. A file that is missing, damaged, of another
// schema, or not of this package is not whole. The error is one of reading.
func IsWhole(path string, schema Schema) (whole bool, err error) {
	reader, err := Open(path)
	switch {
	case errors.Is(err, errDamaged), errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		var failure *fs.PathError
		if errors.As(err, &failure) {
			return false, err
		}
		return false, nil // no table
	}
	defer func() { err = durable.Join(err, reader.Close()) }()
	if reader.structure.sums == nil || !slices.Equal(reader.schema.Metadata, schema.Metadata) ||
		!slices.EqualFunc(reader.schema.Columns, schema.Columns, sameColumn) {
		return false, nil
	}
	for {
		switch _, err := reader.Next(); {
		case err == io.EOF:
			return true, nil
		case errors.Is(err, errDamaged):
			return false, nil
		case err != nil:
			return false, err
		}
	}
}

// sameColumn compares all but the labels of an empty table, which a file does not have.
func sameColumn(a, b Column) bool {
	return a.Name == b.Name && a.Kind == b.Kind && a.Length == b.Length && a.Unit == b.Unit &&
		a.Meaning == b.Meaning
}
