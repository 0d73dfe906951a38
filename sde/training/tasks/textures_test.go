package tasks

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sde/training"
)

// The inner products of images with the textures have the law from which the best accuracy is computed:
// means and variances agree within 5 standard errors, with a false-alarm rate of 6e-7 each.
func TestTexturesHaveTheirLaw(t *testing.T) {
	const count = 1500
	law := TextureLaw{Classes: 4, Strength: 3, Negative: 0.3}
	task, err := NewTextures(law, 0, 0, 7)
	if err != nil {
		t.Fatal(err)
	}
	var e training.Example
	var own, wrong, squares, negatives, noise float64
	for index := range int64(count) {
		task.Example(training.Validation, index, &e)
		image := e.Sequence.Vectors.Data
		for class, w := range task.waves {
			y := 0.0
			for k, v := range image {
				y += v / featureScale * w[k%features]
			}
			if class == e.Classes[0] {
				own += math.Abs(y) / count
				if y < 0 {
					negatives += 1. / count
				}
			} else {
				wrong += y / count / 3
				squares += y * y / count / 3
			}
		}
		for _, v := range image {
			noise += v * v * features / count / float64(len(image))
		}
	}
	// |y| for the image's own class, with y of mean 3 and variance 1, has mean 3.0008; with negatives, y
	// is below 0 with probability 0.3005.
	for _, c := range []struct {
		name                 string
		got, want, deviation float64
	}{
		{"own", own, 3.0008, 1},
		{"others", wrong, 0, 1 / math.Sqrt(3)},
		{"squares", squares, 1, math.Sqrt(2. / 3)},
		{"negatives", negatives, 0.3*0.99865 + 0.7*0.00135, 0.46},
		{"pixels", noise, 1 + 9./Numbers, math.Sqrt(2. / Numbers)},
	} {
		if !(math.Abs(c.got-c.want) <= 5*c.deviation/math.Sqrt(count)) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// A predictor that follows Bayes' rule has the accuracy and the loss stated as the best, within 5
// standard errors (false-alarm rate 6e-7 each).
func TestBestOfTexturesIsThatOfBayesRule(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, law := range []TextureLaw{{10, 3, 0}, {10, 4, 0.2}, {3, 1.5, 0.5}, {2, 2, 0.3}} {
		const count = 40000
		right, loss, square := 0.0, 0.0, 0.0
		for range count {
			sign := 1.0
			if random.Float64() < law.Negative {
				sign = -1
			}
			best, total, own, largest := 0, 0.0, 0.0, 0.0
			for class := range law.Classes {
				y := random.NormFloat64()
				if class == 0 {
					y += sign * law.Strength
				}
				likelihood := (1-law.Negative)*math.Exp(law.Strength*y) +
					law.Negative*math.Exp(-law.Strength*y)
				total += likelihood
				if class == 0 {
					own = likelihood
				}
				if likelihood > largest {
					best, largest = class, likelihood
				}
			}
			if best == 0 {
				right += 1. / count
			}
			l := math.Log(total / own)
			loss, square = loss+l/count, square+l*l/count
		}
		task, err := NewTextures(law, 0, 0, 7)
		if err != nil {
			t.Fatal(err)
		}
		wantLoss, wantRight := task.Best(false)
		if !(math.Abs(right-wantRight) <= 5*math.Sqrt(wantRight*(1-wantRight)/count)) {
			t.Errorf("%+v: accuracy %v, said to be %v", law, right, wantRight)
		}
		if !(math.Abs(loss-wantLoss) <= 5*math.Sqrt((square-loss*loss)/count)) {
			t.Errorf("%+v: loss %v, said to be %v", law, loss, wantLoss)
		}
	}
}

// For two classes there are closed forms: Φ(s/√2) and, if negatives are equally frequent,
// Φ(s/√2)² + (1-Φ(s/√2))². Without negatives the difference of the evidences has mean s² and variance
// 2s².
func TestBestOfTwoTextures(t *testing.T) {
	for _, s := range []float64{0.1, 1, 2.5, 10} {
		p := math.Erfc(-s/2) / 2
		for _, c := range []struct{ negative, want float64 }{{0, p}, {0.5, p*p + (1-p)*(1-p)}} {
			law := TextureLaw{2, s, c.negative}
			if got := law.largestAccuracy(); !(math.Abs(got-c.want) <= 1e-13) {
				t.Errorf("%+v: accuracy %v, want %v", law, got, c.want)
			}
		}
		want, step := 0.0, 0.001
		for z := -10.; z <= 10; z += step {
			want += step * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * math.Log1p(math.Exp(-s*s-math.Sqrt2*s*z))
		}
		law := TextureLaw{2, s, 0}
		if got := law.leastLoss(); !(math.Abs(got-want) <= 1e-11*s*s+1e-13) {
			t.Errorf("%+v: loss %v, want %v", law, got, want)
		}
	}
}

// Waves are orthonormal over the complete image.
func TestWavesAreOrthonormal(t *testing.T) {
	for i, a := range waveNumbers {
		for j, b := range waveNumbers {
			v, w, product := wave(a), wave(b), 0.0
			for k := range v {
				product += patches * v[k] * w[k]
			}
			if want := map[bool]float64{true: 1}[i == j]; !(math.Abs(product-want) <= 1e-14) {
				t.Errorf("%v, %v: %v", a, b, product)
			}
		}
	}
}

func TestTexturesRefuse(t *testing.T) {
	for want, f := range map[string]func() (*Textures, error){
		"classes 11: must be from 2 to 10": func() (*Textures, error) {
			return NewTextures(TextureLaw{11, 1, 0}, 1, 1, 1)
		},
		"strength 0: must be above 0, to 10": func() (*Textures, error) {
			return NewTextures(TextureLaw{3, 0, 0}, 1, 1, 1)
		},
		"probability of negatives NaN: must be from 0 to 0.5": func() (*Textures, error) {
			return NewTextures(TextureLaw{3, 1, math.NaN()}, 1, 1, 1)
		},
		"examples -1 and 5: must be at least 0": func() (*Textures, error) {
			return NewTextures(TextureLaw{3, 1, 0}, -1, 5, 1)
		},
	} {
		if _, err := f(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
