// Package namedfile has files that a parameter names. The checksum of a file's numbers is part of the
// parameter's text, so that metadata say what was computed.
package namedfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Mark stands between the name of a file and the checksum of its numbers.
const Mark = "#sha256:"

// Split splits such a text; the checksum is "" if there is none.
func Split(text string) (file, sum string) {
	if at := strings.LastIndex(text, Mark); at >= 0 {
		return text[:at], text[at+len(Mark):]
	}
	return text, ""
}

// Name is the text as a person writes it.
func Name(text string) string {
	file, _ := Split(text)
	return file
}

// Compare refuses a checksum other than the one that is wanted, "" for any.
func Compare(want, got string) error {
	if want != "" && want != got {
		return fmt.Errorf("the numbers in the file have changed: their SHA-256 is %s, not %s", got, want)
	}
	return nil
}

// MustBeRegular refuses what cannot be read to its end.
func MustBeRegular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return WithoutPath(err)
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	return nil
}

// WithoutPath is an error of the file system without the path, which the message
// around it names.
func WithoutPath(err error) error {
	var inPath *fs.PathError
	if errors.As(err, &inPath) {
		return inPath.Err
	}
	return err
}
