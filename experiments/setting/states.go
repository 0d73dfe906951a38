package setting

import (
	"errors"
	"fmt"

	"antipode/data"
	"antipode/experiments/internal/coordinates"
	"antipode/experiments/internal/namedfile"
	"antipode/sde"
)

const largestStates = 1 << 30 // bytes

// stateColumn returns the name of the column of token i, counted from 0, in a table of states of tokens.
func stateColumn(i int) string { return fmt.Sprintf("x%d", i+1) }

// readStates reads states of tokens from an Arrow file, as the experiment simulate saves them. A row is a
// state: the columns x1, x2, … are the positions of the tokens, vectors of equal length. If there is a column
// trajectory, consecutive rows with the same index in this column form a trajectory, and only the last row of
// a trajectory counts. The columns of coordinates.Names must have one value each. Other columns are ignored.
func readStates(path string) (start fileStates, checksum string, err error) {
	if err := namedfile.MustBeRegular(path); err != nil {
		return start, "", err
	}
	reader, err := data.Open(path)
	if err != nil {
		return start, "", err
	}
	defer reader.Close()
	collected, tokens, dim, err := collectStates(reader)
	if err != nil {
		return start, "", err
	}
	if start.StatesStart, err = sde.NewStatesStart(collected.states, tokens, dim); err != nil {
		return start, "", err
	}
	start.places = placesOf(collected.trajectories)
	return start, start.Checksum(), nil
}

// fileStates holds the states of a file, and the trajectories that end with them.
type fileStates struct {
	*sde.StatesStart
	places places
}

// collectStates reads all rows of a table of states, and returns the last state of each trajectory. For n
// trajectories, the states are n×tokens×dim numbers.
func collectStates(reader *data.Reader) (collected lastStates, tokens, dim int, err error) {
	tokens, dim, err = StateColumns(reader.Schema())
	if err != nil {
		return collected, 0, 0, err
	}
	collected.size = tokens * dim
	_, own := reader.Schema().Value(data.KeyCommand) // columns of other files may mean anything
	var ensemble coordinates.Check
	for part, err := range data.Parts(reader.Next) {
		if err == nil && own {
			err = ensemble.Add(part)
		}
		if err == nil {
			err = collected.add(part, tokens, dim)
		}
		if err != nil {
			return collected, 0, 0, err
		}
	}
	if len(collected.states) == 0 {
		return collected, 0, 0, errors.New("the file has no states")
	}
	return collected, tokens, dim, nil
}

// StateColumns returns the number of columns x1, x2, … of a table of states, which is the number of tokens,
// and the length of the vectors in these columns.
func StateColumns(schema data.Schema) (tokens, dim int, err error) {
	for ; ; tokens++ {
		at := schema.Index(stateColumn(tokens))
		if at < 0 {
			break
		}
		column := schema.Columns[at]
		if column.Kind != data.Vector || tokens > 0 && column.Length != dim {
			return 0, 0, fmt.Errorf("column %s is of %s: %s", column.Name, kindOf(column), wantedStates)
		}
		dim = column.Length
	}
	if tokens == 0 {
		return 0, 0, fmt.Errorf("the file has no column x1: %s", wantedStates)
	}
	return tokens, dim, nil
}

// wantedStates is the part of an error that says what a file of states must contain.
const wantedStates = "it must have lists of d numbers x1, x2, … as of --save states"

func kindOf(column data.Column) string {
	if column.Kind == data.Vector {
		return fmt.Sprintf("lists of %d numbers", column.Length)
	}
	return fmt.Sprintf("values of kind %v", column.Kind)
}

// lastStates collects the last state of each trajectory of a table of states.
type lastStates struct {
	size         int
	states       []float64
	trajectories []int64 // index of the trajectory of each state; nil without a column trajectory
}

// add adds the next rows of the table of states to the collection. Consecutive rows of a trajectory must be
// in order.
func (l *lastStates) add(part *data.Table, tokens, dim int) error {
	numbers, err := trajectoryNumbers(part)
	if err != nil {
		return err
	}
	columns := make([][]float64, tokens)
	for i := range columns {
		if columns[i], err = data.ValuesOf[float64](part, stateColumn(i)); err != nil {
			return err
		}
	}
	for row := range part.Rows() {
		if n := len(l.trajectories); n > 0 && numbers[row] == l.trajectories[n-1] {
			l.states = l.states[:len(l.states)-l.size]
		} else if numbers != nil {
			l.trajectories = append(l.trajectories, numbers[row])
		}
		if 8*(len(l.states)+l.size) > largestStates {
			return fmt.Errorf("the states take more than %d GiB of memory", largestStates>>30)
		}
		for _, column := range columns {
			l.states = append(l.states, column[row*dim:(row+1)*dim]...)
		}
	}
	return nil
}

// trajectoryNumbers returns the column trajectory of a table of states, or nil if the table has no column
// trajectory.
func trajectoryNumbers(table *data.Table) ([]int64, error) {
	const name = "trajectory"
	if table.Schema.Index(name) < 0 {
		return nil, nil
	}
	numbers, err := data.ValuesOf[int64](table, name)
	if err == nil {
		return numbers, nil
	}
	short, err := data.ValuesOf[int32](table, name)
	if err != nil {
		return nil, fmt.Errorf("column %s: must be whole numbers", name)
	}
	numbers = make([]int64, len(short))
	for k, n := range short {
		numbers[k] = int64(n)
	}
	return numbers, nil
}
