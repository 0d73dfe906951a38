package parameter

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// ParseNumber parses a real number in decimal form, such as 12, -0.5 or 1e6, possibly surrounded by blanks.
// ParseNumber returns the nearest float64, or ±Inf for the text inf and for numbers beyond the range of
// float64. The result is never NaN or -0. Hexadecimal digits and underscores, which strconv.ParseFloat
// accepts, are errors.
func ParseNumber(text string) (float64, error) {
	const decimal = "0123456789+-.eE"
	text = strings.TrimSpace(text)
	x, err := strconv.ParseFloat(text, 64)
	letters := strings.ToLower(strings.Trim(text, decimal))
	written := letters == "" || letters == "inf" || letters == "infinity"
	if !written || err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%.40q is not a number", text)
	}
	return x + 0, nil // -0 is 0
}

// ParseWhole parses an integer exactly, in any form that ParseNumber accepts, such as 1000000 or 1e6. An
// integer beyond ±2^65 is an error.
func ParseWhole(text string) (*big.Int, error) {
	text = strings.TrimSpace(text)
	x, err := ParseNumber(text)
	if err != nil {
		return nil, err
	}
	if math.Abs(x) > 1<<65 { // the digits of 1e999999999 would fill the memory
		return nil, fmt.Errorf("%s is out of bounds", text)
	}
	digits, _, _ := strings.Cut(strings.ToLower(text), "e")
	if !strings.ContainsAny(digits, "123456789") {
		return new(big.Int), nil
	}
	if math.Abs(x) < 0.5 { // the digits of 1e-999999999 would fill the memory too
		return nil, fmt.Errorf("%s is not whole", text)
	}
	exact, _ := new(big.Rat).SetString(text)
	if !exact.IsInt() {
		return nil, fmt.Errorf("%s is not whole", text)
	}
	return exact.Num(), nil
}

// ParseWithin parses an integer like ParseWhole. An integer below low or above high is an error.
func ParseWithin(text string, low, high int64) (int64, error) {
	n, err := ParseWhole(text)
	if err != nil {
		return 0, err
	}
	if !n.IsInt64() || n.Int64() < low || n.Int64() > high {
		return 0, fmt.Errorf("%s is out of bounds", text)
	}
	return n.Int64(), nil
}
