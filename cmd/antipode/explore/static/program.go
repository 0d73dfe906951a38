package static

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// program holds the program for browsers as compressed WebAssembly, and the script of Go that runs
// WebAssembly.
type program struct {
	wasm   []byte
	script string
}

// errNoSource says that the program for browsers cannot be built on this machine, which lacks the source.
var errNoSource = errors.New("the page has the program in it as WebAssembly, which is built from the " +
	"source, and that is not on this machine: put " + Archive + " of the release beside this program")

// checkout is the folder of the source of the program. The linker sets checkout for a program that was
// compiled with -trimpath, because the paths of source files in such a program do not contain their folder.
var checkout string

// build compiles the program for browsers, with the Go of this machine and from the source of this program.
// The compiled program does not depend on the folder of the source or on the settings of Go on this machine.
func build() (*program, error) {
	root := checkout
	if root == "" {
		_, file, _, _ := runtime.Caller(0)
		root = filepath.Join(filepath.Dir(file), "..", "..", "..", "..")
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil || !filepath.IsAbs(root) {
		return nil, errNoSource
	}
	folder, err := os.MkdirTemp("", "antipode-page")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	installed, err := goTool(root, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	files, err := fasterFMA(root, installed, folder)
	if err != nil {
		return nil, err
	}
	if err := OneFont(root, folder, files); err != nil {
		return nil, err
	}
	wasm := filepath.Join(folder, "antipode.wasm")
	// The tag tinygo makes Arrow use the JSON package of the standard library, which the program contains
	// anyway. The tag minimal makes the module plot include only the image formats that are asked for,
	// without PDF.
	_, err = goTool(root, "build", "-trimpath", "-buildvcs=false", "-tags=tinygo,minimal",
		"-ldflags=-s -w -buildid=",
		"-modfile", filepath.Join(folder, "go.mod"), "-overlay", filepath.Join(folder, "overlay.json"),
		"-o", wasm, "./cmd/antipode/explore/browser")
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(wasm)
	if err != nil {
		return nil, err
	}
	script, err := os.ReadFile(filepath.Join(installed, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	var compressed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := writer.Write(content); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return &program{compressed.Bytes(), string(script)}, nil
}

// goTool runs the go command in the module at root, with browsers as the target, and returns the output of
// the command.
func goTool(root string, arguments ...string) (string, error) {
	command := exec.Command("go", arguments...)
	command.Dir = root
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "GOWASM=", "GOEXPERIMENT=")
	printed, err := command.Output()
	var failed *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("the page has the program in it as WebAssembly, which Go builds: there is no " +
			"go command on this machine")
	case errors.As(err, &failed):
		return "", fmt.Errorf("go %s: %s", arguments[0], bytes.TrimSpace(failed.Stderr))
	}
	return strings.TrimSpace(string(printed)), err
}
