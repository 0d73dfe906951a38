package tasks

import (
	"math"

	"antipode/sde/network"
	"antipode/sde/training"

	"gonum.org/v1/gonum/blas/blas64"
)

// Images are square pictures of three colours, cut into square patches; after a token of its own, the
// first, a network tells the class.
const (
	Side      = 32               // pixels of an image's side
	Colours   = 3                // red, green, blue
	PatchSide = 8                // pixels of a patch's side
	Pixels    = Side * Side      // of an image, in one colour
	Numbers   = Colours * Pixels // of an image
	patches   = (Side / PatchSide) * (Side / PatchSide)
	features  = Colours * PatchSide * PatchSide
)

// fitPatches is a network that reads patches and says one of the classes of its first token. Features are
// divided by the root of their number (write), so that embeddings of patches, of positions and of the first
// token have about the same size at first; LayerNorm follows them.
func fitPatches(n network.Network, classes int) network.Network {
	const deviation = 0.02
	n.Tokens, n.Input, n.Outputs = 1+patches, network.Embedded, classes
	n.Embedding = network.Embedding{Features: features, Class: true,
		Positions: network.LearnedPositions, Norm: true, Variance: deviation * deviation}
	return n
}

// patchFeature is where a pixel's number is among the features of all patches.
func patchFeature(colour, line, column int) int { return placeOf(PatchSide, colour, line, column) }

// placeOf is patchFeature for patches of another side.
func placeOf(side, colour, line, column int) int {
	patch := line/side*(Side/side) + column/side
	return ((patch*Colours+colour)*side+line%side)*side + column%side
}

// featureScale is what numbers of variance 1 are multiplied by.
var featureScale = 1 / math.Sqrt(features)

// patchesOf gives an example the memory of patches and of classes, of which only the first is asked for.
func patchesOf(into *training.Example, class int) []float64 {
	data := sized(into.Sequence.Vectors.Data, patches*features)
	into.Sequence.Vectors = blas64.General{Rows: patches, Cols: features, Stride: features, Data: data}
	into.Classes = askFirst(into.Classes, 1+patches, class)
	return data
}

// askFirst are the classes of as many tokens of which only the first is asked for one.
func askFirst(classes []int, tokens, class int) []int {
	classes = sized(classes, tokens)
	for t := range classes {
		classes[t] = training.NotAsked
	}
	classes[0] = class
	return classes
}
