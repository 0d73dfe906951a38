// Package namedfile handles files that a parameter names. The text of such a parameter includes the checksum
// of the file's content, so that metadata record which content was used.
package namedfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Mark separates the name of a file from the checksum of its content.
const Mark = "#sha256:"

// Split splits the text of a parameter into the name of a file and the checksum of its content. The checksum
// is "" if the text has none.
func Split(text string) (file, sum string) {
	if at := strings.LastIndex(text, Mark); at >= 0 {
		return text[:at], text[at+len(Mark):]
	}
	return text, ""
}

// Name returns the name of a file in the text of a parameter, without the checksum, as the user writes it.
func Name(text string) string {
	file, _ := Split(text)
	return file
}

// Compare returns an error if the checksum got of a file differs from the expected checksum want. If want is
// "", every checksum is accepted.
func Compare(want, got string) error {
	if want != "" && want != got {
		return fmt.Errorf("the numbers in the file have changed: their SHA-256 is %s, not %s", got, want)
	}
	return nil
}

// MustBeRegular returns an error unless the path is that of a regular file, which can be read to its end.
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

// Read returns the content of a file of at most the given number of bytes, or the error tooLarge.
func Read(path string, most int64, tooLarge error) ([]byte, error) {
	if err := MustBeRegular(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(content)) > most {
		err = tooLarge
	}
	return content, err
}

// WithoutPath returns an error of the file system without its path, because the message around it names the
// file.
func WithoutPath(err error) error {
	var inPath *fs.PathError
	if errors.As(err, &inPath) {
		return inPath.Err
	}
	return err
}
