package train

import (
	"context"
	"errors"
	"math"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde/training"
	"antipode/sde/training/tasks"
)

// runs are all training runs of an experiment, ordered by index. The runs of a setting with different seeds
// have consecutive indices.
type runs struct {
	*Experiment
	source   source
	settings []setting
	options  run.Options
}

func (r *runs) count() int { return len(r.settings) * int(r.Seeds) }

// of returns the setting and the seed of the run with the given index.
func (r *runs) of(number int) (s *setting, seed uint64) {
	return &r.settings[number/int(r.Seeds)], r.options.Seed + uint64(number%int(r.Seeds))
}

// records returns the number of evaluations in a training run that does not diverge.
func (e *Experiment) records() int64 { return (e.Steps-1)/e.Every + 2 }

// wholeNumbers is how many numbers of the entire network a record of an evaluation has, and layerNumbers is
// how many numbers it has for each layer. The first number says whether the record exists.
const (
	wholeNumbers = 7
	layerNumbers = 12
)

// width returns how many numbers a record of an evaluation has in a setting.
func (s *setting) width() int { return wholeNumbers + layerNumbers*(s.network.Layers+1) }

func (r *runs) length(number int) int {
	s, _ := r.of(number)
	return int(r.records()) * s.width()
}

// check returns an error if the training runs need too much memory or time, or have seeds that a column of
// the table cannot hold.
func (r *runs) check() error {
	if first := r.options.Seed; first > math.MaxInt64-uint64(r.Seeds)+1 {
		return parameter.Errorf("seed", first, "all seeds must be below 2^63")
	}
	if r.options.Shards != nil {
		return nil
	}
	for k := range r.settings {
		if err := r.settings[k].validateTask(r.source); err != nil {
			return err
		}
	}
	memory, needs := 0.0, run.Needs{}
	workers := r.options.WorkerCount()
	for k := range r.settings {
		s := &r.settings[k]
		perRun := training.Memory(s.network, s.method, 1)
		together := float64(min(workers, r.count())) * perRun
		memory = max(memory, together, training.Memory(s.network, s.method, workers))
		needs.Seconds += float64(r.Seeds) * training.Seconds(s.network, s.method, r.records())
		needs.Rows += float64(r.Seeds) * float64(r.records()) * float64(s.network.Layers+2)
		needs.Kept += 8 * float64(r.Seeds) * float64(int(r.records())*s.width())
	}
	return run.CheckCost(memory, needs.Of(r.options.Part, int64(r.count())), r.options,
		r.Parameters(), "dim", "steps")
}

func (e *Experiment) parameter(name string) parameter.Parameter {
	return parameter.ByName(e.Parameters(), name)
}

// workersOf returns the number of goroutines of a training run. The number is one, except for the last runs:
// if fewer runs than workers are left, these runs share the workers.
func (r *runs) workersOf(number int) int {
	count, place := r.count(), number
	if of := int(r.options.Part.Of); of > 0 {
		count, place = (count-int(r.options.Part.Number)+of-1)/of, number/of
	}
	workers := r.options.WorkerCount()
	last := count % workers
	if place < count-last {
		return 1
	}
	return (workers + last - 1) / last
}

// train trains the network of a run and returns the numbers of its records. If the run diverges, the numbers
// of the missing records are NaN.
func (r *runs) train(ctx context.Context, number int) ([]float64, error) {
	s, seed := r.of(number)
	task, err := s.task(seed, r.source)
	if err != nil {
		return nil, err
	}
	t, err := training.NewTrainer(s.network, task, s.method, seed, r.workersOf(number))
	if err != nil {
		return nil, err
	}
	if overlap := s.overlap(); overlap > 0 {
		tasks.Collapse(t.Transformer(), overlap, seed)
	}
	numbers := make([]float64, 0, r.length(number))
	c := r.checkpoint(number)
	if numbers, err = c.restore(t, numbers); err != nil {
		return nil, err
	}
	if t.Step() == 0 {
		if err := r.saveModel(number, s, t, "first"); err != nil {
			return nil, err
		}
	}
	run.Advance(ctx, t.Step(), t.Step())
	for {
		if err := ctx.Err(); err != nil {
			return nil, errors.Join(err, c.save(t, numbers))
		}
		if err := c.saveIfDue(t, numbers); err != nil {
			return nil, err
		}
		if t.Step()%r.Every == 0 || t.Step() == r.Steps {
			numbers = s.appendRecord(numbers, t.Record(), t.Step() == r.Steps)
		}
		if t.Step() == r.Steps {
			break
		}
		if err := t.Next(); errors.Is(err, training.ErrDiverged) {
			if t.Step()%r.Every != 0 {
				numbers = s.appendRecord(numbers, t.Record(), false)
			}
			break
		} else if err != nil {
			return nil, err
		}
		run.Advance(ctx, 1, 0)
	}
	for len(numbers) < cap(numbers) {
		numbers = append(numbers, math.NaN())
	}
	return numbers, r.saveModel(number, s, t, "last")
}

// statusNumbers lists the states of a training run. A record stores a state as its index in this list.
var statusNumbers = []runStatus{learning, finished, diverged}

// temperature returns the temperature τ of (47) of rank-collapse for the tokens after a layer, from their
// mean square and their mean cosine.
func (s *setting) temperature(l training.LayerRecord) float64 {
	return temperature(float64(s.network.Tokens), float64(s.network.Dim), l.Square, l.Cosine)
}

func (s *setting) appendRecord(numbers []float64, r training.Record, last bool) []float64 {
	status := 0.
	switch {
	case r.Diverged:
		status = 2
	case last:
		status = 1
	}
	before := len(numbers)
	numbers = append(numbers, status, float64(r.Step), r.Loss, r.ValidationLoss, r.Accuracy, r.Rate,
		r.GradientNorm)
	for _, l := range r.Layers {
		numbers = append(append(numbers, l.Cosine, l.Entropy, l.StableRank), l.Strengths[:]...)
		numbers = append(numbers, l.Norm, l.Plus, l.Minus, l.Clusters, s.temperature(l))
	}
	for k := before; k < len(numbers); k++ {
		numbers[k] = data.FiniteOrNaN(numbers[k])
	}
	return numbers
}

// rows returns the rows of a training run from the numbers of its records.
func (r *runs) rows(number int, numbers []float64) (rows []Row) {
	s, seed := r.of(number)
	row := data.NullRow[Row]()
	row.Run, row.Seed, row.Task = int32(number), int64(seed), taskLabel(s.Task)
	row.Layers, row.Norm = int32(s.Layers[0]), normLabel(s.Norm[0])
	row.Attention = attentionName(s.Attention[0])
	row.Values, row.AlphaSA, row.Beta = valueLabel(values(s.Values[0]).law()), s.AlphaSA[0], s.Beta[0]
	row.SigmaV2, row.Branches, row.Overlap = s.SigmaV2[0], s.Branches[0], s.overlap()
	row.Optimiser, row.LearningRate = ruleLabel(s.Optimiser[0]), s.LearningRate[0]
	for ; len(numbers) > 0 && !math.IsNaN(numbers[0]); numbers = numbers[s.width():] {
		row.Status, row.Step = statusNumbers[int(numbers[0])], int64(numbers[1])
		whole := row
		for k, field := range []*float64{&whole.Loss, &whole.ValidationLoss, &whole.Accuracy, &whole.Rate,
			&whole.GradientNorm} {
			*field = numbers[2+k]
		}
		rows = append(rows, whole)
		for l := range s.network.Layers + 1 {
			layer := row
			layer.Layer = float64(l)
			for k, field := range layerFields(&layer) {
				*field = numbers[wholeNumbers+layerNumbers*l+k]
			}
			rows = append(rows, layer)
		}
	}
	return rows
}

// layerFields returns pointers to the fields of a row about a layer, in the order of the numbers of a record.
func layerFields(r *Row) []*float64 {
	return []*float64{&r.Cosine, &r.Entropy, &r.StableRank, &r.Alpha, &r.Branch, &r.MLPAlpha, &r.MLPBranch,
		&r.TokenNorm, &r.Plus, &r.Minus, &r.Clusters, &r.Temperature}
}
