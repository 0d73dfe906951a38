package data

import (
	"errors"
	"io"
	"io/fs"
	"slices"

	"antipode/data/durable"
)

// OtherRunError says that a file is the table of a run with other metadata.
type OtherRunError struct {
	Path     string
	Metadata []Entry // metadata of the table in the file
}

// Error implements error.
func (e *OtherRunError) Error() string { return e.Path + ": is the table of another run" }

// IsWhole reports whether the file at path is a complete table with the columns and the metadata of the
// schema. IsWhole reads all rows and compares the checksums of the file. A file is not whole if it is
// missing, damaged, not written by package data, or has other columns. IsWhole returns an error if the file
// cannot be read. If the file has other metadata, the error is an *OtherRunError.
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
		return false, nil // path is not a table
	}
	defer func() { err = durable.Join(err, reader.Close()) }()
	if _, ours := reader.schema.Value(KeyCommand); !ours {
		return false, nil
	}
	if !slices.Equal(reader.schema.Metadata, schema.Metadata) {
		return false, &OtherRunError{path, reader.schema.Metadata}
	}
	if reader.structure.sums == nil ||
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

// sameColumn reports whether two columns are equal except for their labels, because a file without batches
// has no labels.
func sameColumn(a, b Column) bool {
	return a.Name == b.Name && a.Kind == b.Kind && a.Length == b.Length && a.Unit == b.Unit &&
		a.Meaning == b.Meaning
}
