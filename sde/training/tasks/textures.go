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

// TextureLaw is a law of noisy images of grey textures with equally probable classes. The texture of a class
// is a wave that every patch of the image shows. As a vector of all pixel values of the image, a texture has
// length 1 and is orthogonal to the textures of other classes. An image is Strength or -Strength times the
// texture of its class, plus independent standard normal noise. The sign of the texture is negative with
// probability Negative.
type TextureLaw struct {
	Classes  int     // number of classes, 2 to 10
	Strength float64 // strength of the texture, in (0, 10]
	Negative float64 // probability of the negative sign, in [0, 1/2]
}

// Textures is the task of classifying the images of a TextureLaw.
type Textures struct {
	law      TextureLaw
	examples [2]int64
	draws    draws
	waves    [][]float64 // wave of each class in a patch
	best     func() (loss, accuracy float64)
}

// NewTextures returns the task of classifying the images of a TextureLaw, with the given numbers of training
// and of validation examples; 0 means an unlimited number.
func NewTextures(law TextureLaw, train, validation int64, seed uint64) (*Textures, error) {
	switch {
	case law.Classes < 2 || law.Classes > len(waveNumbers):
		return nil, fmt.Errorf("classes %d: must be from 2 to %d", law.Classes, len(waveNumbers))
	case !(law.Strength > 0 && law.Strength <= 10):
		return nil, fmt.Errorf("strength %v: must be above 0, to 10", law.Strength)
	case !(law.Negative >= 0 && law.Negative <= 0.5):
		return nil, fmt.Errorf("probability of negatives %v: must be from 0 to 0.5", law.Negative)
	case train < 0 || validation < 0:
		return nil, fmt.Errorf("examples %d and %d: must be at least 0", train, validation)
	}
	t := &Textures{law: law, examples: [2]int64{train, validation}, draws: drawsOf("textures", seed)}
	for class := range law.Classes {
		t.waves = append(t.waves, wave(waveNumbers[class]))
	}
	t.best = sync.OnceValues(func() (loss, accuracy float64) {
		return law.leastLoss(), law.largestAccuracy()
	})
	return t, nil
}

// waveNumbers are the numbers of half periods of waves in a patch, vertically and horizontally.
var waveNumbers = [][2]int{
	{0, 1}, {1, 0}, {1, 1}, {0, 2}, {2, 0}, {1, 2}, {2, 1}, {2, 2}, {0, 3}, {3, 0},
}

// wave returns a product of cosines in a patch, equal in all colours, with the given numbers of half periods
// vertically and horizontally. An image that shows the wave in all patches has length 1, as a vector of its
// values.
func wave(numbers [2]int) []float64 {
	one := func(number int) (values []float64) {
		square := 0.0
		for k := range PatchSide {
			_, cos := elementary.SinCos(math.Pi * float64(float64(2*k+1)*float64(number)) / (2 * PatchSide))
			values = append(values, cos)
			square = math.FMA(cos, cos, square)
		}
		for k := range values {
			values[k] /= math.Sqrt(square)
		}
		return values
	}
	down, across := one(numbers[0]), one(numbers[1])
	features := make([]float64, 0, features)
	for range Colours {
		for _, y := range down {
			for _, x := range across {
				features = append(features, float64(y*x)/math.Sqrt(Colours*patches))
			}
		}
	}
	return features
}

// Fit implements training.Task.
func (t *Textures) Fit(n network.Network) network.Network { return fitPatches(n, t.law.Classes) }

// Loss implements training.Task.
func (*Textures) Loss() training.Loss { return training.CrossEntropy }

// Examples implements training.Task.
func (t *Textures) Examples(split training.Split) int64 { return t.examples[split] }

// Example implements training.Task.
func (t *Textures) Example(split training.Split, index int64, into *training.Example) {
	var uniforms [2]float64
	t.draws.uniforms(uniforms[:], split, index, classRole)
	class, strength := kernels.Integer(uniforms[0], t.law.Classes), t.law.Strength
	if uniforms[1] < t.law.Negative {
		strength = -strength
	}
	data := patchesOf(into, class)
	t.draws.normals(data, 1, split, index, inputRole)
	for patch := range patches {
		part := data[patch*features:][:features]
		for k, w := range t.waves[class] {
			part[k] = featureScale * math.FMA(strength, w, part[k])
		}
	}
}

// Best implements training.Task. A causal predictor sees no patch at the first token, where the class is
// asked for.
func (t *Textures) Best(causal bool) (loss, accuracy float64) {
	if causal {
		return t.Blind(), 1 / float64(t.law.Classes)
	}
	return t.best()
}

// Blind returns the loss of a predictor that sees no image.
func (t *Textures) Blind() float64 { return elementary.Log(float64(t.law.Classes)) }
