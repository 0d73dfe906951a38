package experiments

import (
	"fmt"
	"strings"
)

// optional is a value that may be absent, for which a word stands.
type optional[T any] struct {
	field  **T
	absent string
	of     func(field *T) Value // what it is where it is there
}

func (v optional[T]) Set(text string) error {
	if text == v.absent {
		*v.field = nil
		return nil
	}
	x := new(T)
	if v.of(x).Set(text) != nil {
		return mustBe(v)
	}
	*v.field = x
	return nil
}

func (v optional[T]) String() string {
	if *v.field == nil {
		return v.absent
	}
	return v.of(*v.field).String()
}

func (v optional[T]) Allowed() string     { return v.absent + " or " + v.of(new(T)).Allowed() }
func (v optional[T]) Placeholder() string { return v.of(new(T)).Placeholder() }
func (v optional[T]) Check() error {
	return checkThat(*v.field == nil || v.of(*v.field).Check() == nil, v)
}

// optionalReal is a real number that may be absent.
func optionalReal(field **float64, absent string, allowed number) Value {
	return optional[float64]{field, absent, func(x *float64) Value { return realNumber{x, allowed} }}
}

// optionalWhole is a whole number that may be absent.
func optionalWhole(field **int64, absent string, allowed number) Value {
	return optional[int64]{field, absent, func(x *int64) Value { return whole{x, allowed} }}
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
