package weights

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/sphere/must"
)

const index = "model.safetensors.index.json"

// folder returns a new folder with files of these contents.
func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	path := t.TempDir()
	for name, content := range files {
		must.Do(t, os.WriteFile(filepath.Join(path, name), content, 0o666))
	}
	return path
}

// sharded returns the files of a checkpoint whose arrays are alternately in two files, and its index.
func sharded(all map[string]numbered) map[string][]byte {
	parts, at := [2]map[string]numbered{{}, {}}, map[string]string{}
	for k, name := range slices.Sorted(maps.Keys(all)) {
		parts[k%2][name] = all[name]
		at[name] = fmt.Sprintf("model-%d-of-2.safetensors", k%2+1)
	}
	text, _ := json.Marshal(map[string]any{"metadata": map[string]int{"total_size": 1}, "weight_map": at})
	return map[string][]byte{index: text, "model-1-of-2.safetensors": safetensors(parts[0], nil),
		"model-2-of-2.safetensors": safetensors(parts[1], nil)}
}

// A checkpoint in several files has the same measurements as one in a single file.
func TestShards(t *testing.T) {
	all := arraysOf("llama", 0.3, rand.New(rand.NewPCG(7, 8)))
	one := must.Get(measureFile(write(t, "m.safetensors", safetensors(all, nil)), nil, 3))(t)
	other := must.Get(measureFile(filepath.Join(folder(t, sharded(all)), index), nil, 3))(t)
	for layer := range one {
		if !slices.Equal(one[layer].Pack(), other[layer].Pack()) {
			t.Errorf("layer %d: other numbers in two files than in one", layer)
		}
	}
	if len(other) != 2 {
		t.Errorf("%d layers", len(other))
	}
}

// A tensor is read only from the file that the index names, also if another file contains a tensor of the
// same name.
func TestShardsHaveWhatTheIndexSays(t *testing.T) {
	all := arraysOf("llama", 0.3, rand.New(rand.NewPCG(9, 9)))
	files := sharded(all)
	want := must.Get(measureFile(filepath.Join(folder(t, files), index), nil, 3))(t)
	names := slices.Sorted(maps.Keys(all))
	part := map[string]numbered{names[0]: {all[names[0]].shape, make([]float64, len(all[names[0]].numbers))}}
	for k, name := range names {
		if k%2 == 1 {
			part[name] = all[name]
		}
	}
	files["model-2-of-2.safetensors"] = safetensors(part, nil)
	got, err := measureFile(filepath.Join(folder(t, files), index), nil, 3)
	if err != nil || !slices.Equal(want[0].Pack(), got[0].Pack()) {
		t.Errorf("other numbers by a tensor that the index does not name there; error %v", err)
	}
}

// A mistake in an index, or in a file that it names, is reported in one line.
func TestHostileIndexes(t *testing.T) {
	all := arraysOf("llama", 0.3, rand.New(rand.NewPCG(3, 3)))
	const query = "layers.1.self_attn.q_proj.weight"
	sent := func(to string) string {
		return strings.Replace(string(sharded(all)[index]),
			fmt.Sprintf("%q:\"model-1-of-2.safetensors\"", query), fmt.Sprintf("%q:%s", query, to), 1)
	}
	whole := sent(`"model-1-of-2.safetensors"`)
	if sent("0") == whole {
		t.Fatal("the query is not in the first file")
	}
	many := map[string]string{}
	for k := range 600 {
		many[fmt.Sprint("t", k)] = fmt.Sprint(k, ".safetensors")
	}
	shards, _ := json.Marshal(map[string]any{"weight_map": many})
	for k, c := range []struct{ text, want string }{
		{"", "is not an index of .safetensors"},
		{"{}", "it has no weight_map"},
		{"[]", "is not an index of .safetensors"},
		{"null", "is not an index of .safetensors"},
		{whole + "x", "is not an index of .safetensors"},
		{whole[:len(whole)/2], "is not an index of .safetensors"},
		{`{"weight_map":3}`, "is not an index of .safetensors"},
		{`{"weight_map":null}`, "is not an index of .safetensors"},
		{`{"weight_map":{}}`, "has no tensors in its weight_map"},
		{`{"weight_map":{"a":"b.safetensors"},"weight_map":{}}`, "has two weight_maps"},
		{`{"weight_map":{"a":"b.safetensors","a":"c.safetensors"}}`, `two tensors of the name "a"`},
		{sent("7"), "in no file"},
		{sent(`["model-1-of-2.safetensors"]`), "in no file"},
		{sent(`""`), "must be a .safetensors in the folder of the index"},
		{sent(`"../model-1-of-2.safetensors"`), "must be a .safetensors in the folder of the index"},
		{sent(`"/etc/passwd.safetensors"`), "must be a .safetensors in the folder of the index"},
		{sent(`"sub/model-1-of-2.safetensors"`), "must be a .safetensors in the folder of the index"},
		{sent(`"` + index + `"`), "must be a .safetensors in the folder of the index"},
		{sent(`"model-1-of-2.bin"`), "must be a .safetensors in the folder of the index"},
		{sent(`"` + strings.Repeat("é", 9999) + `.safetensors"`), " of the index: "},
		{sent(`"model-3-of-2.safetensors"`), `file "model-3-of-2.safetensors" of the index: no such file`},
		{sent(`"model-2-of-2.safetensors"`),
			`file "model-2-of-2.safetensors" of the index: has no tensor "layers.1`},
		{sent(`"folder.safetensors"`), `file "folder.safetensors" of the index: is not a regular file`},
		{sent(`"circle.safetensors"`), `file "circle.safetensors" of the index: `},
		{sent(`"text.safetensors"`), "is not a .safetensors file"},
		{string(shards), "has 600 files; must have at most 512"},
		{strings.Repeat(" ", 17<<20), "is an index of more than 16777216 bytes"},
		{`{"weight_map":` + strings.Repeat(`{"a":`, 20000), "is not an index"},
	} {
		files := sharded(all)
		files[index] = []byte(c.text)
		files["text.safetensors"] = []byte("a text, but no weights of anything")
		path := folder(t, files)
		must.Do(t, os.Mkdir(filepath.Join(path, "folder.safetensors"), 0o777))
		must.Do(t, os.Symlink("circle.safetensors", filepath.Join(path, "circle.safetensors")))
		_, err := measureFile(filepath.Join(path, index), nil, 3)
		checkRefused(t, fmt.Sprintf("index %d", k), err, c.want)
	}
}
