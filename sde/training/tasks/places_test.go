package tasks

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sde/training"
	"antipode/sphere/must"
)

// posteriorOfPlace returns the posterior of the classes of an image by Bayes' rule, from all its values.
func posteriorOfPlace(law PlaceLaw, image []float64) []float64 {
	likelihoods := make([]float64, law.Classes)
	for class, w := range patchWaves(law.Classes) {
		for at := range patches {
			y := inner(image[at*features:][:features], w) / featureScale
			likelihoods[class] += math.Exp(law.Strength * y)
		}
	}
	return likelihoods
}

func posteriorOfNeighbour(law NeighbourLaw, image []float64) []float64 {
	likelihoods := make([]float64, law.Classes)
	waves := patchWaves(law.Classes + 1)
	for at := range patches {
		next := image[(at+1)%patches*features:][:features]
		for class, w := range waves[:law.Classes] {
			if inner(next, w) > featureScale { // textures have strength 6, or 0
				likelihoods[class] += math.Exp(law.Strength * inner(image[at*features:][:features],
					waves[law.Classes]) / featureScale)
			}
		}
	}
	return likelihoods
}

// On examples, a predictor that follows Bayes' rule has the loss stated as the best, within 5 standard
// errors (false-alarm rate 6e-7 each). Classes agree with what the images show, and have the right
// frequencies.
func TestBestOfScenes(t *testing.T) {
	const count = 1000
	place, next := PlaceLaw{4, 2.5}, NeighbourLaw{3, 2}
	weakPlace, weakNext := PlaceLaw{3, 0.7}, NeighbourLaw{4, 0.8}
	for name, c := range map[string]struct {
		task      func() (*Scenes, error)
		posterior func(image []float64) []float64
	}{
		"place": {func() (*Scenes, error) { return NewPlaces(place, 3) },
			func(image []float64) []float64 { return posteriorOfPlace(place, image) }},
		"weak place": {func() (*Scenes, error) { return NewPlaces(weakPlace, 3) },
			func(image []float64) []float64 { return posteriorOfPlace(weakPlace, image) }},
		"neighbour": {func() (*Scenes, error) { return NewNeighbours(next, 3) },
			func(image []float64) []float64 { return posteriorOfNeighbour(next, image) }},
		"weak neighbour": {func() (*Scenes, error) { return NewNeighbours(weakNext, 3) },
			func(image []float64) []float64 { return posteriorOfNeighbour(weakNext, image) }},
	} {
		task, err := c.task()
		if err != nil {
			t.Fatal(err)
		}
		loss, square := 0.0, 0.0
		counts := make([]float64, task.classes)
		var e training.Example
		for index := range int64(count) {
			task.Example(training.Train, index, &e)
			likelihoods, total := c.posterior(e.Sequence.Vectors.Data), 0.0
			for _, x := range likelihoods {
				total += x
			}
			l := math.Log(total / likelihoods[e.Classes[0]])
			loss, square = loss+l/count, square+l*l/count
			counts[e.Classes[0]]++
		}
		want, _ := task.Best(false)
		if !(math.Abs(loss-want) <= 5*math.Sqrt((square-loss*loss)/count)) {
			t.Errorf("%s: loss %v, said to be %v", name, loss, want)
		}
		for class, n := range counts {
			if p := 1 / float64(task.classes); !(math.Abs(n-count*p) <= 5*math.Sqrt(count*p*(1-p))) {
				t.Errorf("%s: class %d %v times", name, class, n)
			}
		}
	}
}

// The quadrature agrees with means over random inner products drawn from the law alone, within 5 standard
// errors, and with the limit log classes for a strength of almost 0.
func TestBestOfScenesByTheirLaws(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 1))
	const count = 10_000
	law := PlaceLaw{10, 5}
	loss, square := 0.0, 0.0
	for range count {
		own, total := 0.0, 0.0
		for class := range law.Classes {
			for at := range patches {
				y := random.NormFloat64()
				if class == 0 && at == 0 {
					y += law.Strength
				}
				e := math.Exp(law.Strength * y)
				if total += e; class == 0 {
					own += e
				}
			}
		}
		l := math.Log(total / own)
		loss, square = loss+l/count, square+l*l/count
	}
	if want := law.leastLoss(); !(math.Abs(loss-want) <= 5*math.Sqrt((square-loss*loss)/count)) {
		t.Errorf("loss %v, said to be %v", loss, want)
	}
	for _, classes := range []int{2, 5, 9} {
		if got := (PlaceLaw{classes, 1e-4}).leastLoss(); !(math.Abs(got-math.Log(float64(classes))) <= 1e-8) {
			t.Errorf("%d classes: loss %v without a texture", classes, got)
		}
	}
	// If the mark is visible, the loss is 0. If it is not, the loss is the mean entropy of the number of
	// neighbours of each kind: for 16 patches of 2 kinds, E log(16/k), where k is the number of
	// neighbours of the kind of the class, which is at least 1.
	if got := (NeighbourLaw{5, 10}).leastLoss(); !(got >= 0 && got <= 1e-9) {
		t.Errorf("loss %v of a mark that is seen", got)
	}
	want, choose := 0.0, 1.0
	for k := range 16 { // k of the 15 other patches
		want += choose / math.Pow(2, 15) * math.Log(16/float64(k+1))
		choose *= float64(15-k) / float64(k+1)
	}
	if got := (NeighbourLaw{2, 1e-5}).leastLoss(); !(math.Abs(got-want) <= 1e-8) {
		t.Errorf("loss %v of a mark that is not seen, want %v", got, want)
	}
}

func TestScenesRefuse(t *testing.T) {
	for want, f := range map[string]func() (*Scenes, error){
		"classes 11: must be from 2 to 10": func() (*Scenes, error) {
			return NewPlaces(PlaceLaw{11, 1}, 1)
		},
		"classes 10: must be from 2 to 9": func() (*Scenes, error) {
			return NewNeighbours(NeighbourLaw{10, 1}, 1)
		},
		"strength 0: must be above 0, to 10": func() (*Scenes, error) { return NewPlaces(PlaceLaw{3, 0}, 1) },
		"strength NaN: must be above 0, to 10": func() (*Scenes, error) {
			return NewNeighbours(NeighbourLaw{3, math.NaN()}, 1)
		},
	} {
		if _, err := f(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The first random number of an image of a PlaceLaw determines its class, and the second the patch with the
// texture. For a NeighbourLaw the first determines the marked patch, and the following ones the textures of
// all patches, of which the patch after the marked patch has the class; the first patch follows the last.
func TestScenesAreTheirNumbers(t *testing.T) {
	waves := patchWaves(5)
	strengths := func(image []float64, at int) (strengths [5]float64) {
		for k, w := range waves {
			strengths[k] = inner(image[at*features:][:features], w)
		}
		return strengths
	}
	check := func(what string, got, want [5]float64) {
		t.Helper()
		for k := range got {
			if !(math.Abs(got[k]-want[k]) <= 1e-12) {
				t.Errorf("%s: %v, want %v", what, got, want)
				break
			}
		}
	}
	places := must.Get(NewPlaces(PlaceLaw{4, 2}, 1))(t)
	neighbours := must.Get(NewNeighbours(NeighbourLaw{4, 2}, 1))(t)
	for at := range patches {
		u := (float64(at) + 0.5) / patches
		for class := range 4 {
			image := make([]float64, Numbers)
			if got := places.place(image, []float64{(float64(class) + 0.5) / 4, u}); got != class {
				t.Errorf("place %d: class %d, want %d", at, got, class)
			}
			for patch := range patches {
				want := [5]float64{}
				if patch == at {
					want[class] = 2
				}
				check("place", strengths(image, patch), want)
			}
		}
		image, uniforms := make([]float64, Numbers), []float64{u}
		for k := range image {
			image[k] = math.Sin(float64(k)) // noise, of which the waves of the mark remain
		}
		before := append([]float64(nil), image...)
		for patch := range patches {
			uniforms = append(uniforms, (float64(patch*patch%4)+0.5)/4)
		}
		next := (at + 1) % patches
		if got := neighbours.place(image, uniforms); got != next*next%4 {
			t.Errorf("marked patch %d: class %d, want %d", at, got, next*next%4)
		}
		for patch := range patches {
			want := [5]float64{4: strengths(before, patch)[4]}
			want[patch*patch%4] = 6
			if patch == at {
				want[4] += 2
			}
			check("neighbour", strengths(image, patch), want)
		}
	}
}

// The integral of the difference of both transforms is the difference of the mean logarithms, by Frullani's
// theorem: -s E y for normal y of mean s. For large s the integrand extends far.
func TestDifferenceOfLogarithms(t *testing.T) {
	for _, s := range []float64{0.5, 3, 12} {
		got := differenceOfLogarithms(s, func(own, other float64) float64 { return own - other })
		if !(math.Abs(got+s*s) <= 1e-8*s*s) {
			t.Errorf("s = %v: %v, want %v", s, got, -s*s)
		}
	}
}
