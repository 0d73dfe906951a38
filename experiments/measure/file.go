package measure

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/measure/arrays"
	"antipode/experiments/measure/hidden"
	"antipode/experiments/parameter"
	"antipode/internal/lists"
)

// fileValue is a parameter value: the name of a file with the checksum of its bytes, which identifies what
// was measured.
type fileValue struct {
	field      *string
	extensions []string
	absent     string // text for no file; "" if a file is required
	check      func(path string) error
}

func (v fileValue) Set(text string) error {
	if text == v.absent && text != "" {
		*v.field = text
		return nil
	}
	text, want := namedfile.Split(text)
	named := arrays.HasExtension(text, v.extensions...)
	switch err := namedfile.MustBeRegular(text); {
	case text == "" || err == nil && !named:
		return parameter.MustBe(v)
	case named && errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil:
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	}
	if err := v.check(text); err != nil {
		return err // the name is valid, but not the content
	}
	sum, err := checksum(text, want)
	if err != nil {
		return err
	}
	*v.field = text + namedfile.Mark + sum
	return nil
}
func (v fileValue) NamesFile(text string) (name string, is bool) {
	return namedfile.Name(text), text != v.absent
}
func (v fileValue) String() string { return *v.field }
func (v fileValue) Allowed() string {
	file := "a file name that ends in " + parameter.Choice{Names: v.extensions}.Allowed()
	if v.absent != "" {
		return v.absent + " or " + file
	}
	return file
}
func (v fileValue) Placeholder() string { return "STATES" }

// Check accepts a valid name and does not read the file, because a figure can be drawn without the file.
func (v fileValue) Check() error {
	if v.absent != "" && (*v.field == v.absent || *v.field == "") {
		return nil
	}
	return parameter.CheckThat(arrays.HasExtension(namedfile.Name(*v.field), v.extensions...), v)
}

// checksum returns the SHA-256 of a file. For an index of several files, the result is the SHA-256 of the
// index followed by the files that the index names. A checksum other than want is an error, unless want is
// "".
func checksum(path, want string) (string, error) {
	paths, err := arrays.Paths(path)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, path := range paths {
		if err := addFile(hash, path); err != nil {
			return "", err
		}
	}
	sum := hex.EncodeToString(hash.Sum(nil))
	return sum, namedfile.Compare(want, sum)
}

func addFile(to io.Writer, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(to, file)
	return err
}

// checkStates returns an error if a file of hidden states cannot be opened.
func checkStates(path string) error {
	states, err := hidden.Open(path)
	if err != nil {
		return err
	}
	return states.Close()
}

// mostFiles is the greatest number of further files that can be compared with the first file. The number
// mostFiles is one less than the number of labels of a column, because the first file has a label too.
const mostFiles = 126

// filesValue is a parameter value: a list of the names of further files, separated by commas. The names must
// differ from each other and from the first file.
type filesValue struct{ of *Experiment }

func (v filesValue) Set(text string) error {
	if text == none {
		v.of.Compare = nil
		return nil
	}
	var files []string
	for _, name := range strings.Split(text, ",") {
		var file string
		if err := statesValue(&file).Set(name); err != nil {
			return err
		}
		files = append(files, file)
	}
	before := v.of.Compare
	v.of.Compare = files
	if err := v.Check(); err != nil {
		v.of.Compare = before
		return err
	}
	return nil
}
func (v filesValue) NamesFile(text string) (name string, is bool) {
	return strings.Join(lists.Map(strings.Split(text, ","), namedfile.Name), ","), text != none
}

// Absent implements parameter.Optional.
func (v filesValue) Absent() string { return none }
func (v filesValue) String() string {
	if len(v.of.Compare) == 0 {
		return none
	}
	return strings.Join(v.of.Compare, ",")
}
func (v filesValue) Allowed() string {
	return none + " or file names that end in " + parameter.Choice{Names: hidden.Extensions}.Allowed() +
		", all different, separated by commas"
}
func (v filesValue) Placeholder() string { return "FILES" }

// Check does not read the files, because a figure can be drawn without them.
func (v filesValue) Check() error {
	names := lists.Map(append([]string{v.of.File}, v.of.Compare...), namedfile.Name)
	slices.Sort(names)
	if len(v.of.Compare) > mostFiles || len(slices.Compact(names)) <= len(v.of.Compare) {
		return parameter.MustBe(v)
	}
	for k := range v.of.Compare {
		if err := statesValue(&v.of.Compare[k]).Check(); err != nil {
			return err
		}
	}
	return nil
}

// statesValue returns the parameter value that is a file of hidden states.
func statesValue(field *string) fileValue {
	return fileValue{field: field, extensions: hidden.Extensions, check: checkStates}
}

// statesOrWeights returns the parameter value of the first file of hidden states, which may be absent if
// weights are given.
func (m *Experiment) statesOrWeights() fileValue {
	v := statesValue(&m.File)
	if m.weighs() {
		v.absent = none
	}
	return v
}
