package parameter

import (
	"fmt"
	"strconv"
)

// Range is the allowed range of an integer or real parameter, from Low to High. Both are included, unless Low
// is excluded.
type Range struct {
	Low, High float64
	Open      bool // Low itself is not allowed
}

// Contains reports whether x is in the range; NaN is in no range.
func (n Range) Contains(x float64) bool {
	return x >= n.Low && x <= n.High && !(n.Open && x == n.Low)
}

// Bounds returns the range. Values that embed a range thereby implement Bounded.
func (n Range) Bounds() Range { return n }

// String describes the range. The text is meant to follow "a number".
func (n Range) String() string {
	if n.Open {
		return fmt.Sprintf("above %s, up to %s", FormatReal(n.Low), FormatReal(n.High))
	}
	return fmt.Sprintf("from %s to %s", FormatReal(n.Low), FormatReal(n.High))
}

// FormatReal returns the shortest text that parses as the same number.
func FormatReal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Whole is the value of an integer in the range.
func Whole(field *int64, allowed Range) Value { return whole{field, allowed} }

type whole struct {
	field *int64
	Range
}

func (v whole) Set(text string) error {
	n, err := ParseWhole(text)
	if err != nil || !n.IsInt64() || !v.Contains(float64(n.Int64())) {
		return MustBe(v)
	}
	*v.field = n.Int64()
	return nil
}
func (v whole) String() string      { return strconv.FormatInt(*v.field, 10) }
func (v whole) Allowed() string     { return "a whole number " + v.Range.String() }
func (v whole) Placeholder() string { return "COUNT" }
func (v whole) Check() error        { return CheckThat(v.Contains(float64(*v.field)), v) }

// Real is the value of a real number in the range.
func Real(field *float64, allowed Range) Value { return realNumber{field, allowed} }

type realNumber struct {
	field *float64
	Range
}

func (v realNumber) Set(text string) error {
	x, err := ParseNumber(text)
	if err != nil || !v.Contains(x) {
		return MustBe(v)
	}
	*v.field = x
	return nil
}
func (v realNumber) String() string      { return FormatReal(*v.field) }
func (v realNumber) Allowed() string     { return "a number " + v.Range.String() }
func (v realNumber) Placeholder() string { return "NUMBER" }
func (v realNumber) Check() error        { return CheckThat(v.Contains(*v.field), v) }
