package arrays

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"antipode/experiments/internal/namedfile"
)

// IndexExtension is the extension of Hugging Face's index files. For each tensor of a model, an index file
// says which .safetensors file in the same folder contains the tensor.
const IndexExtension = ".safetensors.index.json"

// mostShards is the greatest number of files of an index that are open at a time.
const mostShards = 512

// Paths returns the paths of all files that must be read for a path, sorted by name: the file itself or, for
// an index file, the index and the files that it names.
func Paths(path string) ([]string, error) {
	if !HasExtension(path, IndexExtension) {
		return []string{path}, nil
	}
	shards, err := readIndex(path)
	if err != nil {
		return nil, err
	}
	paths := []string{path}
	for _, s := range shards {
		paths = append(paths, s.path(path))
	}
	return paths, nil
}

// shard is a .safetensors file that an index file names, with the names of the tensors that are to be read
// from it.
type shard struct {
	name    string
	tensors map[string]bool
}

// path returns the path of the shard, which is in the folder of the index file.
func (s shard) path(index string) string { return filepath.Join(filepath.Dir(index), s.name) }

// addShards adds the tensors of an index file, one file after another.
func (f *File) addShards(index string) error {
	shards, err := readIndex(index)
	if err != nil {
		return err
	}
	for _, s := range shards {
		if err := f.addShard(index, s); err != nil {
			return fmt.Errorf("file %.60q of the index: %w", s.name, err)
		}
	}
	return nil
}

func (f *File) addShard(index string, s shard) error {
	path := s.path(index)
	if err := CheckRegular(path); err != nil {
		return err
	}
	first := len(f.Arrays)
	if err := f.addFile(path, Any); err != nil {
		return err
	}
	kept := f.Arrays[:first]
	for _, a := range f.Arrays[first:] {
		if s.tensors[a.Name] {
			kept = append(kept, a)
			delete(s.tensors, a.Name)
		}
	}
	f.Arrays = kept
	if missing := slices.Sorted(maps.Keys(s.tensors)); len(missing) > 0 {
		return fmt.Errorf("has no tensor %.60q", missing[0])
	}
	return nil
}

// readText reads the text of an index file, which must be no longer than mostHeader.
func readText(path string) ([]byte, error) {
	text, err := namedfile.Read(path, mostHeader, fmt.Errorf("is an index of more than %d bytes", mostHeader))
	return text, namedfile.WithoutPath(err)
}

// eachInMap calls the function tensor for each entry of the object weight_map in an index file. An index file
// without a weight_map is an error.
func eachInMap(text []byte, tensor func(name string, decoder *json.Decoder) error) error {
	found := false
	err := eachEntry(text, func(name string, decoder *json.Decoder) error {
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return errNotObject
		}
		if name != "weight_map" {
			return nil
		}
		if found {
			return errors.New("has two weight_maps")
		}
		found = true
		return eachEntry(value, tensor)
	})
	switch {
	case errors.Is(err, errNotObject):
		return errors.New("is not an index of .safetensors: its weight_map is no object of JSON")
	case err == nil && !found:
		return errors.New("is not an index of .safetensors: it has no weight_map")
	}
	return err
}

// readIndex reads the list of files from an index file, sorted by name.
func readIndex(path string) (shards []shard, err error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	byName, known := map[string]map[string]bool{}, map[string]bool{}
	tensor := func(name string, decoder *json.Decoder) error {
		var file string
		switch err := decoder.Decode(&file); {
		case err != nil:
			return fmt.Errorf("places the tensor %.60q in no file", name)
		case known[name]:
			return fmt.Errorf("has two tensors of the name %.60q", name)
		case filepath.Base(file) != file || !filepath.IsLocal(file) || !HasExtension(file, ".safetensors"):
			return fmt.Errorf("places the tensor %.60q in %.60q; must be a .safetensors in the folder "+
				"of the index", name, file)
		}
		known[name] = true
		if byName[file] == nil {
			byName[file] = map[string]bool{}
		}
		byName[file][name] = true
		return nil
	}
	if err := eachInMap(text, tensor); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		shards = append(shards, shard{name, byName[name]})
	}
	switch {
	case len(shards) == 0:
		return nil, errors.New("has no tensors in its weight_map")
	case len(shards) > mostShards:
		return nil, fmt.Errorf("has %d files; must have at most %d", len(shards), mostShards)
	}
	return shards, nil
}
