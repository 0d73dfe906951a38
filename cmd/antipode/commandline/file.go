package commandline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"antipode/experiments/wording"
)

// longestArguments is the largest size of a file of arguments, in bytes.
const longestArguments = 64 << 20

// WithFile returns the words of a command line, with a word @FILE after the name of the command replaced by
// the arguments in this file. A file of arguments is a JSON list of strings. Files of arguments are useful
// because operating systems limit the length of a command line: Linux to 128 KiB per argument, Windows to 32
// KiB in all. An error of WithFile is one line that names the file.
func WithFile(arguments []string) ([]string, error) {
	if len(arguments) < 3 || !strings.HasPrefix(arguments[2], "@") {
		return arguments, nil
	}
	read, err := readArgumentsFile(arguments[2][1:])
	if err != nil {
		return nil, fmt.Errorf("%s: %v", wording.Quoted(arguments[2]), err)
	}
	all := append([]string{}, arguments[:2]...)
	return append(append(all, read...), arguments[3:]...), nil
}

// readArgumentsFile returns the arguments of a command line that a file contains as a JSON list of strings.
func readArgumentsFile(path string) ([]string, error) {
	text, err := readWhole(path)
	if err != nil { // the error of a file is a *fs.PathError, whose path the message has already
		return nil, fmt.Errorf("%w; must be a file with the arguments", errors.Unwrap(err))
	}
	if len(text) > longestArguments {
		return nil, fmt.Errorf("is longer than %d bytes", longestArguments)
	}
	var all []string
	if json.Unmarshal(text, &all) != nil || all == nil {
		return nil, fmt.Errorf(`is no file of arguments; must be a JSON list of texts, as ["--dim","4"]`)
	}
	return all, nil
}

// readWhole reads a file, but at most one byte more than the largest allowed size of a file of arguments.
func readWhole(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, longestArguments+1))
}
