package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"antipode/experiments/parameter"
)

// workersValue is the value of the flag --workers: a number of goroutines, where 0 stands for one per
// processor.
type workersValue struct{ field *int }

const mostWorkers = 1024

func (v workersValue) Set(text string) error {
	n, err := parameter.ParseWithin(text, 0, mostWorkers)
	if err != nil {
		return parameter.MustBe(v)
	}
	*v.field = int(n)
	return nil
}
func (v workersValue) String() string { return strconv.Itoa(*v.field) }
func (v workersValue) Allowed() string {
	return fmt.Sprintf("a whole number from 0 (all cores) to %d", mostWorkers)
}
func (v workersValue) Placeholder() string { return "COUNT" }
func (v workersValue) Check() error        { return nil }

// pathValue is the value of a flag that names a file to write, with one of several extensions.
type pathValue struct {
	field      *string
	extensions []string
}

func (v pathValue) Set(text string) error {
	if !slices.Contains(v.extensions, strings.ToLower(filepath.Ext(text))) || strings.ContainsRune(text, 0) {
		return parameter.MustBe(v)
	}
	*v.field = text
	return nil
}
func (v pathValue) String() string { return *v.field }
func (v pathValue) Allowed() string {
	return "a file name that ends in " + parameter.Choice{Names: v.extensions}.Allowed()
}
func (v pathValue) Placeholder() string { return "FILE" }
func (v pathValue) Check() error        { return nil }

// folderValue is the value of a flag that names a folder to which files are written. The folder need not
// exist.
type folderValue struct{ field *string }

func (v folderValue) Set(text string) error {
	there, err := os.Stat(text)
	if text == "" || err != nil && !errors.Is(err, fs.ErrNotExist) || err == nil && !there.IsDir() {
		return parameter.MustBe(v)
	}
	*v.field = text
	return nil
}
func (v folderValue) String() string      { return *v.field }
func (v folderValue) Allowed() string     { return "the name of a folder, which is created if needed" }
func (v folderValue) Placeholder() string { return "FOLDER" }
func (v folderValue) Check() error        { return nil }

// standardOutput is the name that stands for standard output.
const standardOutput = "-"

// streamValue is the value of a flag that names the file of a table, or standard output by "-".
type streamValue struct{ pathValue }

func (v streamValue) Set(text string) error {
	if text == standardOutput {
		*v.field = text
		return nil
	}
	if v.pathValue.Set(text) != nil {
		return parameter.MustBe(v)
	}
	return nil
}
func (v streamValue) Allowed() string {
	return v.pathValue.Allowed() + ", or " + standardOutput + " for standard output"
}
