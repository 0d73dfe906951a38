package tasks

import (
	"math"
	"testing"

	"antipode/sde/training"
)

// pictures returns pictures whose bytes all depend on picture, colour, line and column.
func pictures(count int) Pictures {
	var p Pictures
	for n := range count {
		p.Classes = append(p.Classes, byte(n*7%10))
		for colour := range Colours {
			for line := range Side {
				for column := range Side {
					p.Bytes = append(p.Bytes, byte(31*n+60*colour+3*line+column))
				}
			}
		}
	}
	return p
}

// Patches contain their pixels in order; values are centred and scaled by the statistics of the training
// pictures.
func TestPictures(t *testing.T) {
	train, validation := pictures(3), pictures(5)
	task, err := NewPictureTask(train, validation)
	if err != nil {
		t.Fatal(err)
	}
	var mean, square [Colours]float64
	for k, b := range train.Bytes {
		colour := k / Pixels % Colours
		mean[colour] += float64(b) / (3 * Pixels)
		square[colour] += float64(b) * float64(b) / (3 * Pixels)
	}
	var e training.Example
	task.Example(training.Validation, 4, &e)
	if e.Classes[0] != 8 || e.Classes[1] != training.NotAsked || len(e.Classes) != 17 {
		t.Errorf("classes %v", e.Classes)
	}
	if v := e.Sequence.Vectors; v.Rows != 16 || v.Cols != 192 {
		t.Fatalf("%d patches of %d features", v.Rows, v.Cols)
	}
	for _, at := range []struct{ patch, feature, colour, line, column int }{
		{0, 0, 0, 0, 0}, {0, 7, 0, 0, 7}, {0, 8, 0, 1, 0}, {1, 0, 0, 0, 8}, {4, 0, 0, 8, 0},
		{15, 191, 2, 31, 31}, {6, 64, 1, 8, 16}, {9, 64 + 8*3 + 5, 1, 19, 13},
	} {
		b := float64(byte(31*4 + 60*at.colour + 3*at.line + at.column))
		deviation := math.Sqrt(square[at.colour] - mean[at.colour]*mean[at.colour])
		want := (b - mean[at.colour]) / deviation / math.Sqrt(192)
		if got := e.Sequence.Vectors.Data[at.patch*192+at.feature]; !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("%+v: %v, want %v", at, got, want)
		}
	}
	if got, want := task.Blind(), math.Log(5); !(math.Abs(got-want) <= 1e-14) {
		t.Errorf("entropy of the classes %v, want %v", got, want)
	}
	if n := testing.AllocsPerRun(10, func() { task.Example(training.Train, 1, &e) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestPicturesOfOneColourAreCentred(t *testing.T) {
	p := Pictures{Classes: []byte{1}, Bytes: make([]byte, Numbers)}
	task, err := NewPictureTask(p, p)
	if err != nil {
		t.Fatal(err)
	}
	var e training.Example
	task.Example(training.Train, 0, &e)
	for _, v := range e.Sequence.Vectors.Data {
		if v != 0 {
			t.Fatal(v)
		}
	}
}

func TestPicturesRefuse(t *testing.T) {
	good, none, odd, wrong := pictures(2), Pictures{}, pictures(2), pictures(2)
	odd.Bytes = odd.Bytes[1:]
	wrong.Classes[1] = 10
	for _, c := range []struct {
		train, validation Pictures
		want              string
	}{
		{good, none, "pictures for validation: 0 bytes for 0 classes, must be 3072 for each of at least one"},
		{odd, good, "pictures for training: 6143 bytes for 2 classes, must be 3072 for each of at least one"},
		{wrong, good, "picture 1 for training has class 10, must be from 0 to 9"},
	} {
		if _, err := NewPictureTask(c.train, c.validation); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
