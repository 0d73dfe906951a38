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

// checkpoint is the file of an unfinished run. It is a table of the state of the run and of its records so
// far. For each run that has such a file, the journal has an entry. Without an entry a file is not used,
// because it may belong to another run.
type checkpoint struct {
	run     int
	path    string // "" if the run does not save checkpoints
	begun   int64  // index of the journal's entry for this run
	journal run.Journal
	last    time.Time // time of the last save
	pause   time.Duration
	there   bool
}

// A run saves its state at intervals. An interval is at least leastPause, and at least pauseFactor times as
// long as saving takes.
const (
	leastPause  = 200 * time.Millisecond
	pauseFactor = 20
)

// part says to which part of a state a number of a checkpoint belongs: it is the index in partsOf.
type part int8

// Labels implements data.Labelled.
func (part) Labels() []string { return []string{"weight", "first moment", "second moment", "record"} }

// partsOf returns the numbers of a state and of the records before it, in the order of the labels.
func partsOf(s *training.State, records *[]float64) []*[]float64 {
	return []*[]float64{&s.Weights, &s.First, &s.Second, records}
}

// checkpointRow is a number of a checkpoint.
type checkpointRow struct {
	_     struct{} `meaning:"what the number is: a weight or a moment of the optimiser, in the order of the"`
	_     struct{} `meaning:"parameters in the metadata, row by row; or a number of the records so far"`
	Part  part     `column:"part"`
	Value float64  `column:"value,nullable" meaning:"weight, moment or recorded number"`
}

// keyState is the metadata key of the part of a state that is not in the rows.
const keyState = "antipode.state"

// stateText is the value of keyState, in JSON.
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

// checkpoint returns the checkpoint of a run.
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

// forget removes the checkpoint of a finished run.
func (r *runs) forget(number int) error {
	if r.options.Unfinished == "" {
		return nil
	}
	return durable.Remove(r.checkpointPath(number))
}

// saveIfDue saves a state if enough time has passed.
func (c *checkpoint) saveIfDue(t *training.Trainer, records []float64) error {
	if c.path == "" || time.Since(c.last) < c.pause {
		return nil
	}
	return c.save(t, records)
}

// save saves the state of a trainer and the records so far. The trainer must have taken at least one step.
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

// write replaces the file by the state of a run and its records so far.
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

// restore sets a trainer to the state in the checkpoint, if there is a checkpoint. It returns the records
// before this state.
func (c *checkpoint) restore(t *training.Trainer, records []float64) ([]float64, error) {
	if !c.there {
		return records, nil
	}
	table, err := data.ReadFile(c.path)
	if errors.Is(err, fs.ErrNotExist) { // a person has removed the file, so the run starts again
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
