package measure

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/measure/hidden"
	"antipode/experiments/parameter"
)

// fileValue is the name of a file with the checksum of its bytes, which say what was measured.
type fileValue struct {
	field      *string
	extensions []string
	absent     string // what stands for none; "" if there must be one
	check      func(path string) error
}

func (v fileValue) Set(text string) error {
	if text == v.absent && text != "" {
		*v.field = text
		return nil
	}
	text, want := namedfile.Split(text)
	if !slices.Contains(v.extensions, strings.ToLower(filepath.Ext(text))) || strings.ContainsRune(text, 0) {
		return parameter.MustBe(v)
	}
	if err := namedfile.MustBeRegular(text); err != nil {
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	}
	if err := v.check(text); err != nil {
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	}
	sum, err := checksum(text)
	if err == nil {
		err = namedfile.Compare(want, sum)
	}
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

// Check does not look at the file, which a figure does not need.
func (v fileValue) Check() error {
	if *v.field == v.absent && v.absent != "" {
		return nil
	}
	name := namedfile.Name(*v.field)
	return parameter.CheckThat(slices.Contains(v.extensions, strings.ToLower(filepath.Ext(name))), v)
}

// checksum is the SHA-256 of a file.
func checksum(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// checkStates opens hidden states and closes them again.
func checkStates(path string) error {
	states, err := hidden.Open(path)
	if err != nil {
		return err
	}
	return states.Close()
}
