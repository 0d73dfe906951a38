package simulate

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/sde"
)

// startChoice is the text of a start, with the checksum of the states if it names
// a file that has been read.
type startChoice struct{ field *string }

func (v startChoice) Set(text string) error {
	start, err := startFrom(text)
	switch {
	case err != nil && isStatesFile(text):
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	case err != nil:
		return err
	}
	if states, ok := start.(*sde.StatesStart); ok {
		text = namedfile.Name(text) + namedfile.Mark + states.Checksum()
	}
	*v.field = text
	return nil
}
func (v startChoice) NamesFile(text string) (name string, is bool) {
	return namedfile.Name(text), isStatesFile(text)
}
func (v startChoice) String() string { return *v.field }
func (v startChoice) Allowed() string {
	return "uniform, overlap:Z (a pair, Z from -1 to 1), opposite:M1,M2 (opposite clusters of so many " +
		"tokens) or FILE.arrow (saved states)"
}
func (v startChoice) Placeholder() string { return "START" }
func (v startChoice) Check() error {
	if isStatesFile(*v.field) {
		return nil // without a look at the file, which a figure does not need
	}
	_, err := startFrom(*v.field)
	return err
}

func isStatesFile(text string) bool {
	return strings.HasSuffix(namedfile.Name(text), ".arrow")
}

// startFrom returns the start that a text describes, and reads its file if there
// is one.
func startFrom(text string) (sde.Start, error) {
	kind, rest, _ := strings.Cut(text, ":")
	switch {
	case isStatesFile(text):
		file, sum := namedfile.Split(text)
		start, err := ReadStates(file)
		if err != nil {
			return nil, err
		}
		return start, namedfile.Compare(sum, start.Checksum())
	case text == setting.UniformStart:
		return sde.UniformStart{}, nil
	case kind == "overlap":
		if z, err := parameter.ParseNumber(rest); err == nil && math.Abs(z) <= 1 {
			return sde.PairStart{Overlap: z}, nil
		}
	case kind == "opposite":
		one, other, _ := strings.Cut(rest, ",")
		first, err := parameter.ParseWithin(one, 1, math.MaxInt32)
		second, err2 := parameter.ParseWithin(other, 1, math.MaxInt32)
		if err == nil && err2 == nil {
			return sde.OppositeStart{First: int(first), Second: int(second)}, nil
		}
	}
	return nil, parameter.MustBe(startChoice{&text})
}

const largestStates = 1 << 30 // bytes

// ReadStates reads states from an Arrow file: columns x1, x2, … of vectors of one
// length, as an Experiment saves them. With a column trajectory each run of rows of one
// number is a trajectory, whose last row is its state; without one every row is a
// state. Other columns do not matter.
func ReadStates(path string) (start *sde.StatesStart, err error) {
	if err := namedfile.MustBeRegular(path); err != nil {
		return nil, err
	}
	reader, err := data.Open(path)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	tokens, dim, err := stateColumns(reader.Schema())
	if err != nil {
		return nil, err
	}
	collected := lastStates{size: tokens * dim}
	for {
		part, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = collected.add(part, tokens, dim)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(collected.states) == 0 {
		return nil, errors.New("the file has no states")
	}
	return sde.NewStatesStart(collected.states, tokens, dim)
}

// stateColumns is the number of the columns x1, x2, … and their length.
func stateColumns(schema data.Schema) (tokens, dim int, err error) {
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

// wantedStates is what a file of states must be.
const wantedStates = "it must have columns x1, x2, … of lists of d numbers, a row a state, " +
	"as --save states and pandas write them"

func kindOf(column data.Column) string {
	if column.Kind == data.Vector {
		return fmt.Sprintf("lists of %d numbers", column.Length)
	}
	return fmt.Sprintf("values of kind %v", column.Kind)
}

// lastStates collects the last state of each trajectory.
type lastStates struct {
	size    int
	states  []float64
	current int64 // the trajectory of the last state
}

// add takes the next rows, in the order of trajectories.
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
		if len(l.states) > 0 && numbers != nil && numbers[row] == l.current {
			l.states = l.states[:len(l.states)-l.size]
		}
		if numbers != nil {
			l.current = numbers[row]
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

// trajectoryNumbers is the column trajectory, nil if there is none.
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
