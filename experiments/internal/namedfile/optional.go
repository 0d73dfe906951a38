package namedfile

import "fmt"

// None is the text of a parameter that names no file.
const None = "none"

// Optional is a parameter value that names a file or a folder, or is None.
type Optional struct {
	Field  *string
	What   string // what kind of file is named, for example "a file of text"
	Else   string // what None stands for, for example "random words"
	Holder string // placeholder of the name of the file in help
	// Sum reads the file or folder that a text names, possibly with a checksum, and returns the checksum of
	// its content.
	Sum func(text string) (string, error)
}

// Set implements parameter.Value.
func (v Optional) Set(text string) error {
	if text == None {
		*v.Field = None
		return nil
	}
	sum, err := v.Sum(text)
	if err != nil {
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	}
	*v.Field = Name(text) + Mark + sum
	return nil
}

// NamesFile implements parameter.FileNamer.
func (v Optional) NamesFile(text string) (name string, is bool) { return Name(text), text != None }

// String implements parameter.Value.
func (v Optional) String() string { return *v.Field }

// Allowed implements parameter.Value.
func (v Optional) Allowed() string { return fmt.Sprintf("%s, or none for %s", v.What, v.Else) }

// Placeholder implements parameter.Value.
func (v Optional) Placeholder() string { return v.Holder }

// Check accepts every value and does not read the file, because a figure does not need the file.
func (v Optional) Check() error { return nil }
