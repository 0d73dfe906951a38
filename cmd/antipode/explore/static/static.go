// Package static writes the page of package explore as files that need no server, because the files contain
// the program as WebAssembly. The exported page can be opened from a disk, or served by any web server.
//
//	if err := static.Write("page", nil); err != nil {
//		return err
//	}
package static

import (
	"archive/zip"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"antipode/cmd/antipode/explore"
	"antipode/data/durable"
)

//go:embed within.js worker.js
var own embed.FS

// Archive is the name of the file with the exported page that belongs to a release. The archive is in the
// folder of the program.
const Archive = "antipode-page.zip"

// Write exports the page as files to a folder. Write creates the folder, or replaces an older page in the
// folder, which must contain nothing else. If the archive is in the folder of the program, the page is taken
// from the archive. Without the archive, the page is built with Go, which takes minutes the first time; the
// function building, if not nil, is called before the page is built. Each file is written completely or not
// at all, and index.html is written last.
func Write(folder string, building func()) error {
	if err := check(folder); err != nil {
		return err
	}
	files, err := archived()
	if errors.Is(err, fs.ErrNotExist) {
		if building != nil {
			building()
		}
		files, err = made()
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	names := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return strings.Compare(strings.ReplaceAll(a, index, "~"), strings.ReplaceAll(b, index, "~"))
	})
	for _, name := range names {
		if err := write(filepath.Join(folder, name), files[name]); err != nil {
			return err
		}
	}
	return nil
}

const index = "index.html"

// names are the names of the files of an exported page.
var names = []string{index, "icon.svg", "page.js", "program.js", "style.css"}

// check returns an error if the folder contains anything except the files of an exported page.
func check(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if !slices.Contains(names, entry.Name()) || !entry.Type().IsRegular() {
			return fmt.Errorf("%s has %s in it; must be a folder that is empty, an older page, or not there "+
				"yet", folder, entry.Name())
		}
	}
	return err
}

func write(path string, content []byte) error {
	file, err := durable.NewReplacement(path)
	if err != nil {
		return err
	}
	defer file.Abort()
	if _, err := file.Write(content); err != nil {
		return err
	}
	return file.Commit()
}

// archived returns the files of the exported page in the archive next to the program.
func archived() (map[string][]byte, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	archive, err := zip.OpenReader(filepath.Join(filepath.Dir(program), Archive))
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	files := map[string][]byte{}
	for _, name := range names {
		file, err := archive.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", Archive, err)
		}
		files[name], err = io.ReadAll(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", Archive, err)
		}
	}
	return files, nil
}

// made builds the files of the exported page with Go.
func made() (map[string][]byte, error) {
	built, err := build()
	if err != nil {
		return nil, err
	}
	within, err := own.ReadFile("within.js")
	if err != nil {
		panic(err) // impossible: the file is embedded
	}
	worker, err := own.ReadFile("worker.js")
	if err != nil {
		panic(err) // impossible: the file is embedded
	}
	script, err := bundle(explore.Page(), "main.js", map[string]string{
		"http.js":   string(within),
		"worker.js": textModule("source", built.script+"\n"+string(worker)),
	})
	if err != nil {
		return nil, err
	}
	program := "program('" + base64.StdEncoding.EncodeToString(built.wasm) + "');\n"
	files := map[string][]byte{"page.js": []byte(script), "program.js": []byte(program)}
	for _, name := range []string{index, "icon.svg", "style.css"} {
		if files[name], err = fs.ReadFile(explore.Page(), name); err != nil {
			return nil, err
		}
	}
	files[index], err = standalone(files[index])
	return files, err
}

// policy is the content security policy of an exported page, which must not load anything from other sites.
const policy = "default-src 'none'; script-src 'self' file: 'wasm-unsafe-eval'; worker-src blob:; " +
	"style-src 'self' file:; img-src 'self' file: blob:; base-uri 'none'; form-action 'none'"

// standalone returns the HTML of the page with one script instead of modules.
func standalone(page []byte) ([]byte, error) {
	text := string(page)
	for before, after := range map[string]string{
		`<script type="module" src="main.js"></script>`: `<script defer src="page.js"></script>`,
		`<meta charset="utf-8" />`: `<meta charset="utf-8" />` + "\n    " +
			`<meta http-equiv="Content-Security-Policy" content="` + policy + `" />`,
		`<html lang="en">`: `<html lang="en" data-exported>`,
	} {
		if strings.Count(text, before) != 1 {
			return nil, fmt.Errorf("%s: not once there: %s", index, before)
		}
		text = strings.Replace(text, before, after, 1)
	}
	return []byte(text), nil
}
