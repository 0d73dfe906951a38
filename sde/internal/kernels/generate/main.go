// Command generate writes the assembly of package kernels, by avo
// (github.com/mmcloughlin/avo), for one instruction set.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	name := flag.String("machine", "AVX2", "AVX2 or AVX512")
	flag.Parse()
	m := newMachine(*name)
	m.elementary()
	m.random()
	m.chainDraws()
	m.chainStep()
	m.tokens()
	m.emitTable()
	Generate()
}
