package setting

import (
	"sync"
	"sync/atomic"

	"antipode/experiments/internal/namedfile"
)

// input is a file that a setting names. It is read once, by whoever needs its contents first: a person's
// setting at once, so that a wrong file is refused; the setting of a table when it is run again, as reports
// and figures do not need the file. Copies of a setting share the input.
type input[T any] struct {
	name, sum string // sum is "" before the file has been read, unless metadata have it
	once      sync.Once
	known     atomic.Bool // that it has been read
	contents  T
	err       error
}

// newInput is the file that a text names, with the checksum that its contents must have, if any.
func newInput[T any](text string) *input[T] {
	name, sum := namedfile.Split(text)
	return &input[T]{name: name, sum: sum}
}

// get reads the file, or returns what has been read. An error is what read or the checksum says.
func (f *input[T]) get(read func(path string) (contents T, checksum string, err error)) (T, error) {
	f.once.Do(func() {
		var sum string
		if f.contents, sum, f.err = read(f.name); f.err == nil {
			f.err = namedfile.Compare(f.sum, sum)
			f.sum = sum
		}
		f.known.Store(true)
	})
	return f.contents, f.err
}

// text is the name of the file, with the checksum of its contents if that is known.
func (f *input[T]) text() string {
	if f.sum == "" {
		return f.name
	}
	return f.name + namedfile.Mark + f.sum
}
