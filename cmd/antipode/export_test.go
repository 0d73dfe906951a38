package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"

	"antipode/cmd/antipode/explore/static"
	"antipode/sphere/must"
)

// The exported page is taken from the archive beside the program, and the command says where it is.
func TestExportFromTheArchive(t *testing.T) {
	t.Chdir(t.TempDir())
	path := filepath.Join(filepath.Dir(must.Get(os.Executable())(t)), static.Archive)
	file := must.Get(os.Create(path))(t)
	defer os.Remove(path)
	archive := zip.NewWriter(file)
	for _, name := range []string{"index.html", "icon.svg", "page.js", "program.js", "style.css"} {
		must.Get(must.Get(archive.Create(name))(t).Write([]byte("the content of " + name)))(t)
	}
	must.Do(t, archive.Close())
	must.Do(t, file.Close())
	said := succeed(t, "explore", "--export", "page")
	index := filepath.Join("page", "index.html")
	if want := "The page is " + index + "; its folder can also be served by any web server.\n"; said != want {
		t.Errorf("%q, want %q", said, want)
	}
	if content := must.Get(os.ReadFile(index))(t); string(content) != "the content of index.html" {
		t.Errorf("%q", content)
	}
}
