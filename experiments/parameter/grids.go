package parameter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"antipode/internal/lists"
)

// Reals returns a parameter value that is a list of different real numbers in a range, written as
// start:stop:step or separated by commas.
func Reals(field *[]float64, allowed Range) Value { return realGrid{field, allowed, ""} }

type realGrid struct {
	field *[]float64
	Range
	absent string // text of an empty list; "" if the list must not be empty
}

func (v realGrid) Set(text string) error {
	if v.absent != "" && text == v.absent {
		*v.field = nil
		return nil
	}
	values, err := parseGrid(text, v.Range, false)
	if err != nil {
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	}
	*v.field = values
	return nil
}
func (v realGrid) String() string {
	if *v.field == nil {
		return v.absent
	}
	return formatGrid(*v.field, v.Range)
}
func (v realGrid) Allowed() string {
	numbers := "numbers " + v.Range.String() + ": a list such as 0.5,1,2 or a grid start:stop:step"
	if v.absent != "" {
		return v.absent + " or " + numbers
	}
	return numbers
}
func (v realGrid) Placeholder() string { return "NUMBERS" }
func (v realGrid) Check() error {
	if v.absent != "" && *v.field == nil {
		return nil
	}
	return checkGrid(*v.field, v.Range, v)
}

// Wholes returns a parameter value that is a list of different integers in a range, written as first..last,
// as start:stop:step or separated by commas.
func Wholes(field *[]int, allowed Range) Value { return wholeGrid{field, allowed} }

type wholeGrid struct {
	field *[]int
	Range
}

func (v wholeGrid) Set(text string) error {
	values, err := parseGrid(text, v.Range, true)
	if err != nil {
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	}
	whole := lists.Map(values, func(x float64) int { return int(x) })
	*v.field = whole
	return nil
}
func (v wholeGrid) String() string { return FormatList(*v.field) }
func (v wholeGrid) Allowed() string {
	return "whole numbers " + v.Range.String() +
		": a list such as 3,4,8, a range 4..10 or a grid start:stop:step"
}
func (v wholeGrid) Placeholder() string { return "COUNTS" }
func (v wholeGrid) Check() error {
	values := lists.Map(*v.field, func(n int) float64 { return float64(n) })
	return checkGrid(values, v.Range, v)
}

func checkGrid(values []float64, allowed Range, v Value) error {
	if err := validateGrid(values, allowed); err != nil {
		return fmt.Errorf("%w; must be %s", err, v.Allowed())
	}
	return nil
}

// formatGrid returns the text of a list of numbers. The text is start:stop:step if there are more than three
// numbers and that grid has exactly these numbers. Otherwise the text lists the numbers, separated by commas.
func formatGrid(values []float64, allowed Range) string {
	if last := len(values) - 1; last >= 3 {
		const digits = 12 // of a step; a rounded step must give exactly the same values
		step := strconv.FormatFloat((values[last]-values[0])/float64(last), 'g', digits, 64)
		text := fmt.Sprintf("%v:%v:%s", values[0], values[last], step)
		if given, err := parseGrid(text, allowed, false); err == nil && slices.Equal(given, values) {
			return text
		}
	}
	return FormatList(values)
}

// FormatList returns the text of a list: its values, separated by commas.
func FormatList[T any](values []T) string {
	var b strings.Builder
	for k, v := range values {
		if k > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(&b, v)
	}
	return b.String()
}
