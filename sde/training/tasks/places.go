package tasks

import (
	"fmt"
	"math"
	"sync"

	"antipode/sde/internal/kernels"
	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sphere/elementary"
)

// PlaceLaw is a law of noise images in which one patch, chosen uniformly, shows the texture of the class of
// the image, multiplied by Strength. The texture of a class is a wave: a unit vector of the values of a
// patch, orthogonal to the waves of other classes. Independent standard normal noise is added to all values
// of the image. Averaging over patches reduces the strength of the texture, relative to the noise, by the
// square root of the number of patches.
type PlaceLaw struct {
	Classes  int     // number of classes, 2 to 10
	Strength float64 // strength of the texture, in (0, 10]
}

// NeighbourLaw is a law of images whose class is the kind of texture in one patch: the patch after a marked
// one, in reading order; the first patch of an image follows the last. Every patch shows a texture whose kind
// is uniform among the classes. The marked patch, chosen uniformly, also shows a further wave, the mark,
// multiplied by Strength. The noise of the image is standard normal but orthogonal to the textures, so that
// it does not hide the kinds of the textures. Averaging over patches only reveals how many patches show each
// kind of texture.
type NeighbourLaw struct {
	Classes  int     // number of classes, 2 to 9
	Strength float64 // strength of the mark, in (0, 10]
}

// textureStrength is the strength of the texture of a patch in a NeighbourLaw.
const textureStrength = 6

// Scenes is the task of classifying the images of a PlaceLaw or of a NeighbourLaw. The number of examples is
// unlimited.
type Scenes struct {
	draws   draws
	classes int
	// place adds the random textures, and for a NeighbourLaw the mark, to an image of noise, and returns the
	// class of the image.
	place func(image []float64, uniforms []float64) (class int)
	best  func() float64
}

func checkLaw(classes, most int, strength float64) error {
	if classes < 2 || classes > most {
		return fmt.Errorf("classes %d: must be from 2 to %d", classes, most)
	}
	if !(strength > 0 && strength <= 10) {
		return fmt.Errorf("strength %v: must be above 0, to 10", strength)
	}
	return nil
}

// patchWaves returns the given number of waves, which are orthogonal unit vectors of the values of a patch.
func patchWaves(count int) (waves [][]float64) {
	for _, numbers := range waveNumbers[:count] {
		w := wave(numbers)
		for k := range w {
			w[k] *= math.Sqrt(patches)
		}
		waves = append(waves, w)
	}
	return waves
}

// NewPlaces returns the task of classifying the images of a PlaceLaw, by the one texture in noise.
func NewPlaces(law PlaceLaw, seed uint64) (*Scenes, error) {
	if err := checkLaw(law.Classes, len(waveNumbers), law.Strength); err != nil {
		return nil, err
	}
	waves := patchWaves(law.Classes)
	return &Scenes{
		draws: drawsOf("places", seed), classes: law.Classes, best: sync.OnceValue(law.leastLoss),
		place: func(image, uniforms []float64) int {
			class, at := kernels.Integer(uniforms[0], law.Classes), kernels.Integer(uniforms[1], patches)
			addTo(image[at*features:][:features], law.Strength, waves[class])
			return class
		},
	}, nil
}

// NewNeighbours returns the task of classifying the images of a NeighbourLaw, by the texture of the patch
// after the marked patch.
func NewNeighbours(law NeighbourLaw, seed uint64) (*Scenes, error) {
	if err := checkLaw(law.Classes, len(waveNumbers)-1, law.Strength); err != nil {
		return nil, err
	}
	waves := patchWaves(law.Classes + 1)
	mark := waves[law.Classes]
	return &Scenes{
		draws: drawsOf("neighbours", seed), classes: law.Classes, best: sync.OnceValue(law.leastLoss),
		place: func(image, uniforms []float64) (class int) {
			marked := kernels.Integer(uniforms[0], patches)
			for at := range patches {
				kind := kernels.Integer(uniforms[1+at], law.Classes)
				if at == (marked+1)%patches {
					class = kind
				}
				patch := image[at*features:][:features]
				for k, w := range waves[:law.Classes] {
					strength := -inner(patch, w)
					if k == kind {
						strength += textureStrength
					}
					addTo(patch, strength, w)
				}
			}
			addTo(image[marked*features:][:features], law.Strength, mark)
			return class
		},
	}, nil
}

// addTo adds factor times the vector y to the vector x.
func addTo(x []float64, factor float64, y []float64) {
	for k, v := range y {
		x[k] = math.FMA(factor, v, x[k])
	}
}

func inner(x, y []float64) (sum float64) {
	for k, v := range y {
		sum = math.FMA(x[k], v, sum)
	}
	return sum
}

// Fit implements training.Task.
func (s *Scenes) Fit(n network.Network) network.Network { return fitPatches(n, s.classes) }

// Loss implements training.Task.
func (*Scenes) Loss() training.Loss { return training.CrossEntropy }

// Examples implements training.Task.
func (*Scenes) Examples(training.Split) int64 { return 0 }

// Example implements training.Task.
func (s *Scenes) Example(split training.Split, index int64, into *training.Example) {
	var uniforms [1 + patches]float64
	s.draws.uniforms(uniforms[:], split, index, classRole)
	image := patchesOf(into, 0)
	s.draws.normals(image, 1, split, index, inputRole)
	into.Classes[0] = s.place(image, uniforms[:])
	for k := range image {
		image[k] *= featureScale
	}
}

// Best implements training.Task. A causal predictor sees no patch at the first token, where the class is
// asked for. The largest accuracy of other predictors is not known.
func (s *Scenes) Best(causal bool) (loss, accuracy float64) {
	if causal {
		return s.Blind(), 1 / float64(s.classes)
	}
	return s.best(), math.NaN()
}

// Blind returns the loss of a predictor that sees no image: the entropy of uniform classes.
func (s *Scenes) Blind() float64 { return elementary.Log(float64(s.classes)) }
