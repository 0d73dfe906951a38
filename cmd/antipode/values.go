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

// wholeValue is the value of a flag that is a whole number from low to high. A number below low, which stands
// for a flag that is not given, has no text.
type wholeValue[T int | int64] struct {
	field     *T
	low, high int64
	ofLow     string // what low stands for, as a text that follows it; "" for itself
}

func (v wholeValue[T]) Set(text string) error {
	n, err := parameter.ParseWithin(text, v.low, v.high)
	if err != nil {
		return parameter.MustBe(v)
	}
	*v.field = T(n)
	return nil
}
func (v wholeValue[T]) String() string {
	if int64(*v.field) < v.low {
		return ""
	}
	return strconv.FormatInt(int64(*v.field), 10)
}
func (v wholeValue[T]) Allowed() string {
	return fmt.Sprintf("a whole number from %d%s to %d", v.low, v.ofLow, v.high)
}
func (v wholeValue[T]) Placeholder() string { return "COUNT" }
func (v wholeValue[T]) Check() error        { return nil }

// workersValue returns the value of the flag --workers: a number of goroutines, where 0 stands for one per
// processor.
func workersValue(field *int) parameter.Value {
	return wholeValue[int]{field: field, high: 1024, ofLow: " (all cores)"}
}

// textValue is the value of a flag that is a text for which accepts returns true.
type textValue struct {
	field                *string
	accepts              func(text string) bool
	allowed, placeholder string // which texts are accepted, and what stands for them in help
}

func (v textValue) Set(text string) error {
	if !v.accepts(text) {
		return parameter.MustBe(v)
	}
	*v.field = text
	return nil
}
func (v textValue) String() string      { return *v.field }
func (v textValue) Allowed() string     { return v.allowed }
func (v textValue) Placeholder() string { return v.placeholder }
func (v textValue) Check() error        { return nil }

// textChoice returns the value of a flag that is one of several texts.
func textChoice(field *string, names []string) parameter.Value {
	accepts := func(text string) bool { return slices.Contains(names, text) }
	return textValue{field, accepts, "one of " + strings.Join(names, ", "), "NAME"}
}

// fileName is the placeholder of the values that are names of files to write.
const fileName = "FILE"

// pathValue returns the value of a flag that names a file to write, with one of several extensions.
func pathValue(field *string, extensions []string) textValue {
	accepts := func(text string) bool {
		return slices.Contains(extensions, strings.ToLower(filepath.Ext(text))) &&
			!strings.ContainsRune(text, 0)
	}
	allowed := "a file name that ends in " + parameter.Choice{Names: extensions}.Allowed()
	return textValue{field, accepts, allowed, fileName}
}

// folderValue returns the value of a flag that names a folder to which files are written. The folder need not
// exist.
func folderValue(field *string) parameter.Value {
	accepts := func(text string) bool {
		there, err := os.Stat(text)
		return text != "" && (errors.Is(err, fs.ErrNotExist) || err == nil && there.IsDir())
	}
	return textValue{field, accepts, "the name of a folder, which is created if needed", "FOLDER"}
}

// standardOutput is the name that stands for standard output.
const standardOutput = "-"

// streamValue returns the value of a flag that names the file of a table, or standard output by "-".
func streamValue(field *string) parameter.Value {
	v := pathValue(field, tableExtensions)
	namesTable := v.accepts
	v.accepts = func(text string) bool { return text == standardOutput || namesTable(text) }
	v.allowed += ", or " + standardOutput + " for standard output"
	return v
}
