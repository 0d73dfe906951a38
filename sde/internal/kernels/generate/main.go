// Command generate writes the assembly of packages kernels, selfattention and products, by avo
// (github.com/mmcloughlin/avo), for one instruction set
// and one subject.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	name := flag.String("machine", "AVX2", "AVX2 or AVX512")
	subject := flag.String("subject", "random",
		"functions, layers, random, chain, hybrid, attention, tokens, rows or products")
	flag.Parse()
	m := newMachine(*name)
	map[string]func(){
		"functions": m.elementary,
		"layers":    m.layers,
		"random":    m.random,
		"chain":     m.chain,
		"hybrid":    m.hybrid,
		"attention": m.fields,
		"tokens":    m.tokens,
		"rows":      m.rowKernels,
		"products":  m.products,
	}[*subject]()
	m.emitTable()
	Generate()
}
