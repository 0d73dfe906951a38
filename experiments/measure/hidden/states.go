// Package hidden reads the hidden states of a Transformer from files: NumPy's .npy and .npz, and Arrow files
// written by any program. Memory is bounded by the size of one sequence in one layer, not by the size of the
// file. A changed bit in a .npz, or in a table written by antipode, makes Open fail. The format .npy has no
// checksum, so that a changed bit in a .npy goes unnoticed.
//
//	states, err := hidden.Open(path) // layers × sequences × tokens × d
//	if err != nil {
//		return err
//	}
//	defer states.Close()
//	x := make([]float64, states.Tokens*states.Dim)
//	err = states.Reader().Read(0, 1, x) // layer, sequence
package hidden

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"antipode/experiments/measure/arrays"
	"antipode/internal/lists"
)

// Extensions are the extensions of the files from which hidden states can be read.
var Extensions = []string{".npy", ".npz", ".arrow", ".feather"}

// Bounds of hidden states: the dimension of a token, and the number of tokens of a sequence. The number of
// tokens is bounded because all pairs of tokens are compared.
const (
	MostDim    = 1 << 20
	MostTokens = 8192
)

// States are the hidden states of a Transformer: for each layer and sequence, a number of tokens of dimension
// d. A token whose entries are all 0 is missing.
type States struct {
	Layers, Sequences, Tokens, Dim int

	arrays []arrays.Array // a single array, or one for each layer
	files  []io.Closer
}

// Open opens the file of hidden states at path. The error is a single line that says what is wrong and what
// is expected.
func Open(path string) (*States, error) {
	err := arrays.CheckRegular(path)
	if err != nil {
		return nil, err
	}
	s := &States{}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".npy", ".npz":
		err = s.openArrays(path)
	default:
		err = s.openTable(path)
	}
	if err == nil {
		err = s.arrange()
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// openArrays opens a file of NumPy with hidden states.
func (s *States) openArrays(path string) error {
	file, err := arrays.Open(path, arrays.Floats)
	if err == nil {
		s.arrays, s.files = file.Arrays, append(s.files, file)
	}
	return err
}

// arrange determines the numbers of layers, sequences, tokens and dimensions from the shapes of the arrays. A
// file has one array for each layer, or a single array of layers × tokens × d or layers × sequences × tokens
// × d.
func (s *States) arrange() error {
	shape := s.arrays[0].Shape
	for _, a := range s.arrays[1:] {
		if fmt.Sprint(a.Shape) != fmt.Sprint(shape) {
			return fmt.Errorf("has arrays of the shapes %s and %s, which must be the same", inWords(shape),
				inWords(a.Shape))
		}
	}
	s.Layers = len(s.arrays)
	if len(s.arrays) == 1 && len(shape) > 2 {
		s.Layers, shape = shape[0], shape[1:]
	}
	if len(s.arrays) == 1 && len(s.arrays[0].Shape) < 3 {
		shape = nil
	}
	switch len(shape) {
	case 2:
		s.Sequences, s.Tokens, s.Dim = 1, shape[0], shape[1]
	case 3:
		s.Sequences, s.Tokens, s.Dim = shape[0], shape[1], shape[2]
	default:
		return fmt.Errorf("has the shape %s; must be layers × tokens × d or layers × sequences × tokens × d",
			inWords(s.arrays[0].Shape))
	}
	switch {
	case s.Layers < 1 || s.Sequences < 1 || s.Tokens < 1 || s.Dim < 1:
		return fmt.Errorf("has the shape %s and no numbers", inWords(s.arrays[0].Shape))
	case s.Tokens > MostTokens || s.Dim > MostDim:
		return fmt.Errorf("has %d tokens of dimension %d a sequence; must be at most %d of %d", s.Tokens,
			s.Dim, MostTokens, MostDim)
	case float64(s.Layers)*float64(s.Sequences) > math.MaxInt32:
		return fmt.Errorf("has %d layers and %d sequences; must be at most %d together", s.Layers,
			s.Sequences, math.MaxInt32)
	}
	return nil
}

func inWords(shape []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", " × ")
}

// Reader reads hidden states in a single goroutine. Several Readers of the same States may run concurrently.
type Reader struct {
	states *States
	bytes  []byte
}

// Reader returns a new Reader of the hidden states.
func (s *States) Reader() *Reader { return &Reader{states: s} }

// Read reads the tokens of a sequence in a layer, both counted from 0, into x (tokens × d).
func (r *Reader) Read(layer, sequence int, x []float64) error {
	s := r.states
	a, at := s.arrays[0], int64(layer)*int64(s.Sequences)+int64(sequence)
	if len(s.arrays) > 1 {
		a, at = s.arrays[layer], int64(sequence)
	}
	return a.Read(x, at*int64(len(x)), &r.bytes)
}

// Close closes the files of the hidden states.
func (s *States) Close() error {
	errs := lists.Map(s.files, io.Closer.Close)
	return errors.Join(errs...)
}
