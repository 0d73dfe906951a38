package tasks

import (
	"fmt"
	"math"

	"antipode/sde/network"
	"antipode/sde/training"
)

// Pictures are images with their classes, in the format of CIFAR-10's binary files: the bytes of an image are
// the red values of all pixels, line by line, then the green values, then the blue values.
type Pictures struct {
	Classes []byte
	Bytes   []byte // Numbers bytes for each image
}

// pictureClasses is the number of classes of CIFAR-10.
const pictureClasses = 10

// PictureTask is the task of classifying pictures. The values of each colour are centred by their mean over
// the training pictures, and divided by their standard deviation.
type PictureTask struct {
	parts       [2]Pictures // training and validation pictures
	mean, scale [Colours]float64
}

// NewPictureTask returns the task of classifying pictures, with the given training and validation pictures.
// The error of NewPictureTask says which pictures are not valid.
func NewPictureTask(train, validation Pictures) (*PictureTask, error) {
	t := &PictureTask{parts: [2]Pictures{train, validation}}
	for split, p := range t.parts {
		name := []string{"training", "validation"}[split]
		if len(p.Classes) == 0 || len(p.Bytes) != Numbers*len(p.Classes) {
			return nil, fmt.Errorf("pictures for %s: %d bytes for %d classes, "+
				"must be %d for each of at least one", name, len(p.Bytes), len(p.Classes), Numbers)
		}
		for k, class := range p.Classes {
			if class >= pictureClasses {
				return nil, fmt.Errorf("picture %d for %s has class %d, must be from 0 to %d", k, name, class,
					pictureClasses-1)
			}
		}
	}
	t.standardise()
	return t, nil
}

// standardise computes, for each colour, the mean of its values over the training pictures, and the factor
// that makes their variance 1. A colour with constant values is only centred.
func (t *PictureTask) standardise() {
	train := t.parts[training.Train].Bytes
	for colour := range Colours {
		var counts [256]float64
		for at := colour * Pixels; at < len(train); at += Numbers {
			for _, b := range train[at : at+Pixels] {
				counts[b]++
			}
		}
		total := float64(len(train) / Colours)
		mean, square := 0.0, 0.0
		for b, count := range counts {
			mean = math.FMA(float64(b), count/total, mean)
		}
		for b, count := range counts {
			difference := float64(b) - mean
			square = math.FMA(float64(difference*difference), count/total, square)
		}
		t.mean[colour], t.scale[colour] = mean, featureScale
		if square > 0 {
			t.scale[colour] = featureScale / math.Sqrt(square)
		}
	}
}

// Fit implements training.Task.
func (*PictureTask) Fit(n network.Network) network.Network { return fitPatches(n, pictureClasses) }

// Loss implements training.Task.
func (*PictureTask) Loss() training.Loss { return training.CrossEntropy }

// Examples implements training.Task.
func (t *PictureTask) Examples(split training.Split) int64 { return int64(len(t.parts[split].Classes)) }

// Example implements training.Task.
func (t *PictureTask) Example(split training.Split, index int64, into *training.Example) {
	p := t.parts[split]
	data := patchesOf(into, int(p.Classes[index]))
	picture := p.Bytes[index*Numbers:][:Numbers]
	for colour := range Colours {
		for line := range Side {
			for column := range Side {
				b := picture[colour*Pixels+line*Side+column]
				data[patchFeature(colour, line, column)] = t.scale[colour] * (float64(b) - t.mean[colour])
			}
		}
	}
}

// Best implements training.Task.
func (*PictureTask) Best(bool) (loss, accuracy float64) { return math.NaN(), math.NaN() }

// Blind returns the loss of a predictor that knows the frequencies of the validation classes but sees no
// picture.
func (t *PictureTask) Blind() float64 {
	law := make([]float64, pictureClasses)
	classes := t.parts[training.Validation].Classes
	for _, class := range classes {
		law[class] += 1 / float64(len(classes))
	}
	h, _ := posterior(law)
	return h
}
