package train

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"antipode/experiments/internal/cifar"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/text"
	"antipode/experiments/parameter"
	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sde/training/tasks"
)

// source holds the data that a task reads from files. If a task has no files, the task uses synthetic data of
// the same shape as the data of files.
type source struct {
	text              []byte
	train, validation tasks.Pictures
}

// source reads the files that the task of the experiment needs.
func (e *Experiment) source() (s source, err error) {
	switch {
	case e.Task == masked:
		s.text, err = text.Bytes(e.Text)
	case e.Task == images && e.Data != namedfile.None:
		s.train, s.validation, err = cifar.Read(e.Data)
	}
	return s, err
}

// The laws of the synthetic data: three laws of images, and walkNoise, the probability that a walk on the
// ring jumps to any place.
var textureLaw = tasks.TextureLaw{Classes: 10, Strength: 4, Negative: 0.2}

var (
	placeLaw     = tasks.PlaceLaw{Classes: 10, Strength: 5}
	neighbourLaw = tasks.NeighbourLaw{Classes: 5, Strength: 5}
)

const walkNoise = 0.05

// masks returns the number of masked tokens in a sequence, 15 % of the tokens.
func (e *Experiment) masks() int { return max(1, int((15*e.Tokens+50)/100)) }

// length returns the number of tokens in a sequence of the task.
func (e *Experiment) length() float64 {
	if e.Task == images {
		return float64(e.standIn().Fit(network.Network{}).Tokens)
	}
	return float64(e.Tokens)
}

// task returns the task that networks with a seed learn. The number of training examples may be limited by
// the parameters.
func (e *Experiment) task(seed uint64, data source) (training.Task, error) {
	task, err := e.endlessTask(seed, data)
	if err != nil || e.Examples == 0 || task.Examples(training.Train) > 0 {
		return task, err
	}
	return tasks.First(task, e.Examples), nil
}

// endlessTask returns the task that networks with a seed learn, with all examples that are available.
func (e *Experiment) endlessTask(seed uint64, data source) (training.Task, error) {
	switch e.Task {
	case heaviside:
		if e.Tokens > e.Dim {
			return nil, parameter.Errorf("tokens", e.Tokens, "must be at most the dimension, %d, as the "+
				"tokens are orthonormal", e.Dim)
		}
		task, err := tasks.NewHeaviside(int(e.Tokens), int(e.Dim), e.Examples, e.Validation, seed)
		if err != nil {
			return nil, e.problem("examples", err)
		}
		return task, nil
	case masked:
		return e.maskedTask(seed, data)
	case images:
		return e.imageTask(seed, data)
	}
	return tasks.Reverse{Digits: int(e.Tokens), Kinds: int(e.Vocabulary), Seed: seed}, nil
}

func (e *Experiment) maskedTask(seed uint64, data source) (training.Task, error) {
	if e.Text != namedfile.None {
		bytes := data.text
		if bytes == nil {
			bytes = make([]byte, 10*e.Tokens)
		}
		task, err := tasks.MaskedText(bytes, int(e.Tokens), e.masks(), seed)
		if err != nil {
			return nil, parameter.Errorf("text", namedfile.Name(e.Text), "%v", err)
		}
		return task, nil
	}
	if e.Memory > 1 {
		walk := tasks.LongWalk{Symbols: int(e.Vocabulary), Memory: int(e.Memory), Noise: walkNoise}
		task, err := tasks.MaskedLongWalk(walk, int(e.Tokens), e.masks(), seed)
		if err != nil {
			if problem, ok := strings.CutPrefix(err.Error(), fmt.Sprintf("tokens %d: ", e.Tokens)); ok {
				return nil, e.problem("tokens", errors.New(problem))
			}
			return nil, e.problem("memory", errors.New(strings.TrimPrefix(err.Error(),
				fmt.Sprintf("memory %d: ", e.Memory))))
		}
		return task, nil
	}
	chain, err := tasks.Walk(int(e.Vocabulary), []int{-1, 1}, walkNoise)
	if err != nil {
		return nil, e.problem("vocabulary", err)
	}
	task, err := tasks.MaskedChain(chain, int(e.Tokens), e.masks(), seed)
	if err != nil {
		return nil, e.problem("tokens", err)
	}
	return task, nil
}

func (e *Experiment) imageTask(seed uint64, data source) (training.Task, error) {
	task, err := e.imagesOfPatches(seed, data)
	if err != nil {
		return nil, err
	}
	return tasks.Recut(task, int(e.Patch)), nil
}

// imagesOfPatches returns the task of classifying images that are divided into patches.
func (e *Experiment) imagesOfPatches(seed uint64, data source) (training.Task, error) {
	if e.Data == namedfile.None {
		switch e.ImageLaw {
		case place:
			return tasks.NewPlaces(placeLaw, seed)
		case neighbour:
			return tasks.NewNeighbours(neighbourLaw, seed)
		}
		return tasks.NewTextures(textureLaw, e.Examples, e.Validation, seed)
	}
	train, validation := data.train, data.validation
	if train.Classes == nil {
		blank := tasks.Pictures{Classes: make([]byte, e.Batch+e.Validation)}
		blank.Bytes = make([]byte, len(blank.Classes)*tasks.Numbers)
		train, validation = blank, blank
	}
	if e.Examples > 0 {
		train = cifar.First(train, int(e.Examples))
	}
	return tasks.NewPictureTask(train, validation)
}

// hasWords reports whether the input tokens of the task are words, which have embeddings.
func (e *Experiment) hasWords() bool { return e.Task == reverse || e.Task == masked }

// overlap returns the overlap of the embeddings of different words, or NaN if the task has no words.
func (e *Experiment) overlap() float64 {
	if e.hasWords() {
		return e.Overlap[0]
	}
	return math.NaN()
}

// standIn returns the task of the experiment on synthetic data instead of data from files.
func (e *Experiment) standIn() training.Task {
	task, err := e.task(0, source{})
	if err != nil { // the parameters are invalid, which Validate reports
		return tasks.Reverse{Digits: 2, Kinds: 2}
	}
	return task
}

// problem returns err as a *parameter.Error of the parameter with the given name.
func (e *Experiment) problem(name string, err error) error {
	return parameter.Errorf(name, e.parameter(name).Value.String(), "%v", err)
}

// blind returns the loss of the best predictor that does not see the input sequence. A network that learns
// has a smaller loss. The result is NaN if this loss is not known.
func blind(task training.Task) float64 {
	if t, ok := task.(interface{ Blind() float64 }); ok {
		return t.Blind()
	}
	return math.NaN()
}

// best returns the least mean loss and the largest accuracy that the networks of the experiment can have.
func (e *Experiment) best() (loss, accuracy float64) { return e.standIn().Best(e.Causal) }

// learned returns, for a loss, the learned fraction of what can be learned. The fraction is 0 for the best
// predictor that does not see the sequence, and 1 for the best predictor of all, or of all causal predictors.
// The fraction is NaN if the loss of one of these predictors is not known, or if both losses are equal.
func learned(task training.Task, causal bool, loss float64) float64 {
	best, _ := task.Best(causal)
	if best == blind(task) {
		return math.NaN()
	}
	return (blind(task) - loss) / (blind(task) - best)
}
