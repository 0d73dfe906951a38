package train

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde/training/tasks"
)

// The learned fraction is 0 at the loss of a predictor that sees nothing, and 1 at the best possible loss.
func TestLearned(t *testing.T) {
	e := New()
	e.Task, e.Vocabulary, e.Tokens = masked, 7, 32
	task := e.standIn()
	best, _ := task.Best(false)
	for loss, want := range map[float64]float64{math.Log(7): 0, best: 1, (math.Log(7) + best) / 2: 0.5} {
		if got := learned(task, false, loss); !(math.Abs(got-want) <= 1e-14) {
			t.Errorf("loss %v: %v, want %v", loss, got, want)
		}
	}
	if got := learned(New().standIn(), false, math.Log(10)/4); !(math.Abs(got-0.75) <= 1e-14) {
		t.Errorf("reversals: %v", got)
	}
}

// The best loss and accuracy of a causal network are those of a predictor that sees no later tokens. If such
// a predictor can know nothing, the learned fraction is NaN.
func TestBestOfCausalNetworks(t *testing.T) {
	e := small(t, reverse)
	e.Tokens, e.Vocabulary, e.Causal = 2, 3, true
	loss, accuracy := e.best()
	if !(math.Abs(loss-math.Log(3)/2) <= 1e-15) || !(math.Abs(accuracy-2./3) <= 1e-15) {
		t.Errorf("reverse: %v and %v", loss, accuracy)
	}
	if got := learned(e.standIn(), true, loss); !(math.Abs(got-1) <= 1e-15) {
		t.Errorf("learned %v", got)
	}
	for _, law := range []string{textures, place, neighbour} {
		e := small(t, images)
		set(t, e, "image-law", law)
		if loss, _ := e.best(); !(loss < blind(e.standIn())) {
			t.Errorf("%s: %v", law, loss)
		}
		e.Causal = true
		loss, accuracy := e.best()
		if want := blind(e.standIn()); loss != want || !(math.Abs(accuracy-math.Exp(-want)) <= 1e-15) {
			t.Errorf("%s: %v and %v, want %v", law, loss, accuracy, want)
		}
		if got := learned(e.standIn(), true, loss-1); !math.IsNaN(got) {
			t.Errorf("%s: learned %v", law, got)
		}
	}
}

// set sets a parameter by its text.
func set(t *testing.T, e *Experiment, name, value string) {
	t.Helper()
	if err := e.parameter(name).Set(value); err != nil {
		t.Fatal(name, err)
	}
}

// small returns a short run of a task.
func small(t *testing.T, task string) *Experiment {
	e := New()
	set(t, e, "task", task)
	e.Layers, e.Dim, e.Tokens, e.Batch, e.Validation = []int{1}, 8, 8, 4, 4
	e.Steps, e.Every, e.Seeds, e.Warmup = 3, 3, 1, 0
	return e
}

// pictures returns a folder with files in CIFAR's format, with the given number of images in each file.
func pictures(t *testing.T, images int) string {
	t.Helper()
	directory := t.TempDir()
	for k, name := range []string{"data_batch_1", "data_batch_2", "data_batch_3", "data_batch_4",
		"data_batch_5", "test_batch"} {
		image := append([]byte{byte(k)}, bytes.Repeat([]byte{byte(40 * k), 7}, tasks.Numbers/2)...)
		path := filepath.Join(directory, name+".bin")
		if err := os.WriteFile(path, bytes.Repeat(image, images), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return directory
}

// Networks learn from files of text and images. Their best possible loss is not known, and is NaN.
func TestFilesAreLearnedFrom(t *testing.T) {
	prose := filepath.Join(t.TempDir(), "prose")
	if err := os.WriteFile(prose, []byte(strings.Repeat("abcdefgh ", 40)), 0o600); err != nil {
		t.Fatal(err)
	}
	fromText, fromImages := small(t, masked), small(t, images)
	set(t, fromText, "text", prose)
	set(t, fromImages, "data", pictures(t, 5))
	for _, e := range []*Experiment{fromText, fromImages} {
		rows, err := data.RowsOf[Row](experimenttest.Table(t, e, run.Options{Seed: 1}))
		if err != nil {
			t.Fatal(err)
		}
		whole := rows[len(rows)-int(rows[0].Layers)-2]
		if whole.Status != finished || !(whole.ValidationLoss > 0) || !(whole.Accuracy >= 0) {
			t.Errorf("%s: %+v", e.Task, whole)
		}
		if loss, _ := e.best(); !math.IsNaN(loss) {
			t.Errorf("%s: a best loss", e.Task)
		}
	}
}

// If a text is too short, or there are too few images, the run is refused before any work, with the
// parameter's name.
func TestTooLittleData(t *testing.T) {
	prose := filepath.Join(t.TempDir(), "prose")
	if err := os.WriteFile(prose, []byte(strings.Repeat("x", 79)), 0o600); err != nil {
		t.Fatal(err)
	}
	fromText, many, few := small(t, masked), small(t, images), small(t, images)
	set(t, fromText, "text", prose)
	for _, e := range []*Experiment{many, few} {
		set(t, e, "data", pictures(t, 1))
	}
	many.Batch, few.Batch, few.Validation = 6, 2, 2
	gone := small(t, masked)
	gone.Text = filepath.Join(t.TempDir(), "nothing")
	const short = "the text has 79 bytes: must have at least 80, so that its last tenth has a sequence of 8"
	for want, e := range map[string]*Experiment{
		"text " + prose + ": " + short:                                             fromText,
		"batch 6: must be at most the number of examples that are learned from, 5": many,
		"validation 2: must be at most the number of validation examples, 1":       few,
		"text " + gone.Text + ": no such file or directory":                        gone,
	} {
		err := e.Run(context.Background(), run.Options{Seed: 1}, data.SinkFunc(func(...data.Values) error {
			t.Error("a row")
			return nil
		}))
		if !errors.As(err, new(*parameter.Error)) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
