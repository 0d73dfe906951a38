package experiments

import (
	"fmt"
	"strconv"
	"strings"
)

// optionalReal is a real number that may be absent, for which a word stands.
type optionalReal struct {
	field  **float64
	absent string
	number
}

func (v optionalReal) Set(text string) error {
	if text == v.absent {
		*v.field = nil
		return nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !v.contains(x) {
		return mustBe(v)
	}
	*v.field = &x
	return nil
}

func (v optionalReal) String() string {
	if *v.field == nil {
		return v.absent
	}
	return formatReal(**v.field)
}

func (v optionalReal) Allowed() string     { return v.absent + " or a number " + v.number.String() }
func (v optionalReal) Placeholder() string { return "NUMBER" }
func (v optionalReal) Check() error {
	return checkThat(*v.field == nil || v.contains(**v.field), v)
}

// optionalWhole is a whole number that may be absent, for which a word stands.
type optionalWhole struct {
	field  **int64
	absent string
	number
}

func (v optionalWhole) Set(text string) error {
	if text == v.absent {
		*v.field = nil
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || !v.contains(float64(n)) {
		return mustBe(v)
	}
	*v.field = &n
	return nil
}

func (v optionalWhole) String() string {
	if *v.field == nil {
		return v.absent
	}
	return strconv.FormatInt(**v.field, 10)
}

func (v optionalWhole) Allowed() string     { return v.absent + " or a whole number " + v.number.String() }
func (v optionalWhole) Placeholder() string { return "COUNT" }
func (v optionalWhole) Check() error {
	return checkThat(*v.field == nil || v.contains(float64(**v.field)), v)
}

// masses are the sizes of two clusters.
type masses struct {
	field *[2]float64
	number
}

func (v masses) Set(text string) error {
	first, second, ok := strings.Cut(text, ",")
	m1, err1 := parseNumber(first)
	m2, err2 := parseNumber(second)
	if !ok || err1 != nil || err2 != nil || !v.contains(m1) || !v.contains(m2) {
		return mustBe(v)
	}
	*v.field = [2]float64{m1, m2}
	return nil
}

func (v masses) String() string      { return formatList(v.field[:]) }
func (v masses) Allowed() string     { return fmt.Sprintf("two numbers %v, as 1,2", v.number) }
func (v masses) Placeholder() string { return "MASSES" }
func (v masses) Check() error {
	return checkThat(v.contains(v.field[0]) && v.contains(v.field[1]), v)
}
