package arrays

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// mostHeader bounds the memory for the header of a .safetensors file, which has a few hundred bytes for each
// tensor.
const mostHeader = 16 << 20

var errNotTensors = errors.New("is not a .safetensors file")

// tensor is the description of an array in the header of a .safetensors file. The numbers of the array are
// the bytes from the first offset up to the second offset; both offsets are counted from the end of the
// header.
type tensor struct {
	Type    string  `json:"dtype"`
	Shape   []int   `json:"shape"`
	Offsets []int64 `json:"data_offsets"`
}

// The map numbersOf gives NumPy's names for the types of real numbers in a .safetensors file, in
// little-endian order. The map bytesOf gives the size in bytes of a number of any other type.
var (
	numbersOf = map[string]string{"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "bfloat16"}
	bytesOf   = map[string]int{"I64": 8, "U64": 8, "I32": 4, "U32": 4, "I16": 2, "U16": 2, "I8": 1, "U8": 1,
		"BOOL": 1, "F8_E4M3": 1, "F8_E5M2": 1, "F8_E8M0": 1, "C64": 8}
)

// addTensors adds the tensors of a .safetensors file, in the order of their bytes. The file consists of eight
// bytes with the length of the header, the header in JSON, and the numbers. As the format demands, the
// tensors must cover the rest of the file without gaps or overlaps.
func (f *File) addTensors(content io.ReaderAt, size int64) error {
	start := make([]byte, 8)
	if _, err := content.ReadAt(start, 0); err != nil {
		return errNotTensors
	}
	length := binary.LittleEndian.Uint64(start)
	switch {
	case length > uint64(size-8):
		return fmt.Errorf("%w, or is cut short: its header should have %d bytes, and the file has %d",
			errNotTensors, length, size)
	case length > mostHeader:
		return fmt.Errorf("has a header of %d bytes; must be at most %d", length, mostHeader)
	}
	text := make([]byte, length)
	if _, err := content.ReadAt(text, 8); err != nil {
		return err
	}
	tensors, err := readTensors(text)
	if err != nil {
		return err
	}
	return f.place(content, tensors, 8+int64(length), size)
}

// readTensors reads the header of a .safetensors file, in which every name must be unique.
func readTensors(text []byte) (map[string]tensor, error) {
	tensors := map[string]tensor{}
	problem := eachEntry(text, func(name string, decoder *json.Decoder) error {
		var t tensor
		var err error
		if name == "__metadata__" {
			var metadata map[string]string
			err = decoder.Decode(&metadata)
		} else {
			err = decoder.Decode(&t)
		}
		if _, twice := tensors[name]; twice {
			return fmt.Errorf("has two tensors of the name %.60q", name)
		}
		if err != nil {
			return fmt.Errorf("%w: entry %.60q of its header does not describe a tensor", errNotTensors, name)
		}
		if name != "__metadata__" {
			tensors[name] = t
		}
		return nil
	})
	if errors.Is(problem, errNotObject) {
		problem = fmt.Errorf("%w: its header is not JSON", errNotTensors)
	}
	return tensors, problem
}

var errNotObject = errors.New("is not an object of JSON")

// eachEntry calls the function entry with each name of a JSON object, in order. The function entry must
// decode the value of the name.
func eachEntry(text []byte, entry func(name string, decoder *json.Decoder) error) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return errNotObject
	}
	for decoder.More() {
		key, err := decoder.Token()
		name, is := key.(string)
		if err != nil || !is {
			return errNotObject
		}
		if err := entry(name, decoder); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil || len(bytes.TrimSpace(text[decoder.InputOffset():])) > 0 {
		return errNotObject
	}
	return nil
}

// place adds the tensors of a .safetensors file to the arrays. The tensors must fill the bytes from first up
// to size.
func (f *File) place(content io.ReaderAt, tensors map[string]tensor, first, size int64) error {
	var arrays []Array
	for name, t := range tensors {
		format, bytes, err := t.format()
		if err != nil {
			return fmt.Errorf("tensor %.60q: %w", name, err)
		}
		count, ok := product(t.Shape, size)
		if len(t.Offsets) != 2 || t.Shape == nil || !ok || t.Offsets[0] < 0 ||
			t.Offsets[1]-t.Offsets[0] != count*int64(bytes) {
			return fmt.Errorf("tensor %.60q: its bytes %.60s are not those of the shape %.60s", name,
				fmt.Sprint(t.Offsets), fmt.Sprint(t.Shape))
		}
		arrays = append(arrays, Array{name, t.Shape, content, first + t.Offsets[0], format})
	}
	slices.SortFunc(arrays, func(a, b Array) int {
		return cmp.Or(cmp.Compare(a.first, b.first),
			cmp.Compare(tensors[a.Name].Offsets[1], tensors[b.Name].Offsets[1]))
	})
	at := first
	for _, a := range arrays {
		if a.first != at {
			return fmt.Errorf("tensor %.60q begins at byte %d; must be at %d, where the one before ends",
				a.Name, a.first, at)
		}
		at = first + tensors[a.Name].Offsets[1]
	}
	switch {
	case len(arrays) == 0:
		return errors.New("has no tensors")
	case at > size:
		return errors.New("is cut short")
	case at < size:
		return fmt.Errorf("has %d bytes that belong to no tensor", size-at)
	}
	f.Arrays = append(f.Arrays, arrays...)
	return nil
}

// format returns the encoding of the tensor's numbers and the size of one number in bytes. The encoding of
// numbers that are not real has no decoder.
func (t tensor) format() (format, int, error) {
	if descr, real := numbersOf[t.Type]; real {
		format, err := Floats(descr)
		return format, format.bytes, err
	}
	bytes, known := bytesOf[t.Type]
	if !known {
		return format{}, 0, fmt.Errorf("has numbers of type %.20q, which is not known", t.Type)
	}
	return format{}, bytes, nil
}
