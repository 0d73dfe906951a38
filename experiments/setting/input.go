package setting

import (
	"sync"
	"sync/atomic"

	"antipode/experiments/internal/namedfile"
)

// input is a file that a setting names. The file is read once, when its contents are first needed. A user's
// setting needs the contents immediately, so that an invalid file is refused. The setting of a table needs
// them only if the experiment is run again, because reports and figures do not need the file. Copies of a
// setting share the input.
type input[T any] struct {
	name, sum string // sum is "" before the file has been read, unless it is given in metadata
	once      sync.Once
	known     atomic.Bool // whether it has been read
	contents  T
	err       error
}

// newInput returns the file that a text names, with the required checksum of its contents, if any.
func newInput[T any](text string) *input[T] {
	name, sum := namedfile.Split(text)
	return &input[T]{name: name, sum: sum}
}

// get reads the file on the first call, and returns its contents. An error is an error of read or says that
// the checksum differs.
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

// text returns the name of the file, with the checksum of its contents if that is known.
func (f *input[T]) text() string {
	if f.sum == "" {
		return f.name
	}
	return f.name + namedfile.Mark + f.sum
}
