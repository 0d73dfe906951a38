package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/run"
	"antipode/sde/training"
)

// checkpoint is the file with the state of an unfinished training run. The file is a table of the weights,
// their moments and the records so far. The journal has an entry for each run that has such a file. A file
// without an entry in the journal is not used, because it may belong to another run.
type checkpoint struct {
	run     int
	path    string // "" if the run does not save checkpoints
	begun   int64  // index of the entry for this run in the journal
	journal run.Journal
	last    time.Time // time at which the state was last saved
	pause   time.Duration
	there   bool
}

// The intervals at which a training run saves its state. An interval is at least leastPause, and at least
// pauseFactor times as long as saving the state takes.
const (
	leastPause  = 200 * time.Millisecond
	pauseFactor = 20
)

// part says what a number of a checkpoint is, as its index in the result of partsOf: a weight, a moment of a
// weight, or a number of a record.
type part int8

// Labels implements data.Labelled. The labels name the parts of a checkpoint.
func (part) Labels() []string { return []string{"weight", "first moment", "second moment", "record"} }

// partsOf returns pointers to the numbers of a training state and of the records before it, in the order of
// the labels of part.
func partsOf(s *training.State, records *[]float64) []*[]float64 {
	return []*[]float64{&s.Weights, &s.First, &s.Second, records}
}

// checkpointRow is a row of the table of a checkpoint: one number.
type checkpointRow struct {
	_     struct{} `meaning:"what the number is: a weight or a moment of the optimiser, in the order of the"`
	_     struct{} `meaning:"parameters in the metadata, row by row; or a number of the records so far"`
	Part  part     `column:"part"`
	Value float64  `column:"value,nullable" meaning:"weight, moment or recorded number"`
}

// keyState is the metadata key of a checkpoint for what is not in its rows: the run, the step and the shapes
// of the weights.
const keyState = "antipode.state"

// stateText is the value of keyState in the metadata of a checkpoint, in JSON.
type stateText struct {
	Run        int             `json:"run"`
	Step       int64           `json:"step"`
	Parameters []parameterText `json:"parameters"`
}

type parameterText struct {
	Name    string `json:"name"`
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"`
}

// checkpoint returns the checkpoint of the run with the given index.
func (r *runs) checkpoint(number int) *checkpoint {
	c := &checkpoint{run: number, begun: int64(r.count() + number), journal: r.options.Journal,
		last: time.Now(), pause: leastPause}
	if r.options.Unfinished != "" && r.options.Journal != nil {
		c.path = r.checkpointPath(number)
		c.there = c.journal.Has(c.begun)
	}
	return c
}

func (r *runs) checkpointPath(number int) string {
	return filepath.Join(r.options.Unfinished, strconv.Itoa(number))
}

// forget removes the checkpoint file of a finished training run.
func (r *runs) forget(number int) error {
	if r.options.Unfinished == "" {
		return nil
	}
	return durable.Remove(r.checkpointPath(number))
}

// saveIfDue saves the state of a trainer if enough time has passed since the state was last saved.
func (c *checkpoint) saveIfDue(t *training.Trainer, records []float64) error {
	if c.path == "" || time.Since(c.last) < c.pause {
		return nil
	}
	return c.save(t, records)
}

// save saves the state of a trainer and the records so far in the checkpoint file. A trainer without a step
// is not saved.
func (c *checkpoint) save(t *training.Trainer, records []float64) error {
	if c.path == "" || t.Step() == 0 {
		return nil
	}
	start := time.Now()
	if err := c.write(t, records); err != nil {
		return err
	}
	c.last = time.Now()
	c.pause = max(leastPause, pauseFactor*c.last.Sub(start))
	if c.there {
		return nil
	}
	c.there = true
	return c.journal.Append(c.begun, run.Floats.Append(nil, nil))
}

// write replaces the checkpoint file by the present state of a trainer and the records so far.
func (c *checkpoint) write(t *training.Trainer, records []float64) error {
	s := t.State()
	text := stateText{Run: c.run, Step: s.Step}
	for _, p := range t.Transformer().Parameters {
		text.Parameters = append(text.Parameters, parameterText{p.Name, p.Rows, p.Cols})
	}
	state, err := json.Marshal(text)
	if err != nil {
		return err
	}
	if err := durable.MakeFolder(filepath.Dir(c.path)); err != nil {
		return err
	}
	w, err := data.Create(c.path, data.Schema{
		Columns: data.ColumnsOf[checkpointRow](),
		Metadata: []data.Entry{
			{Key: data.KeyTable, Value: "train checkpoint"}, {Key: keyState, Value: string(state)},
		},
	})
	if err != nil {
		return err
	}
	for k, numbers := range partsOf(&s, &records) {
		labels := data.Slice[int8](slices.Repeat([]int8{int8(k)}, len(*numbers)))
		if err := w.Write(labels, data.Slice[float64](*numbers)); err != nil {
			return errors.Join(err, w.Abort())
		}
	}
	return w.Close()
}

// restore sets a trainer to the state in the checkpoint file, if there is such a file, and returns the
// records before this state.
func (c *checkpoint) restore(t *training.Trainer, records []float64) ([]float64, error) {
	if !c.there {
		return records, nil
	}
	table, err := data.ReadFile(c.path)
	if errors.Is(err, fs.ErrNotExist) { // a person has removed the file, so the run begins anew
		return records, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.path, err)
	}
	var text stateText
	value, _ := table.Schema.Value(keyState)
	if err := json.Unmarshal([]byte(value), &text); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", c.path, keyState, err)
	}
	rows, err := data.RowsOf[checkpointRow](table)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.path, err)
	}
	s := training.State{Step: text.Step}
	parts := partsOf(&s, &records)
	for _, row := range rows {
		numbers := parts[row.Part]
		*numbers = append(*numbers, row.Value)
	}
	if err := t.Restore(s); err != nil {
		return nil, fmt.Errorf("%s: %w", c.path, err)
	}
	return records, nil
}
