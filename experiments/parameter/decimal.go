package parameter

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// ParseNumber reads a real number in decimal form, as 12, -0.5 or 1e6, with blanks around it.
// It is the float64 nearest to it, ±Inf beyond their range and for inf; never NaN or -0. What
// Go also reads, hexadecimal digits and underscores, is not a number here.
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

// ParseWhole reads a whole number in any form that ParseNumber reads, as 1000000 or 1e6, exactly.
// Beyond ±2^65 it is an error.
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
	if math.Abs(x) < 0.5 { // neither would those of 1e-999999999 end
		return nil, fmt.Errorf("%s is not whole", text)
	}
	exact, _ := new(big.Rat).SetString(text)
	if !exact.IsInt() {
		return nil, fmt.Errorf("%s is not whole", text)
	}
	return exact.Num(), nil
}

// ParseWithin is ParseWhole for a whole number from low to high.
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
