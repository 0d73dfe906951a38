package parameter

import (
	"fmt"
	"strconv"
)

// Range is the range of allowed numbers of a parameter, from Low to High. Both bounds are allowed, unless
// Open excludes Low.
type Range struct {
	Low, High float64
	Open      bool // whether Low itself is not allowed
}

// Contains reports whether the number x is in the range. NaN is in no range.
func (n Range) Contains(x float64) bool {
	return x >= n.Low && x <= n.High && !(n.Open && x == n.Low)
}

// Bounds returns the range. A parameter value that embeds a Range thereby implements Bounded.
func (n Range) Bounds() Range { return n }

// String describes the range in a text that is meant to follow "a number".
func (n Range) String() string {
	if n.Open {
		return fmt.Sprintf("above %s, up to %s", FormatReal(n.Low), FormatReal(n.High))
	}
	return fmt.Sprintf("from %s to %s", FormatReal(n.Low), FormatReal(n.High))
}

// FormatReal returns the shortest decimal text that parses as the same float64.
func FormatReal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Whole returns a parameter value that is an integer in a range. The integer is stored in *field.
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
func (v whole) String() string { return strconv.FormatInt(*v.field, 10) }
func (v whole) Allowed() string {
	if v.High == v.Low+1 {
		return FormatReal(v.Low) + " or " + FormatReal(v.High)
	}
	return "a whole number " + v.Range.String()
}
func (v whole) Placeholder() string { return "COUNT" }
func (v whole) Check() error        { return CheckThat(v.Contains(float64(*v.field)), v) }

// LeastAsZero returns a parameter value that is an integer in a range, as Whole does. The least integer of
// the range, which is the default, is stored as 0, so that JSON can leave it out.
func LeastAsZero(field *int64, allowed Range) Value { return leastAsZero{whole{field, allowed}} }

type leastAsZero struct{ whole }

func (v leastAsZero) Set(text string) error {
	err := v.whole.Set(text)
	if err == nil && *v.field == int64(v.Low) {
		*v.field = 0
	}
	return err
}
func (v leastAsZero) String() string {
	if *v.field == 0 {
		return FormatReal(v.Low)
	}
	return v.whole.String()
}
func (v leastAsZero) Check() error {
	return CheckThat(*v.field == 0 || v.Contains(float64(*v.field)), v)
}

// Real returns a parameter value that is a real number in a range. The number is stored in *field.
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
