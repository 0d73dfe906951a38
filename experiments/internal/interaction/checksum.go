package interaction

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Where a parameter names a file, the checksum of its numbers is part of the text,
// so that metadata say what was computed. It follows the name and this mark.
const ChecksumMark = "#sha256:"

// SplitChecksum splits such a text; the checksum is "" if there is none.
func SplitChecksum(text string) (file, sum string) {
	if at := strings.LastIndex(text, ChecksumMark); at >= 0 {
		return text[:at], text[at+len(ChecksumMark):]
	}
	return text, ""
}

// WithoutChecksum is the text as a person writes it.
func WithoutChecksum(text string) string {
	file, _ := SplitChecksum(text)
	return file
}

// CompareChecksum refuses a checksum other than the one that is wanted, "" for any.
func CompareChecksum(want, got string) error {
	if want != "" && want != got {
		return fmt.Errorf("the numbers in the file have changed: their SHA-256 is %s, not %s", got, want)
	}
	return nil
}

// MustBeRegular refuses what cannot be read to its end.
func MustBeRegular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return withoutPath(err)
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	return nil
}

// withoutPath is an error of the file system without the path, which the message
// around it names.
func withoutPath(err error) error {
	var inPath *fs.PathError
	if errors.As(err, &inPath) {
		return inPath.Err
	}
	return err
}
