package static

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// fasterFMA writes files into a folder that replace math.FMA by the function of package fma. For an overlay
// of the go command, fasterFMA returns a map from the path of each replaced file to the path of its
// replacement.
func fasterFMA(root, installed, folder string) (files map[string]string, err error) {
	files = map[string]string{}
	library := filepath.Join(installed, "src", "math")
	for name, change := range map[string]struct {
		from   string
		change *strings.Replacer
	}{
		"fma.go": {filepath.Join(library, "fma.go"), strings.NewReplacer("func FMA(", "func exactly(")},
		"fma_pairs.go": {filepath.Join(root, "cmd/antipode/explore/static/fma/fma.go"),
			strings.NewReplacer("package fma", "package math", "import \"math\"\n", "", "math.", "")},
	} {
		text, err := os.ReadFile(change.from)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(change.change.Replace(string(text))), 0o666); err != nil {
			return nil, err
		}
		files[filepath.Join(library, name)] = file
	}
	return files, nil
}

const fonts = "codeberg.org/go-fonts/liberation"

// OneFont writes go.mod, go.sum and overlay.json into a folder, for the flags -modfile and -overlay of the go
// command in the module at root. The overlay has the given replacements of files, by the path of the replaced
// file. The overlay also replaces the module of twelve fonts by a module in which every font is the font of
// the figures. The eleven other fonts would be a third of what a browser loads, and an eighth of the program.
func OneFont(root, folder string, files map[string]string) error {
	const used = "liberationsansregular"
	// The module of fonts may be missing in the module cache.
	if _, err := goTool(root, "mod", "download", fonts); err != nil {
		return err
	}
	module, err := goTool(root, "list", "-m", "-f", "{{.Dir}}", fonts)
	if err != nil {
		return err
	}
	instead := filepath.Join(root, "one-font") // a folder that exists only in the overlay
	files[filepath.Join(instead, "go.mod")] = filepath.Join(module, "go.mod")
	entries, err := os.ReadDir(module)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.IsDir() || entry.Name() == used {
			continue
		}
		file := filepath.Join(folder, entry.Name()+".go")
		text := fmt.Sprintf("package %s\n\nimport %q\n\nvar TTF = %s.TTF\n",
			entry.Name(), fonts+"/"+used, used)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
		files[filepath.Join(instead, entry.Name(), "font.go")] = file
	}
	all, err := fs.Glob(os.DirFS(module), used+"/*")
	if err != nil {
		return err
	}
	for _, name := range all {
		files[filepath.Join(instead, name)] = filepath.Join(module, name)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	mod = append(mod, "\nreplace "+fonts+" => ./one-font\n"...)
	return errors.Join(os.WriteFile(filepath.Join(folder, "overlay.json"), overlay, 0o666),
		os.WriteFile(filepath.Join(folder, "go.mod"), mod, 0o666),
		os.WriteFile(filepath.Join(folder, "go.sum"), sum, 0o666))
}
