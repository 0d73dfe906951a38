// Command generate writes the assembly of packages kernels, rowwise, selfattention and products, and the Go
// declarations of the assembly functions, with the library avo (github.com/mmcloughlin/avo). One run of the
// command writes the files of one instruction set and one subject.
package main

import (
	"flag"
	"log"
	"path/filepath"
	"strings"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	log.SetFlags(0)
	folder := flag.String("folder", "..", "folder of the package")
	name := flag.String("machine", "AVX2", "AVX2 or AVX512")
	subject := flag.String("subject", "random",
		"functions, random, chain, hybrid, rows, rowwise, attention, tokens or strip")
	flag.Parse()
	m := newMachine(*name)
	map[string]func(){
		"functions": m.elementary,
		"random":    m.random,
		"chain":     m.chain,
		"hybrid":    m.hybrid,
		"rows":      m.rowKernels,
		"rowwise":   m.layers,
		"attention": m.fields,
		"tokens":    m.tokens,
		"strip":     m.products,
	}[*subject]()
	m.emitTable()
	file := filepath.Join(*folder, *subject+"_"+strings.ToLower(*name)+"_amd64")
	set("pkg", filepath.Base(must(filepath.Abs(*folder))))
	set("out", file+".s")
	set("stubs", file+".go")
	Generate()
}

// set sets a flag of avo.
func set(name, value string) {
	if err := flag.Set(name, value); err != nil {
		log.Fatal(err)
	}
}

func must(path string, err error) string {
	if err != nil {
		log.Fatal(err)
	}
	return path
}
