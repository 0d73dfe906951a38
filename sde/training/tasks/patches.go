package tasks

import (
	"math"

	"antipode/sde/network"
	"antipode/sde/training"

	"gonum.org/v1/gonum/blas/blas64"
)

// The images of this package are square, have three colours and are cut into square patches. Each patch is a
// token of the network, which predicts the class of the image at an additional first token.
const (
	Side      = 32               // number of pixels of a side of an image
	Colours   = 3                // number of colours: red, green, blue
	PatchSide = 8                // number of pixels of a side of a patch
	Pixels    = Side * Side      // number of pixels of an image
	Numbers   = Colours * Pixels // number of values of an image
	patches   = (Side / PatchSide) * (Side / PatchSide)
	features  = Colours * PatchSide * PatchSide
)

// fitPatches returns a network that reads patches and predicts one of the classes at its first token. Pixel
// values are divided by the square root of the number of features of a patch (featureScale). So the
// embeddings of patches, of positions and of the first token initially have about the same size. LayerNorm
// follows the embedding of patches.
func fitPatches(n network.Network, classes int) network.Network {
	const deviation = 0.02
	n.Tokens, n.Outputs, n.Input, n.Q, n.P = 1+patches, classes, network.Embedded, 0, 0
	n.Embedding = network.Embedding{Features: features, Class: true,
		Positions: network.LearnedPositions, Norm: true, Variance: deviation * deviation}
	return n
}

// patchFeature returns the index of a pixel value, at the given colour, line and column of the image, among
// the features of all patches.
func patchFeature(colour, line, column int) int { return placeOf(PatchSide, colour, line, column) }

// placeOf returns the index of a pixel value among the features of all patches, for patches whose side has
// the given number of pixels.
func placeOf(side, colour, line, column int) int {
	patch := line/side*(Side/side) + column/side
	return ((patch*Colours+colour)*side+line%side)*side + column%side
}

// featureScale is the factor by which pixel values of variance 1 are multiplied.
var featureScale = 1 / math.Sqrt(features)

// patchesOf allocates the patches and the classes of an example, in which only the class of the first token
// is asked for. patchesOf returns the memory for the values of the patches.
func patchesOf(into *training.Example, class int) []float64 {
	data := sized(into.Sequence.Vectors.Data, patches*features)
	into.Sequence.Vectors = blas64.General{Rows: patches, Cols: features, Stride: features, Data: data}
	into.Classes = askFirst(into.Classes, 1+patches, class)
	return data
}

// askFirst returns the classes of an example in which only the class of the first token is asked for.
func askFirst(classes []int, tokens, class int) []int {
	classes = sized(classes, tokens)
	for t := range classes {
		classes[t] = training.NotAsked
	}
	classes[0] = class
	return classes
}
