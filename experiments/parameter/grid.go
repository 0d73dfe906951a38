package parameter

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// LargestGrid is the largest number of values of a parameter that is a list or a grid.
const LargestGrid = 100_000

// parseGrid parses a list of numbers, with elements separated by commas. An element is a number, a grid
// start:stop:step that includes both ends, or, for integers, a range first..last. Each value of a grid is the
// float64 nearest to the decimal number that a person would write, so that the fourth value of 0:1:0.1 is
// 0.3.
func parseGrid(text string, allowed Range, whole bool) ([]float64, error) {
	var values []float64
	for _, element := range strings.Split(text, ",") {
		more, err := parseElement(strings.TrimSpace(element), LargestGrid-len(values), whole)
		if err != nil {
			return nil, err
		}
		values = append(values, more...)
	}
	return values, validateGrid(values, allowed)
}

func validateGrid(values []float64, allowed Range) error {
	if len(values) == 0 {
		return fmt.Errorf("no values")
	}
	if len(values) > LargestGrid {
		return fmt.Errorf("more than %d values", LargestGrid)
	}
	seen := make(map[float64]bool, len(values))
	for _, x := range values {
		switch {
		case !allowed.Contains(x):
			return fmt.Errorf("%s is out of bounds", FormatReal(x))
		case seen[x]:
			return fmt.Errorf("%s is there twice", FormatReal(x))
		}
		seen[x] = true
	}
	return nil
}

func parseElement(text string, most int, whole bool) ([]float64, error) {
	if first, last, ok := strings.Cut(text, ".."); ok {
		return parseSteps(text, []string{first, last, "1"}, most, whole)
	}
	parts := strings.Split(text, ":")
	switch len(parts) {
	case 1:
		x, err := parseExactly(text, whole)
		if err != nil {
			return nil, err
		}
		value, _ := x.Float64()
		return []float64{value}, nil
	case 3:
		return parseSteps(text, parts, most, whole)
	}
	return nil, fmt.Errorf("%.40q is not start:stop:step", text)
}

// parseSteps returns the numbers of the grid start:stop:step, whose three parts are given. More than most
// numbers are an error that quotes the text.
func parseSteps(text string, parts []string, most int, whole bool) ([]float64, error) {
	var exact [3]*big.Rat
	for k, part := range parts {
		x, err := parseExactly(part, whole)
		if err != nil {
			return nil, fmt.Errorf("%w in %.40q", err, text)
		}
		exact[k] = x
	}
	start, stop, step := exact[0], exact[1], exact[2]
	if step.Sign() <= 0 {
		return nil, fmt.Errorf("the step of %.40q is not above 0", text)
	}
	if start.Cmp(stop) > 0 {
		return nil, fmt.Errorf("%.40q is reversed", text)
	}
	count := new(big.Rat).Quo(new(big.Rat).Sub(stop, start), step)
	if limit := int64(most - 1); count.Cmp(new(big.Rat).SetInt64(limit)) > 0 {
		return nil, fmt.Errorf("%.40q has more than %d values", text, LargestGrid)
	}
	if !count.IsInt() {
		return nil, fmt.Errorf("%.40q does not end at its stop", text)
	}
	values := make([]float64, count.Num().Int64()+1)
	x := new(big.Rat).Set(start)
	for k := range values {
		values[k], _ = x.Float64()
		x.Add(x, step)
	}
	return values, nil
}

// parseExactly parses a part of a grid start:stop:step exactly: as an integer, or as the shortest decimal
// number that has the same float64.
func parseExactly(text string, whole bool) (*big.Rat, error) {
	if whole {
		n, err := ParseWhole(text)
		if err != nil {
			return nil, err
		}
		return new(big.Rat).SetInt(n), nil
	}
	x, err := ParseNumber(text)
	if err != nil {
		return nil, err
	}
	if math.IsInf(x, 0) {
		return nil, fmt.Errorf("%s is out of bounds", strings.TrimSpace(text))
	}
	exact, _ := new(big.Rat).SetString(FormatReal(x))
	return exact, nil
}
