package tasks

import (
	"fmt"
	"math"
	"sync"

	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sphere/elementary"
)

// PlaceLaw is the law of images of noise in which one patch, any with the same probability, shows the texture
// of the image's class: a wave, a unit vector of the patch's numbers, orthogonal to that of other classes,
// times Strength. All numbers have independent standard normal noise. A mean over patches knows of the
// texture only with the strength Strength over the root of their number.
type PlaceLaw struct {
	Classes  int     // from 2 to 10
	Strength float64 // above 0, to 10
}

// NeighbourLaw is the law of images whose class is the kind of one patch's texture: of that after the marked
// one, line by line, and of the first one after the last. Every patch shows a texture, of a kind that is any
// of the classes with the same probability; the marked patch, any with the same probability, shows another
// wave beside it, times Strength. The noise is standard normal, but orthogonal to the textures, whose kinds
// it leaves known. A mean over patches only knows how many there are of each kind.
type NeighbourLaw struct {
	Classes  int     // from 2 to 9
	Strength float64 // of the mark, above 0, to 10
}

// textureStrength is that of a patch's texture, which no noise hides.
const textureStrength = 6

// Scenes are the task of telling the class of images by one of these laws. Every example is a new one.
type Scenes struct {
	draws   draws
	classes int
	// place draws what an image of noise shows beside it.
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

// patchWaves are the waves of as many kinds, unit vectors of a patch.
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

// NewPlaces returns the task of finding a patch among noise.
func NewPlaces(law PlaceLaw, seed uint64) (*Scenes, error) {
	if err := checkLaw(law.Classes, len(waveNumbers), law.Strength); err != nil {
		return nil, err
	}
	waves := patchWaves(law.Classes)
	return &Scenes{
		draws: drawsOf("places", seed), classes: law.Classes, best: sync.OnceValue(law.leastLoss),
		place: func(image, uniforms []float64) int {
			class, at := below(uniforms[0], law.Classes), below(uniforms[1], patches)
			addTo(image[at*features:][:features], law.Strength, waves[class])
			return class
		},
	}, nil
}

// NewNeighbours returns the task of telling the texture of the marked patch's neighbour.
func NewNeighbours(law NeighbourLaw, seed uint64) (*Scenes, error) {
	if err := checkLaw(law.Classes, len(waveNumbers)-1, law.Strength); err != nil {
		return nil, err
	}
	waves := patchWaves(law.Classes + 1)
	mark := waves[law.Classes]
	return &Scenes{
		draws: drawsOf("neighbours", seed), classes: law.Classes, best: sync.OnceValue(law.leastLoss),
		place: func(image, uniforms []float64) (class int) {
			marked := below(uniforms[0], patches)
			for at := range patches {
				kind := below(uniforms[1+at], law.Classes)
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

// addTo adds a multiple of y to x.
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

// Best implements training.Task; the largest accuracy is not known.
func (s *Scenes) Best() (loss, accuracy float64) { return s.best(), math.NaN() }

// Blind is the loss of a predictor that sees no image.
func (s *Scenes) Blind() float64 { return elementary.Log(float64(s.classes)) }
