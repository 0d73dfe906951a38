package experiments

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"antipode/data"
)

// Parameter is one parameter of an experiment.
type Parameter struct {
	Name    string // also the key of its value in the parameters' JSON
	Meaning string // one line, with the symbol
	Unit    string // "" for a pure number
	Value   Value
}

// Value is the value of a parameter, which the experiment reads from its own
// field.
type Value interface {
	// Set reads the value from text. An error leaves the value as it was and is
	// one line that does not repeat the text.
	Set(text string) error
	// String is text that Set reads as the same value.
	String() string
	// Allowed says what the value may be, to follow "must be".
	Allowed() string
	// Placeholder stands for the value in a usage text, and names its type.
	Placeholder() string
	// Check is nil if the value is allowed.
	Check() error
}

// ParameterError says that the value of a parameter is not allowed.
type ParameterError struct {
	Parameter string // its name
	Value     string // as it was given
	Problem   string // what is allowed
}

// Error is one line that names the parameter, its value and what is allowed.
func (e *ParameterError) Error() string {
	return fmt.Sprintf("%s %s: %s", e.Parameter, e.Value, e.Problem)
}

// check returns a *ParameterError for the first of the parameters that has a value
// that is not allowed.
func check(parameters []Parameter) error {
	for _, p := range parameters {
		if err := p.Value.Check(); err != nil {
			return &ParameterError{p.Name, p.Value.String(), err.Error()}
		}
	}
	return nil
}

// checkCells is check for an experiment over a grid of (d, β), which may not have
// too many cells.
func checkCells(parameters []Parameter, dims []int, betas []float64) error {
	if err := check(parameters); err != nil {
		return err
	}
	if cells := len(dims) * len(betas); cells > largestGrid {
		return &ParameterError{"beta", fmt.Sprintf("(%d values)", len(betas)),
			fmt.Sprintf("with %d dimensions these are %d cells; must be at most %d", len(dims), cells, largestGrid)}
	}
	return nil
}

func mustBe(v Value) error { return fmt.Errorf("must be %s", v.Allowed()) }

// number is what a whole or real parameter may be: from Low to High, both
// included unless Low is excluded.
type number struct {
	low, high float64
	open      bool // low itself is not allowed
}

func (n number) contains(x float64) bool {
	return x >= n.low && x <= n.high && !(n.open && x == n.low)
}

func (n number) String() string {
	if n.open {
		return fmt.Sprintf("above %s, up to %s", formatReal(n.low), formatReal(n.high))
	}
	return fmt.Sprintf("from %s to %s", formatReal(n.low), formatReal(n.high))
}

// formatReal is the shortest text that reads as the same number.
func formatReal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// whole is a whole number in an int64.
type whole struct {
	field *int64
	number
}

func (v whole) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || !v.contains(float64(n)) {
		return mustBe(v)
	}
	*v.field = n
	return nil
}
func (v whole) String() string      { return strconv.FormatInt(*v.field, 10) }
func (v whole) Allowed() string     { return "a whole number " + v.number.String() }
func (v whole) Placeholder() string { return "COUNT" }
func (v whole) Check() error        { return checkThat(v.contains(float64(*v.field)), v) }

// realNumber is a real number in a float64.
type realNumber struct {
	field *float64
	number
}

func (v realNumber) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !v.contains(x) {
		return mustBe(v)
	}
	*v.field = x
	return nil
}
func (v realNumber) String() string      { return formatReal(*v.field) }
func (v realNumber) Allowed() string     { return "a number " + v.number.String() }
func (v realNumber) Placeholder() string { return "NUMBER" }
func (v realNumber) Check() error        { return checkThat(v.contains(*v.field), v) }

// choice is one of several names, in a string.
type choice struct {
	field *string
	names []string
}

func (v choice) Set(text string) error {
	if !slices.Contains(v.names, text) {
		return mustBe(v)
	}
	*v.field = text
	return nil
}
func (v choice) String() string { return *v.field }
func (v choice) Allowed() string {
	if len(v.names) == 1 {
		return v.names[0]
	}
	return strings.Join(v.names[:len(v.names)-1], ", ") + " or " + v.names[len(v.names)-1]
}
func (v choice) Placeholder() string { return "NAME" }
func (v choice) Check() error        { return checkThat(slices.Contains(v.names, *v.field), v) }

// index is the position of the chosen name.
func (v choice) index() int { return slices.Index(v.names, *v.field) }

// realGrid is a list of different real numbers.
type realGrid struct {
	field *[]float64
	number
}

func (v realGrid) Set(text string) error {
	values, err := parseGrid(text, v.number, false)
	if err != nil {
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	}
	*v.field = values
	return nil
}
func (v realGrid) String() string { return formatList(*v.field) }
func (v realGrid) Allowed() string {
	return "numbers " + v.number.String() + ": a list as 0.5,1,2 or a grid start:stop:step"
}
func (v realGrid) Placeholder() string { return "NUMBERS" }
func (v realGrid) Check() error        { return checkGrid(*v.field, v.number, false, v) }

// wholeGrid is a list of different whole numbers.
type wholeGrid struct {
	field *[]int
	number
}

func (v wholeGrid) Set(text string) error {
	values, err := parseGrid(text, v.number, true)
	if err != nil {
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	}
	whole := make([]int, len(values))
	for k, x := range values {
		whole[k] = int(x)
	}
	*v.field = whole
	return nil
}
func (v wholeGrid) String() string { return formatList(*v.field) }
func (v wholeGrid) Allowed() string {
	return "whole numbers " + v.number.String() + ": a list as 3,4,8, a range 4..10 or a grid start:stop:step"
}
func (v wholeGrid) Placeholder() string { return "COUNTS" }
func (v wholeGrid) Check() error {
	values := make([]float64, len(*v.field))
	for k, n := range *v.field {
		values[k] = float64(n)
	}
	return checkGrid(values, v.number, true, v)
}

func formatList[T any](values []T) string {
	var b strings.Builder
	for k, v := range values {
		if k > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(&b, v)
	}
	return b.String()
}

func checkThat(ok bool, v Value) error {
	if !ok {
		return mustBe(v)
	}
	return nil
}

func checkGrid(values []float64, allowed number, whole bool, v Value) error {
	if err := validateGrid(values, allowed, whole); err != nil {
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	}
	return nil
}

// parametersJSON is the metadata from which a run can be repeated.
func parametersJSON(e Experiment) string {
	text, err := json.Marshal(e)
	if err != nil { // parameters are finite numbers and strings
		panic(fmt.Sprintf("experiments: parameters of %s: %v", e.Name(), err))
	}
	return string(text)
}

// readParameters sets an experiment to the parameters in a table's metadata.
func readParameters(e Experiment, table *data.Table) error {
	text, _ := table.Schema.Value(data.KeyParameters)
	if err := json.Unmarshal([]byte(text), e); err != nil {
		return fmt.Errorf("%s: %w", data.KeyParameters, err)
	}
	if err := e.Validate(); err != nil {
		return fmt.Errorf("%s: %w", data.KeyParameters, err)
	}
	return nil
}

// layers is the number of layers in a horizon, or an error that belongs to the horizon.
func layers(depth int64, horizon float64) (int64, error) {
	return layersIn("horizon", depth, horizon)
}

// layersIn is the number of layers in a time, or an error of the parameter of that name.
func layersIn(parameter string, depth int64, time float64) (int64, error) {
	product := float64(depth) * time
	n := math.Round(product)
	if math.Abs(product-n) > 1e-9*max(1, product) || n < 1 {
		return 0, &ParameterError{parameter, formatReal(time),
			fmt.Sprintf("depth × %s must be a whole number of layers, at least 1; here it is %d × %s = %.6g", parameter, depth, formatReal(time), product)}
	}
	return int64(n), nil
}
