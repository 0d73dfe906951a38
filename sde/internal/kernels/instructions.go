package kernels

import (
	"fmt"
	"os"
	"strings"
)

// instructions is the kernels in one instruction set. All give the same bits.
type instructions struct {
	name  string
	level int // its place among all there are
	exp   func(dst, src []Vector)
	// exponentials replaces x by e^(factor·x - shift), or by 0 where that is below SmallestWeight.
	exponentials func(numbers []float64, factor, shift float64)
	logarithms   func(numbers []float64, shift float64)  // replaces x by ln(x + shift)
	tanhs        func(numbers []float64, factor float64) // replaces x by tanh(factor·x)

	chainDraws chainDraws
	chainSums  chainSums
	chainStep  func(s, d, sExponent, dExponent, draws []Vector, law *chainParameters)
	massesStep func(s, d, sExponent, dExponent, difference, draws []Vector, law *chainParameters)
	// mlpAloneStep is mlpStep for no more than an MLP.
	mlpStep, mlpAloneStep func(s, d, sExponent, dExponent, plus, minus, draws []Vector, law *mlpParameters)
	shares                sharesFunc

	hybridStep       hybridStep
	hybridMassesStep hybridMassesStep
	addDots          func(sums, x []Vector, width int, y []Vector)
	collect          func(dst, sums []Vector)
	advance          func(sums, x []Vector, width int, change []Vector, changeWidth, vectors int,
		factors []float64)
	rescale func(x []Vector, width, vectors int, factors []float64)
	combine func(dst []Vector, alpha float64, a, b []Vector, gamma float64, c, d []Vector)

	normals, uniforms, truncatedNormals, signs fill
	singles                                    singles
}

// fill fills rows of Vectors for each of some Vectors of addresses, from the blocks
// numbered from block.
type fill = func(dst []Vector, rows int, addresses []words, keys *keys, block uint32, parameter float64)

// singles fills one row, with a law of numbers.
type singles = func(dst []Vector, addresses []words, keys *keys, block uint32, law int, parameter float64)

// generic is for every machine.
var generic = instructions{
	name: "generic",
	exp:  expGeneric, exponentials: exponentialsGeneric, logarithms: logarithmsGeneric,
	tanhs:   tanhsGeneric,
	normals: normalsGeneric, uniforms: uniformsGeneric,
	truncatedNormals: truncatedNormalsGeneric, signs: signsGeneric, singles: singlesGeneric,
	chainDraws: chainDrawsGeneric, chainSums: chainSumsGeneric,
	chainStep: chainStepGeneric, massesStep: massesStepGeneric, mlpStep: mlpStepGeneric,
	mlpAloneStep: mlpAloneStepGeneric, shares: sharesGeneric,
	hybridStep: hybridStepGeneric, hybridMassesStep: hybridMassesStepGeneric,
	addDots: addDotsGeneric, collect: collectGeneric,
	advance: advanceGeneric, rescale: rescaleGeneric, combine: combineGeneric,
}

// active is the instruction set in use: the last available one unless the environment
// variable ANTIPODE_CPU names another.
var active = generic

// Err says that ANTIPODE_CPU names no instruction set of this machine; the last
// available one is in use then, as where the variable is empty or not set.
var Err error

func init() {
	sets := available()
	active = sets[len(sets)-1]
	if name := os.Getenv("ANTIPODE_CPU"); name != "" {
		if Select(name) != nil {
			Err = fmt.Errorf("ANTIPODE_CPU=%s: must on this machine be %s", name, alternatives(Available()))
		}
	}
}

// alternatives is names with commas and an or between them.
func alternatives(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Select takes an instruction set into use, for tests: generic, avx2 or avx512. A name that is not
// known, or not available on this machine, is an error, and changes nothing. It may
// not be called while kernels run.
func Select(name string) error {
	names := Available()
	for k, set := range available() {
		if names[k] == name {
			active = set
			return nil
		}
	}
	return fmt.Errorf("instruction set %q: must on this machine be %s", name, alternatives(names))
}

// Active is the name of the instruction set in use.
func Active() string { return active.name }

// Level is the place of the instruction set in use among generic, avx2 and avx512.
func Level() int { return active.level }

// Available lists the names of this machine's instruction sets, the fastest last.
func Available() []string {
	var names []string
	for _, set := range available() {
		names = append(names, set.name)
	}
	return names
}
